// How many states evaluators tell apart: positions of random games, and where one can go from them. A position is flat
// if whatever the role that chooses does is worth the same to it: then an evaluator says nothing there.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/game.h"
#include "player/recipe.h"

namespace stratagem::lab {

struct SpreadSearch {
    double seconds = 10;         // for analysis and evaluators
    std::size_t positions = 50;  // one from each random game
    std::uint64_t seed = 1;
    const std::atomic<bool>* abort = nullptr;
};

// Of one evaluator.
struct ToldApart {
    std::size_t values = 0;   // different ones of moves that can be chosen between, over all choices
    std::size_t flat = 0;     // choices whose moves are all worth the same
    std::size_t at_ends = 0;  // moves that are worth exactly 0 or 100
};

struct ValueSpread {
    // Every position counts once for each role that can choose there. Moves that end the game are left out; others are
    // told apart only if they lead to different states.
    std::size_t choices = 0;
    std::size_t moves = 0;
    std::vector<ToldApart> by;  // by evaluator
};

// Nothing where an evaluator cannot be made; `why` says so. Pre: the recipes have evaluators.
std::optional<ValueSpread> measure_spread(const std::shared_ptr<const machine::Game>& game,
                                          const std::vector<player::Recipe>& recipes, const SpreadSearch& search,
                                          std::string& why);

}  // namespace stratagem::lab
