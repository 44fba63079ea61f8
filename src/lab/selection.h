// Features grown from the words of literals, filtered, and selected by matches as Kuhlmann does (learn/selection.h), or
// weighed all at once by what came of random games.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "learn/selection.h"

namespace stratagem::lab {

struct SelectionSearch {
    enum class By : std::uint8_t { matches, playouts };

    By by = By::matches;
    double seconds = 20;       // for the analysis, and again for growing, random games and weights
    std::size_t checks = 200;  // games against random moves in the end
    evaluate::feature_tree::PrepareSettings prepare;
    evaluate::feature_tree::RegressionSettings regression;
    learn::SelectionSettings selection;
    machine::Stop stop;
    std::function<void(const learn::SelectionProgress&)> progress;  // may be empty
};

struct SelectedFeatures {
    std::size_t nodes = 0, features = 0, varying = 0, games = 0, states = 0;
    bool complete = false;  // no limit ended the growth of the tree
    learn::Selection selection;
    std::vector<std::string> names;  // by round: the feature that was best in it
    double error = 0, spread = 0;    // by playouts: see Regression
    std::string model;               // as a file; empty where no feature was chosen
    std::vector<double> points;      // of that, one move ahead, in games against random moves
};

// Nothing where the game is not for this; `why` says so.
std::optional<SelectedFeatures> find_selection(const std::shared_ptr<const machine::Game>& game,
                                               const SelectionSearch& search, std::string& why);

}  // namespace stratagem::lab
