// Symmetries: ways to exchange fluents, moves and roles that leave the rules as they are.
//
// Found as automorphisms of the ground rules as a coloured graph (nauty; McKay and Piperno, 2014). An
// exchange under which every condition becomes a condition is one under which every game becomes a game, so nothing is
// left to be proved: legal moves, next states, ends and goals go along. The graph of first-order rules (seed: Kuhlmann,
// chapter 5) would only show those symmetries that the rules spell out; here it does not matter how a board is written
// down. Conditions are taken as formulas (formula.h), because the relations a rule is spread over need not be
// symmetric.
//
// What is not found: symmetries that rules have but do not show. A recursive relation that is written down from one end
// (a chain of stones from the left side to the right) looks different from the other end although it means the same.
#pragma once

#include <vector>

#include "analysis/frame.h"
#include "machine/state.h"
#include "machine/stop.h"

namespace stratagem::analysis {

struct Symmetry {
    std::vector<Fluent> fluents;  // by fluent: what it becomes
    std::vector<Move> moves;
    std::vector<Role> roles;
    bool keeps_start = false;  // the initial state becomes itself

    bool operator==(const Symmetry&) const = default;
    bool swaps_roles() const;
    // What the state becomes.
    machine::State apply(const machine::State& state) const;
    // Whole-object audit: nothing becomes the same as another, moves go with their roles, and the start says what it
    // does.
    bool is_consistent(const ground::Program& program) const;
};

struct Symmetries {
    std::vector<Symmetry> generators;  // all others are made of these
    double size = 1;        // number of automorphisms of the rules; may count some that differ in nothing that
                            // can be seen
    bool complete = false;  // false: the rules are too large, or time was up
};

// With `keep_start` only those that leave the initial state as it is.
Symmetries find_symmetries(const RuleIndex& index, bool keep_start, const machine::Stop& stop);

// All symmetries that can be made of the generators, the one that changes nothing first. Stops at `most`.
std::vector<Symmetry> all_symmetries(const ground::Program& program, const Symmetries& found, std::size_t most);

}  // namespace stratagem::analysis
