// What is true of a whole game, asked of one step of it: what lasts, whose turn it is, what the goals add up to.
//
// Samples come first, as they refute most of what is false for nothing; the solver is asked about the rest.
#pragma once

#include <optional>
#include <vector>

#include "analysis/invariants.h"

namespace stratagem::analysis {

// Once true, a fluent stays so to the end (true persistence); once false, it does not come again (false persistence).
struct Persistence {
    std::vector<Verdict> stays;  // by fluent: once it holds
    std::vector<Verdict> gone;   // by fluent: once it does not
    bool complete = false;       // false: time was up before all were asked about
};
// With the groups that are proved.
Persistence prove_persistence(Transition& transition, const Samples& samples, std::span<const Group> groups,
                              const ProofLimits& limits);

// In no state do two roles have a choice of moves.
Verdict prove_turn_taking(Transition& transition, const Samples& samples, const ProofLimits& limits);

struct GoalSum {
    Verdict constant = Verdict::unknown;  // all roles have one goal value at every end, and their sum is the same
    std::optional<int> sum;               // where observed or proved
    std::optional<State> witness;         // where refuted: an end whose goals are missing or add up to something else
    int witness_sum = 0;                  // of its goals, those that are missing counted as 0
};
// Of the goal values of these roles; nothing where one has none.
std::optional<int> sum_of(std::span<const std::optional<int>> goals, std::span<const Role> roles);
// The sum is not constant: this end does not fit.
GoalSum refuted_by(const State& end, std::span<const std::optional<int>> goals, std::span<const Role> roles);

// Over these roles. Pre: not empty.
GoalSum prove_constant_sum(Transition& transition, const Samples& samples, std::span<const Role> roles,
                           const ProofLimits& limits);

}  // namespace stratagem::analysis
