// Which weights are one: symmetries of the rules make a state into one that is worth as much, or, where they swap two
// players of whom one gets what the other loses, worth as much to the other.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluate/linear/model.h"
#include "evaluate/linear/patterns.h"

namespace stratagem::evaluate::linear {

struct Sharing {
    // By entry of a model: the place of its weight among those that are learned, and whether it is that weight turned
    // round (-1), or always nothing (0).
    std::vector<std::uint32_t> place;
    std::vector<std::int8_t> sign;
    std::size_t places = 0;
};

Sharing share_weights(const Tuples& tuples, const Seats& seats, const CellSymmetries& symmetries);

}  // namespace stratagem::evaluate::linear
