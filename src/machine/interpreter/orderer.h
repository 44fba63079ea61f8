// Which goal of a conjunction to run next.
//
// Every order that respects safety gives the same answers; the cost differs by orders of magnitude. Greedy choice:
// filters first, cheap and sharp ones before others (the rank (fanout - 1) / cost of Ibaraki and Kameda, "On the
// optimal nesting order for computing N-relational joins", 1984), then the generator with the fewest expected
// matches. Expectations come from the relations as they stand (facts, the state at the time of compilation) and, for
// derived predicates, from ordering their clauses in the same way.
#pragma once

#include <map>

#include "machine/interpreter/variables.h"
#include "util/deadline.h"

namespace stratagem::machine::interpreter {

class Orderer {
  public:
    static constexpr std::size_t stuck = static_cast<std::size_t>(-1);

    Orderer(Rulebook& rulebook, const gdl::TermPool& terms) : rulebook_(rulebook), terms_(terms) {}

    // Index into `remaining` of the goal to run next, or stuck when each waits for a variable that none of the
    // others is certain to bind. `needed_after` are the variables used outside this conjunction.
    std::size_t pick(const Variables& variables, const std::vector<const Goal*>& remaining, const VariableSet& bound,
                     const VariableSet& needed_after);

    // Ordering a rule takes the square of its conditions and variables: from here on it ends with LimitExceeded.
    void set_deadline(const Deadline& deadline) { deadline_ = deadline; }
    // Counts so many small steps of work.
    void tick(std::size_t work = 1);

  private:
    struct Estimate {
        double cost = 1;    // of finding all matches, in look-ups
        double fanout = 1;  // expected matches; below 1 for a filter
    };

    bool may_run(const Variables& variables, const std::vector<const Goal*>& remaining, std::size_t candidate,
                 const VariableSet& bound, const VariableSet& needed_after) const;
    std::size_t pick(const Variables& variables, const std::vector<const Goal*>& remaining, const VariableSet& bound,
                     const VariableSet& needed_after, Estimate& picked);
    Estimate estimate(const Variables& variables, const Goal& goal, const VariableSet& bound);
    Estimate estimate_conjunction(const Variables& variables, const std::vector<Goal>& goals, VariableSet bound,
                                  const VariableSet& needed_after);
    Estimate estimate_stored(Predicate predicate, const std::vector<bool>& given);
    Estimate estimate_derived(Predicate predicate, const std::vector<bool>& given);

    Rulebook& rulebook_;
    const gdl::TermPool& terms_;
    std::map<std::pair<Predicate, std::vector<bool>>, Estimate> known_;
    int depth_ = 0;
    Deadline deadline_;
    std::size_t work_ = 0;
};

}  // namespace stratagem::machine::interpreter
