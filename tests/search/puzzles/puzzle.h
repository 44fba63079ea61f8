// A position with a forced win, as a list of moves from the start of the game.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace stratagem::search::testing {

struct Puzzle {
    std::vector<std::string> moves;  // of the roles together, "move | move | …", from the start
    std::uint32_t role = 0;          // to move, and wins
    std::uint32_t win_in = 0;        // moves of everybody, and not in fewer
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Puzzle, moves, role, win_in)

struct PuzzleFile {
    std::string game;
    std::uint64_t seed = 0;
    std::vector<Puzzle> puzzles;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PuzzleFile, game, seed, puzzles)

}  // namespace stratagem::search::testing
