// Who plays whom and in which role.
#pragma once

#include <cstddef>
#include <vector>

namespace stratagem::arena {

// By seat: the number of the player who has it.
using Seating = std::vector<std::size_t>;

// How many matches a group plays where `matches` were asked for: with `swap` so many that each of its players has each
// seat equally often, which is the next multiple of the seats.
std::size_t whole_rotations(std::size_t matches, std::size_t seats, bool swap);

// Every group of as many players as there are seats, each `matches` times. With `swap` the players of a group take each
// other's seats in turn from match to match. Groups alternate, so that what is stopped early has played all of them
// about equally often.
// Empty when there are fewer players than seats, or no seats.
std::vector<Seating> schedule(std::size_t players, std::size_t seats, std::size_t matches, bool swap);

}  // namespace stratagem::arena
