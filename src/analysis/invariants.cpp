#include "analysis/invariants.h"

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>
#include <utility>

namespace stratagem::analysis {

namespace {

// Each is asked about near to it first (local_step.h), where questions are small; what is not shown there, in the whole
// step.
class Houdini {
  public:
    Houdini(Transition& transition, std::span<const Group> groups, const ProofLimits& limits)
        : transition_(transition), limits_(limits), groups_(groups), groups_of_(transition.program().fluents.size()) {
        for (std::uint32_t i = 0; i < groups.size() && !limits.stop.now(); ++i) {
            candidates_.push_back(make(groups[i], groups[i].at_least_one));
            for (const Fluent fluent : groups[i].fluents) groups_of_[ground::index(fluent)].push_back(i);
        }
        effort_left_ = most_efforts * static_cast<std::size_t>(most_conflicts());
    }

    void run() {
        // Small ones first: they are shown more easily, and say more of what is around.
        std::vector<std::uint32_t> order(candidates_.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return groups_[i].fluents.size(); });
        for (const std::uint32_t number : order) enqueue(number);
        while (!queue_.empty() && !limits_.over()) {
            const std::uint32_t number = queue_.front();
            queue_.pop_front();
            Candidate& candidate = candidates_[number];
            candidate.queued = false;
            if (!candidate.active) continue;
            ++rounds_;
            if (!candidate.shown && candidate.level > 0 && candidate.level < everything && useless(candidate)) {
                candidate.level = everything;
            }
            if (candidate.level < everything) {
                ask_near(number);
            } else {
                ask_all(number);
            }
        }
        // What was not shown in time goes, and whatever rests on it.
        complete_ = queue_.empty() && candidates_.size() == groups_.size();
        while (!queue_.empty()) {
            const std::uint32_t number = queue_.front();
            queue_.pop_front();
            candidates_[number].queued = false;
            if (candidates_[number].active) remove(number);
        }
    }

    bool kept(std::size_t group) const { return group < candidates_.size() && candidates_[group].active; }
    bool weakened(std::size_t group) const { return groups_[group].at_least_one && !candidates_[group].at_least_one; }
    std::size_t rounds() const { return rounds_; }
    bool complete() const { return complete_; }
    // What was kept holds from now on; what was not is not assumed any more.
    void settle() {
        for (const Candidate& candidate : candidates_) {
            transition_.clauses().add({candidate.active ? candidate.assumed : -candidate.assumed});
        }
    }

  private:
    // Rules and conflicts of questions near to a group.
    struct Nearness {
        std::size_t rules;
        std::uint32_t conflicts;
    };
    struct Record {
        std::size_t failures = 0, successes = 0;
    };
    static constexpr Nearness near[] = {{1000, 500}, {15'000, 2000}};
    static constexpr std::uint32_t everything = std::size(near);  // the level of the whole step
    static constexpr std::size_t most_failures = 15;

    struct Candidate {
        bool active = true;
        bool queued = false;
        bool at_least_one = false;
        bool shown = false;       // on this level, with candidates that may have gone since
        std::uint32_t level = 0;  // of nearness that is asked next; behind the last one: the whole step
        std::uint32_t tries = 0;
        Literal assumed = 0;   // it holds in the state before
        Literal violated = 0;  // implies that it does not hold after
        std::vector<Literal> after;
        std::vector<std::uint32_t> core;  // candidates its last proof made use of, ascending
    };

    Candidate make(const Group& group, bool at_least_one) {
        Candidate candidate;
        candidate.at_least_one = at_least_one;
        candidate.assumed = transition_.clauses().new_variable();
        std::vector<Literal> before;
        for (const Fluent fluent : group.fluents) {
            before.push_back(transition_.before().fluent(fluent));
            candidate.after.push_back(transition_.before().next(fluent));
        }
        transition_.clauses().at_most_one(before, candidate.assumed);
        if (at_least_one) {
            before.push_back(-candidate.assumed);
            transition_.clauses().add(before);
        }
        candidate.violated = transition_.clauses().not_exactly_one(candidate.after, at_least_one);
        return candidate;
    }

    void enqueue(std::uint32_t number) {
        if (!std::exchange(candidates_[number].queued, true)) queue_.push_back(number);
    }

    // A nearness at which hardly anything is shown costs time for nothing.
    bool useless(const Candidate& candidate) const {
        const Record& record = records_[candidate.level][candidate.at_least_one ? 1 : 0];
        return record.failures > most_failures && record.failures > most_failures * record.successes;
    }

    void ask_near(std::uint32_t number) {
        Candidate& candidate = candidates_[number];
        const Nearness& nearness = near[candidate.level];
        LocalStep step(transition_.index(), groups_[number].fluents, nearness.rules);
        step.clauses().draw_on(limits_.allowance);
        std::vector<std::pair<std::uint32_t, Literal>> assumed = assume_near(step);
        std::vector<Literal> after;
        for (const Fluent fluent : groups_[number].fluents) after.push_back(step.after(fluent));
        std::vector<Literal> assumptions{step.clauses().not_exactly_one(after, candidate.at_least_one)};
        for (const auto& [other, literal] : assumed) assumptions.push_back(literal);
        const Answer answer = step.clauses().solve(assumptions, nearness.conflicts, limits_.stop);
        if (answer != Answer::unsatisfiable) {
            ++records_[candidate.level][candidate.at_least_one ? 1 : 0].failures;
            candidate.shown = false;
            const bool pointless = answer == Answer::satisfiable && step.whole();
            candidate.level = pointless ? everything : candidate.level + 1;
            enqueue(number);
            return;
        }
        ++records_[candidate.level][candidate.at_least_one ? 1 : 0].successes;
        candidate.shown = true;
        candidate.core.clear();
        for (const auto& [other, literal] : assumed) {
            if (step.clauses().needed(literal)) candidate.core.push_back(other);
        }
    }

    // Groups that say something about fluents of the step, ascending.
    std::vector<std::pair<std::uint32_t, Literal>> assume_near(LocalStep& step) const {
        std::vector<std::uint32_t> numbers;
        for (const Fluent fluent : step.fluents()) {
            for (const std::uint32_t one : groups_of_[ground::index(fluent)]) numbers.push_back(one);
        }
        std::ranges::sort(numbers);
        std::vector<std::pair<std::uint32_t, Literal>> result;
        std::vector<Literal> literals;
        for (std::size_t i = 0; i < numbers.size();) {
            const std::uint32_t number = numbers[i];
            std::size_t count = 0;
            for (; i < numbers.size() && numbers[i] == number; ++i) ++count;
            const Group& group = groups_[number];
            const bool some = count == group.fluents.size() && candidates_[number].at_least_one;
            if (!candidates_[number].active || (count < 2 && !some)) continue;
            literals.clear();
            for (const Fluent fluent : group.fluents) {
                if (const Literal literal = step.before(fluent); literal != 0) literals.push_back(literal);
            }
            const Literal assumed = step.clauses().new_variable();
            step.clauses().at_most_one(literals, assumed);
            if (some) {
                literals.push_back(-assumed);
                step.clauses().add(literals);
            }
            result.emplace_back(number, assumed);
        }
        return result;
    }

    // Can a step break it, if all that are left hold before?
    void ask_all(std::uint32_t number) {
        Candidate& candidate = candidates_[number];
        if (effort_left_ == 0) return drop(number);
        effort_left_ -= std::min<std::size_t>(effort_left_, effort_of_question);
        const std::uint32_t most = most_conflicts();
        const std::uint32_t effort = std::min(most, first_conflicts << (2 * candidate.tries));
        std::vector<Literal> assumptions;
        for (const Candidate& one : candidates_) {
            if (one.active) assumptions.push_back(one.assumed);
        }
        assumptions.push_back(candidate.violated);
        switch (transition_.solve(assumptions, effort, limits_.stop)) {
            case Answer::unsatisfiable:
                remember_core(candidate);
                break;
            case Answer::satisfiable:
                drop_violated();
                break;
            case Answer::unknown:
                effort_left_ -= std::min<std::size_t>(effort_left_, effort);
                ++candidate.tries;
                if (effort == most) {
                    drop(number);
                } else {
                    enqueue(number);  // later, with more effort: others may have gone by then
                }
        }
    }

    std::uint32_t most_conflicts() const { return affordable_conflicts(transition_.clauses(), limits_.conflicts); }

    void remember_core(Candidate& candidate) {
        candidate.core.clear();
        for (std::uint32_t i = 0; i < candidates_.size(); ++i) {
            if (candidates_[i].active && transition_.clauses().needed(candidates_[i].assumed))
                candidate.core.push_back(i);
        }
    }

    // That there is always one of them, or else everything that is claimed.
    void drop(std::uint32_t number) {
        if (candidates_[number].at_least_one) {
            weaken(number);
        } else {
            remove(number);
        }
    }

    void remove(std::uint32_t number) {
        candidates_[number].active = false;
        ask_again(number);
    }

    void weaken(std::uint32_t number) {
        transition_.clauses().add({-candidates_[number].assumed});
        Candidate weaker = make(groups_[number], false);
        weaker.queued = candidates_[number].queued;
        candidates_[number] = std::move(weaker);
        enqueue(number);
        ask_again(number);
    }

    // Whatever made use of it.
    void ask_again(std::uint32_t number) {
        for (std::uint32_t i = 0; i < candidates_.size(); ++i) {
            Candidate& other = candidates_[i];
            if (!other.active || !std::ranges::binary_search(other.core, number)) continue;
            other.core.clear();
            other.tries = 0;
            enqueue(i);
        }
    }

    void drop_violated() {
        std::vector<std::uint32_t> none, several;  // first all, as the model is gone when a clause is added
        for (std::uint32_t i = 0; i < candidates_.size(); ++i) {
            if (!candidates_[i].active) continue;
            std::size_t holding = 0;
            for (const Literal literal : candidates_[i].after) holding += transition_.clauses().value(literal) ? 1 : 0;
            if (holding > 1) several.push_back(i);
            if (holding == 0 && candidates_[i].at_least_one) none.push_back(i);
        }
        for (const std::uint32_t number : several) remove(number);
        for (const std::uint32_t number : none) weaken(number);
    }

    static constexpr std::uint32_t first_conflicts = 200;
    static constexpr std::uint32_t effort_of_question = 25;  // as many conflicts take as long as a question without
    static constexpr std::size_t most_efforts = 4;           // questions that may use up all conflicts they are given

    Transition& transition_;
    const ProofLimits& limits_;
    std::span<const Group> groups_;
    std::vector<std::vector<std::uint32_t>> groups_of_;  // by fluent
    std::vector<Candidate> candidates_;
    std::deque<std::uint32_t> queue_;
    std::size_t effort_left_ = 0;                              // for questions about the whole step, in conflicts
    std::array<std::array<Record, 2>, everything> records_{};  // by nearness and whether there is always one
    std::size_t rounds_ = 0;
    bool complete_ = false;
};

}  // namespace

std::uint32_t affordable_conflicts(const Clauses& clauses, std::uint32_t most) {
    constexpr std::size_t conflicts_times_clauses = 300'000'000;
    constexpr std::size_t fewest = 100;
    const std::size_t affordable = conflicts_times_clauses / std::max<std::size_t>(1, clauses.size());
    return static_cast<std::uint32_t>(std::clamp<std::size_t>(affordable, std::min<std::size_t>(fewest, most), most));
}

InvariantStatistics prove_groups(Transition& transition, std::vector<Group>& groups, const ProofLimits& limits) {
    Houdini houdini(transition, groups, limits);
    houdini.run();
    houdini.settle();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (!houdini.kept(i)) continue;
        groups[i].verdict = Verdict::proved;
        if (houdini.weakened(i)) groups[i].at_least_one = false;
    }
    return {houdini.rounds(), houdini.complete()};
}

ProvedGroups::ProvedGroups(std::span<const Group> groups, std::size_t fluents) : groups_of_(fluents) {
    for (const Group& group : groups) {
        if (group.verdict != Verdict::proved) continue;
        for (const Fluent fluent : group.fluents) groups_of_[ground::index(fluent)].push_back(&group);
    }
}

void ProvedGroups::assert_in(LocalStep& step) const {
    std::vector<const Group*> groups;
    for (const Fluent one : step.fluents()) {
        const auto& of_one = groups_of_[ground::index(one)];
        groups.insert(groups.end(), of_one.begin(), of_one.end());
    }
    std::ranges::sort(groups);  // by place in the caller's list
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    std::vector<Literal> literals;
    for (const Group* group : groups) {
        literals.clear();
        for (const Fluent fluent : group->fluents) {
            if (const Literal literal = step.before(fluent); literal != 0) literals.push_back(literal);
        }
        if (literals.size() > 1) step.clauses().at_most_one(literals);
        if (group->at_least_one && literals.size() == group->fluents.size()) step.clauses().add(literals);
    }
}

}  // namespace stratagem::analysis
