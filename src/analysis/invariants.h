// Proving groups: the largest set of them that every step keeps, if all of it held before (Houdini; Flanagan and Leino,
// 2001). They hold in the initial state, so those that are left hold in every reachable state.
//
// Each is asked about alone, and remembers which others its proof made use of: when one of those turns out wrong, it is
// asked about again. So when time is up, what is shown by then and rests on nothing else is proved all the same.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/groups.h"
#include "analysis/transition.h"

namespace stratagem::analysis {

struct ProofLimits {
    std::uint32_t conflicts = 20'000;  // of one question to the solver
    machine::Stop stop;
};

struct InvariantStatistics {
    std::size_t questions = 0;
    bool complete = false;  // false: time was up before all were decided
};

// Sets the verdict of each group: proved, or still observed. What is proved is asserted of the state before.
InvariantStatistics prove_groups(Transition& transition, std::vector<Group>& groups, const ProofLimits& limits);

}  // namespace stratagem::analysis
