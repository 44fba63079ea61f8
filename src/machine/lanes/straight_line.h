// Logic as straight-line code: a list of operations with at most two or three inputs each, ready to be turned into
// machine code or run from a table. Says nothing yet about registers, widths or addresses.
//
// Made by covering the graph with functions of few inputs (technology mapping with cuts, as for the look-up tables of
// field-programmable chips: Mishchenko et al., "Improvements to technology mapping for LUT-based FPGAs", 2007; first by
// area flow, then by exact local area). Any function of three inputs is one instruction where there is a ternary-logic
// instruction, any function of two inputs is one instruction everywhere.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/lanes/logic.h"
#include "util/deadline.h"

namespace stratagem::machine::lanes {

using Value = std::uint32_t;  // an input, or input_count + number of the operation that made it

struct Operation {
    std::array<Value, 3> inputs{};  // unused ones repeat the first
    std::uint8_t arity = 0;
    std::uint8_t table = 0;  // bit (c << 2 | b << 1 | a) is the result for the inputs a, b, c
};

// What is to be kept of the results.
struct Store {
    std::uint32_t after = 0;   // so many operations are done before it
    std::uint32_t output = 0;  // number of the root
    Value value = 0;
};

struct StraightLine {
    std::uint32_t input_count = 0;
    std::vector<Operation> operations;                      // each uses earlier results only
    std::vector<Store> stores;                              // ascending by `after`
    std::vector<std::pair<std::uint32_t, bool>> constants;  // outputs that are always the same

    // Whole-object audit, for tests and debug builds.
    bool is_consistent() const;
};

// Code for the roots, which become the outputs in this order. `arity` is 2 or 3. What is in `first` is computed first
// and in this order, as far as it is computed at all: whoever built the logic knows which order keeps few values alive.
// Throws std::runtime_error when the deadline passes.
StraightLine compile(const Logic& logic, std::span<const Signal> roots, unsigned arity,
                     const Deadline& deadline = Deadline::never(), std::span<const Signal> first = {});

}  // namespace stratagem::machine::lanes
