// A uniformly random legal move, chosen in every lane at once by logic alone.
//
// With n of N candidates legal and R a random number, the move with rank floor(R * n / 2^bits) among the legal ones is
// taken. R has 20 bits more than N, so that the probability of each legal move is 1/n within one part in a million,
// however many candidates there are. Counts and ranks are numbers of a few bits, one signal for each bit:
//
//   upwards    a tree of adders counts the legal moves below each of its nodes
//   the rank   multiply and shift: for each random bit, from the lowest, rank = (rank + bit * n) / 2
//   downwards  at each node: ranks below the count of the left half go left, the others go right, less that count
//
// About seven three-input operations for each candidate, whatever the number of lanes. Picking out one game's legal
// moves as a mask, as hand-written engines do, costs more than that for each game.
#pragma once

#include <span>
#include <vector>

#include "machine/lanes/logic.h"

namespace stratagem::machine::lanes {

// Random bits beyond those of the number of candidates.
inline constexpr std::size_t resolution = 20;

struct Chosen {
    std::vector<Signal> picked;  // by candidate: at most one holds
    Signal none;                 // there was no candidate
};

// How many bits choose() needs for so many candidates: none for one, a single one for two.
std::size_t random_bits(std::size_t candidates);

// Pre: random.size() == random_bits(candidates.size()); all candidates can hold.
Chosen choose(Logic& logic, std::span<const Signal> candidates, std::span<const Signal> random);

}  // namespace stratagem::machine::lanes
