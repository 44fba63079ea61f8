// Loops over rows that are not made for one game: random bits, and changing some lanes of many rows. Compiled for each
// width; all give the same results.
#pragma once

#include <cstdint>

#include "machine/lanes/code.h"

namespace stratagem::machine::lanes {

// Random bits: a xoshiro256++ generator (Blackman and Vigna, 2021) for each group of 64 lanes, side by side.
struct RandomRows {
    std::array<Row, 4> words;

    // Streams of one seed are independent of each other.
    RandomRows(std::uint64_t seed, std::uint64_t stream);
};

struct Kernels {
    void (*fill)(RandomRows& random, Row* rows, std::size_t count);
    // Takes the lanes of the mask out of the rows.
    void (*clear)(Row* rows, std::size_t count, const Row& mask);
    // Copies the lanes of the mask, for rows with these numbers.
    void (*copy)(const Row* from, Row* to, const std::uint32_t* numbers, std::size_t count, const Row& mask);
    // Puts the lanes of the mask into rows with these numbers.
    void (*insert)(Row* rows, const std::uint32_t* numbers, std::size_t count, const Row& mask);
    std::uint32_t (*count)(const Row& a, const Row& b);  // lanes in both
};

const Kernels& kernels(Width width);

}  // namespace stratagem::machine::lanes
