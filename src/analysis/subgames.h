// Parts of a game that do not touch each other: several boards side by side, puzzles that share nothing but a clock.
//
// Fluents and moves hang together where one is a condition of the other. What no move has an influence on (whose turn
// it is, the number of the step) does not tie parts together, and neither do goals and the end of the game.
#pragma once

#include <vector>

#include "analysis/frame.h"
#include "machine/stop.h"

namespace stratagem::analysis {

struct Subgame {
    std::vector<Fluent> fluents;  // ascending
    std::vector<Move> moves;      // ascending
};

struct Subgames {
    std::vector<Subgame> parts;     // those with moves; a single one: the game is of one piece
    std::vector<Fluent> untouched;  // fluents no move has an influence on
    std::vector<Move> idle;         // moves that change nothing but those
    bool complete = false;          // false: time was up, and nothing is said
};

Subgames find_subgames(const RuleIndex& index, const machine::Stop& stop);

}  // namespace stratagem::analysis
