// Proving groups: the largest set of them that every step keeps, if all of it held before (Houdini; Flanagan and Leino,
// 2001). They hold in the initial state, so those that are left hold in every reachable state.
//
// Each is asked about alone, and remembers which others its proof made use of: when one of those turns out wrong, it is
// asked about again. So when time is up, what is shown by then and rests on nothing else is proved all the same.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/groups.h"
#include "analysis/local_step.h"
#include "analysis/transition.h"

namespace stratagem::analysis {

struct ProofLimits {
    std::uint32_t conflicts = 20'000;  // of one question to the solver
    machine::Stop stop;
    Allowance* allowance = nullptr;  // for all questions together, where no clock ends them

    bool over() const { return stop.now() || (allowance != nullptr && allowance->used_up()); }
};

// As many conflicts of one question, up to `most`, as take about as long for large sets of clauses as for small ones: a
// conflict takes time in proportion to them. A matter of size and not of the clock, so that results can be repeated.
std::uint32_t affordable_conflicts(const Clauses& clauses, std::uint32_t most);

struct InvariantStatistics {
    std::size_t questions = 0;
    bool complete = false;  // false: time was up before all were decided
};

// Sets the verdict of each group: proved, or still observed. Where of a group that always has a member only this is not
// shown, it claims no more than that two of them exclude each other. What is proved is asserted of the state before.
InvariantStatistics prove_groups(Transition& transition, std::vector<Group>& groups, const ProofLimits& limits);

// The groups that are proved, for steps of which only a part is looked at. Not longer than the groups live.
class ProvedGroups {
  public:
    ProvedGroups(std::span<const Group> groups, std::size_t fluents);
    // What they say of the state before.
    void assert_in(LocalStep& step) const;

  private:
    std::vector<std::vector<const Group*>> groups_of_;  // by fluent
};

}  // namespace stratagem::analysis
