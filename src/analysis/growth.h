// What recursive relations cannot gain by a step: who was not connected before the other's move is not connected after.
//
// Solvers know nothing of induction along a recursion, so this is proved here and given to them as clauses: under a
// condition on the state before, each of a set of atoms holds after the step only if it held before. It is enough to
// look at single rules: if what a rule rests on did not grow, neither does its head. Atoms for which that fails are
// taken out until the rest agrees.
#pragma once

#include "analysis/invariants.h"

namespace stratagem::analysis {

// For each fluent of small groups of which exactly one holds (whose turn it is), and each circle of recursive atoms.
// Returns how many atoms were shown not to grow, over all conditions.
std::size_t prove_no_growth(Transition& transition, std::span<const Family> families, std::span<const Group> groups,
                            const ProofLimits& limits);

}  // namespace stratagem::analysis
