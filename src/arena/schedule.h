// Who plays whom and in which role.
#pragma once

#include <cstddef>
#include <vector>

namespace stratagem::arena {

// By seat: the number of the player who has it.
using Seating = std::vector<std::size_t>;

// Every group of as many players as there are seats, each `matches` times. With `swap` the players of a group take each
// other's seats in turn from match to match; for everybody to have had each seat equally often, `matches` is a multiple
// of the seats. Groups alternate, so that what is stopped early has played all of them about equally often.
// Empty when there are fewer players than seats, or no seats.
std::vector<Seating> schedule(std::size_t players, std::size_t seats, std::size_t matches, bool swap);

}  // namespace stratagem::arena
