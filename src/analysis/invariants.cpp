#include "analysis/invariants.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace stratagem::analysis {

namespace {

class Houdini {
  public:
    Houdini(Transition& transition, std::span<const Group> groups, const ProofLimits& limits)
        : transition_(transition), limits_(limits) {
        for (std::size_t i = 0; i < groups.size(); ++i) add(groups[i]);
    }

    void run() {
        for (std::uint32_t i = 0; i < candidates_.size(); ++i) enqueue(i);
        while (!queue_.empty() && !limits_.stop.now()) {
            const std::uint32_t number = queue_.front();
            queue_.pop_front();
            Candidate& candidate = candidates_[number];
            candidate.queued = false;
            if (!candidate.active) continue;
            ++rounds_;
            const std::uint32_t effort = std::min(limits_.conflicts, first_conflicts << (2 * candidate.tries));
            switch (ask(candidate, effort)) {
                case Answer::unsatisfiable:
                    remember_core(candidate);
                    break;
                case Answer::satisfiable:
                    drop_violated();
                    break;
                case Answer::unknown:
                    ++candidate.tries;
                    if (effort == limits_.conflicts) {
                        drop(number);
                    } else {
                        enqueue(number);  // later, with more effort: others may have gone by then
                    }
            }
        }
        // What was not shown in time goes, and whatever rests on it.
        complete_ = queue_.empty();
        while (!queue_.empty()) {
            const std::uint32_t number = queue_.front();
            queue_.pop_front();
            candidates_[number].queued = false;
            if (candidates_[number].active) drop(number);
        }
    }

    bool kept(std::size_t group) const { return candidates_[group].active; }
    std::size_t rounds() const { return rounds_; }
    bool complete() const { return complete_; }
    // What was kept holds from now on; what was not is not assumed any more.
    void settle() {
        for (const Candidate& candidate : candidates_) {
            transition_.clauses().add({candidate.active ? candidate.assumed : -candidate.assumed});
        }
    }

  private:
    struct Candidate {
        bool active = true;
        bool queued = false;
        bool at_least_one = false;
        std::uint32_t tries = 0;
        Literal assumed = 0;   // it holds in the state before
        Literal violated = 0;  // implies that it does not hold after
        std::vector<Literal> after;
        std::vector<std::uint32_t> core;  // candidates its last proof made use of
    };

    void add(const Group& group) {
        Candidate candidate;
        candidate.at_least_one = group.at_least_one;
        candidate.assumed = transition_.clauses().new_variable();
        std::vector<Literal> before;
        for (const Fluent fluent : group.fluents) {
            before.push_back(transition_.before().fluent(fluent));
            candidate.after.push_back(transition_.before().next(fluent));
        }
        transition_.clauses().at_most_one(before, candidate.assumed);
        if (group.at_least_one) {
            before.push_back(-candidate.assumed);
            transition_.clauses().add(before);
        }
        candidate.violated = transition_.clauses().not_exactly_one(candidate.after, group.at_least_one);
        candidates_.push_back(std::move(candidate));
    }

    void enqueue(std::uint32_t number) {
        if (!std::exchange(candidates_[number].queued, true)) queue_.push_back(number);
    }

    // Can a step break it, if all that are left hold before?
    Answer ask(const Candidate& candidate, std::uint32_t conflicts) {
        std::vector<Literal> assumptions;
        for (const Candidate& one : candidates_) {
            if (one.active) assumptions.push_back(one.assumed);
        }
        assumptions.push_back(candidate.violated);
        return transition_.solve(assumptions, conflicts, limits_.stop);
    }

    void remember_core(Candidate& candidate) {
        candidate.core.clear();
        for (std::uint32_t i = 0; i < candidates_.size(); ++i) {
            if (candidates_[i].active && transition_.clauses().needed(candidates_[i].assumed))
                candidate.core.push_back(i);
        }
    }

    void drop(std::uint32_t number) {
        candidates_[number].active = false;
        for (std::uint32_t i = 0; i < candidates_.size(); ++i) {
            Candidate& other = candidates_[i];
            if (!other.active || !std::ranges::binary_search(other.core, number)) continue;
            other.core.clear();
            other.tries = 0;
            enqueue(i);
        }
    }

    void drop_violated() {
        std::vector<std::uint32_t> violated;
        for (std::uint32_t i = 0; i < candidates_.size(); ++i) {
            if (!candidates_[i].active) continue;
            std::size_t holding = 0;
            for (const Literal literal : candidates_[i].after) holding += transition_.clauses().value(literal) ? 1 : 0;
            if (holding > 1 || (holding == 0 && candidates_[i].at_least_one)) violated.push_back(i);
        }
        for (const std::uint32_t number : violated) drop(number);
    }

    static constexpr std::uint32_t first_conflicts = 200;

    Transition& transition_;
    const ProofLimits& limits_;
    std::vector<Candidate> candidates_;
    std::deque<std::uint32_t> queue_;
    std::size_t rounds_ = 0;
    bool complete_ = false;
};

}  // namespace

InvariantStatistics prove_groups(Transition& transition, std::vector<Group>& groups, const ProofLimits& limits) {
    Houdini houdini(transition, groups, limits);
    houdini.run();
    houdini.settle();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (houdini.kept(i)) groups[i].verdict = Verdict::proved;
    }
    return {houdini.rounds(), houdini.complete()};
}

}  // namespace stratagem::analysis
