// Games between evaluators that look one move ahead: thousands in a second, to see how strong one has become.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluate/evaluator.h"
#include "machine/game.h"
#include "machine/stop.h"

namespace stratagem::learn {

struct QuickMatch {
    std::size_t games = 100;
    std::size_t opening = 2;    // moves by chance at the beginning
    std::size_t longest = 300;  // moves; longer games are left out
    std::uint64_t seed = 1;
};

// Points of the first, out of 100, one for each game: what it gets where it sits on each role in turn, and the other on
// all the others. Whoever has no evaluator moves by chance. Everybody takes what looks best against moves of the others
// drawn by chance, and equal moves by chance.
std::vector<double> play_quickly(const machine::Game& game, const evaluate::Evaluator* first,
                                 const evaluate::Evaluator* second, const QuickMatch& match, const machine::Stop& stop);

}  // namespace stratagem::learn
