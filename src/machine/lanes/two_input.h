// Code of two-input operations in the four functions every processor has: and, and-not, or, xor.
//
// All others are one of these with a negated result. The negation is remembered with the value and taken into account
// where the value is used, which costs nothing; only at a store it is made good.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/lanes/straight_line.h"

namespace stratagem::machine::lanes {

struct PlainOperation {
    enum class Kind : std::uint8_t { both, left_only, either, differ, invert };  // left_only: a and not b

    Kind kind = Kind::both;
    Value a = 0;
    Value b = 0;
};

struct PlainLine {
    std::uint32_t input_count = 0;
    std::vector<PlainOperation> operations;  // the i-th makes the value input_count + i
    std::vector<Store> stores;
    std::vector<std::pair<std::uint32_t, bool>> constants;
};

// Throws std::logic_error for operations of three inputs.
PlainLine plain_line(const StraightLine& line);

}  // namespace stratagem::machine::lanes
