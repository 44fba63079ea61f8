// Relations that count: of the atoms that say how many there are, exactly one holds.
//
// Goals often compare numbers that the rules work out cell by cell. A solver that has to find out by itself that each
// partial count is one number searches for ever; told so step by step, from the first cell on, it finds each step
// obvious. So the same hypotheses as for fluents are made for derived atoms, proved of every state that keeps to the
// groups proved so far, each with the help of those before, and given to the solver.
#pragma once

#include "analysis/invariants.h"

namespace stratagem::analysis {

// Of the atoms that goals and the end of the game depend on. What is proved is asserted of the states before and after.
// Returns the number of groups proved.
std::size_t prove_derived_groups(Transition& transition, const Samples& samples, std::span<const Group> groups,
                                 const ProofLimits& limits);

}  // namespace stratagem::analysis
