// Every single-feature heuristic of a game (evaluate/single) against blind search, as in table 4.2 of Kuhlmann's
// thesis: both use the same search with the same number of nodes, so that what differs is the heuristic alone.
//
// Ties are broken by chance, as in the thesis, by noise on the values that is far below what a feature tells apart. The
// noise of the blind player is all it has: it then likes states from which many others can be reached (Beal and Smith,
// "Random evaluations in chess", 1994), and is stronger than one that takes the first move, which can be had as well.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/statistics.h"
#include "evaluate/single/single_evaluator.h"
#include "machine/game.h"

namespace stratagem::lab {

struct HeuristicTrials {
    std::size_t matches = 40;    // of each heuristic in each seat
    std::uint64_t nodes = 2000;  // for each move
    std::size_t opening = 2;     // moves by chance at the beginning
    std::size_t longest = 400;   // moves; longer matches are left out
    bool noise = true;           // of the blind player; otherwise it takes the first of equal moves
    bool by_templates = true;
    double seconds = 10;  // for the analysis
    std::uint64_t seed = 1;
    std::vector<std::string> only;   // heuristics to try ("max:money.bob.value2"); empty: all
    std::vector<std::string> roles;  // whose; empty: all
    const std::atomic<bool>* abort = nullptr;
};

// What one heuristic came to in one seat.
struct HeuristicTrial {
    std::string heuristic;  // "blind": in its seat against itself, what the others are compared with
    std::string role;
    arena::Sample points;
    std::size_t wins = 0;  // matches in which the role got the most it can get
    std::size_t left_out = 0;

    std::size_t matches() const { return points.count(); }
};

// The features of a game; null where there are none, and `why` says so.
std::shared_ptr<const evaluate::single::FeatureSet> features_of(const std::shared_ptr<const machine::Game>& game,
                                                                const HeuristicTrials& trials, std::string& why);

// Best first: by wins, then by points; those of one role together. `told` hears of each when it is done. What was cut
// short is left out.
std::vector<HeuristicTrial> try_heuristics(const std::shared_ptr<const machine::Game>& game,
                                           const std::shared_ptr<const evaluate::single::FeatureSet>& set,
                                           const HeuristicTrials& trials,
                                           const std::function<void(const HeuristicTrial&)>& told);

}  // namespace stratagem::lab
