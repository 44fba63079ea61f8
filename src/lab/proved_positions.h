// Positions of random games in which the worth of every move is proved, to measure whoever chooses between them.
//
// Every position is so many joint moves away from the beginning, with one player who has a choice. A search proves what
// each of his moves is worth; positions for which that takes too many nodes are drawn again, and counted.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "machine/game.h"
#include "machine/stop.h"
#include "player/recipe.h"

namespace stratagem::lab {

struct ProvedPosition {
    struct Choice {
        std::string move;
        int goal = 0;  // what the player gets if all play perfectly from then on
    };

    std::vector<std::vector<std::string>> path;  // joint moves, by role
    machine::Role player{};                      // who chooses
    std::vector<Choice> choices;

    // What the position is worth to him.
    int goal() const;
    // Some move throws it away.
    bool is_open() const;
};

struct ProvedPositions {
    std::size_t plies = 0;
    std::uint64_t seed = 0, nodes = 0;
    std::size_t unproved = 0;  // drawn, and too dear
    std::vector<ProvedPosition> positions;

    std::size_t open() const;
};

struct ProofSettings {
    std::size_t plies = 12;
    std::size_t count = 100;
    std::uint64_t nodes = 10'000'000;  // for all moves of a position
    std::uint64_t seed = 1;
    std::size_t table_megabytes = 256;
    machine::Stop stop;  // ends with the positions proved by then
    std::function<void(const ProvedPositions&)> progress;
};

// Where a game never lasts so long, or nothing of it can be proved, there are fewer than asked for or none.
ProvedPositions prove_positions(const std::shared_ptr<const machine::Game>& game, const player::Recipe& prover,
                                const ProofSettings& settings);

std::string to_json(const ProvedPositions& positions);
// Or what is wrong with it. That it fits a game is found out by play (reach_position).
std::variant<ProvedPositions, std::string> positions_from_json(std::string_view text);

// A position in a machine of its game.
struct ReachedPosition {
    machine::State state;
    std::vector<machine::Move> joint;    // moves of the others, who have no choice
    std::vector<machine::Move> choices;  // in the order of the position's
};
// Nothing where the game has no such moves.
std::optional<ReachedPosition> reach_position(machine::Machine& machine, const ProvedPosition& position);

}  // namespace stratagem::lab
