// The first states of a game: all that can be reached in so many moves. A sample that depends on nothing but the game,
// neither on chance nor on how anything is called or counted.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/game.h"
#include "machine/stop.h"

namespace stratagem::evaluate::fuzzy {

struct FirstStates {
    std::vector<machine::State> states;                // each once; none is an end of the game
    std::vector<std::vector<std::uint32_t>> siblings;  // of each state that was left: where one can go from there
};

constexpr std::size_t most_first_states = 600;

// Whole levels only, each one move further than the last, as long as there are no more than `most` states in all.
FirstStates first_states(const machine::Game& game, const machine::Stop& stop, std::size_t most = most_first_states);

}  // namespace stratagem::evaluate::fuzzy
