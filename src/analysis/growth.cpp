#include "analysis/growth.h"

#include <algorithm>

namespace stratagem::analysis {

namespace {

constexpr std::size_t largest_group = 4;
constexpr std::size_t most_rounds = 1000;

class Growth {
  public:
    Growth(Transition& transition, const std::vector<Atom>& circle, const ProofLimits& limits)
        : transition_(transition), clauses_(transition.clauses()), limits_(limits) {
        for (const Atom atom : circle) {
            candidates_.push_back({atom,
                                   transition.before().literal(atom),
                                   transition.after().literal(atom),
                                   clauses_.new_variable(),
                                   0,
                                   true,
                                   {}});
            place_[ground::index(atom)] = candidates_.size() - 1;
        }
        for (Candidate& candidate : candidates_) add_rules(candidate);
    }

    // The atoms that cannot grow where the condition holds.
    std::size_t under(Literal condition) {
        for (Candidate& candidate : candidates_) candidate.active = true;
        for (std::size_t round = 0; round < most_rounds; ++round) {
            const Answer answer = ask(condition);
            if (answer == Answer::unknown) return 0;
            if (answer == Answer::unsatisfiable) return settle(condition);
            drop_violated();
        }
        return 0;
    }

  private:
    struct Candidate {
        Atom atom{};
        Literal before = 0;
        Literal after = 0;
        Literal assumed = 0;  // it did not grow: may be used for other rules
        Literal gained = 0;   // implies that a rule gives it although it did not hold before
        bool active = true;
        std::vector<Literal> ways;  // by rule: it holds after, and what it rests on did not grow
    };

    void add_rules(Candidate& candidate) {
        const ground::Program& program = transition_.program();
        candidate.gained = clauses_.new_variable();
        clauses_.add({-candidate.gained, -candidate.before});
        std::vector<Literal> some{-candidate.gained};
        for (const std::uint32_t rule : transition_.index().rules(candidate.atom)) {
            const Literal way = clauses_.new_variable();
            for (const ground::Condition condition : program.body(rule)) {
                const Literal literal = transition_.after().literal(condition.atom());
                clauses_.add({-way, condition.positive() ? literal : -literal});
                const auto other = place_.find(ground::index(condition.atom()));
                if (!condition.positive() || other == place_.end()) continue;
                const Candidate& resting = candidates_[other->second];
                clauses_.add({-way, -resting.assumed, resting.before});
            }
            some.push_back(way);
            candidate.ways.push_back(way);
        }
        clauses_.add(some);
    }

    Answer ask(Literal condition) {
        std::vector<Literal> assumptions{condition};
        const Literal question = clauses_.new_variable();
        std::vector<Literal> clause{-question};
        for (const Candidate& candidate : candidates_) {
            assumptions.push_back(candidate.active ? candidate.assumed : -candidate.assumed);
            if (candidate.active) clause.push_back(candidate.gained);
        }
        if (clause.size() == 1) return Answer::unsatisfiable;
        clauses_.add(clause);
        assumptions.push_back(question);
        return clauses_.solve(assumptions, affordable_conflicts(clauses_, limits_.conflicts), limits_.stop);
    }

    // At least the one the model shows; `gained` may be set for no reason, so its conditions are looked at.
    void drop_violated() {
        for (Candidate& candidate : candidates_) {
            if (!candidate.active || clauses_.value(candidate.before)) continue;
            candidate.active = !std::ranges::any_of(candidate.ways, [&](Literal way) { return clauses_.value(way); });
        }
    }

    std::size_t settle(Literal condition) {
        std::size_t count = 0;
        for (const Candidate& candidate : candidates_) {
            if (!candidate.active) continue;
            clauses_.add({-condition, -candidate.after, candidate.before});
            ++count;
        }
        return count;
    }

    Transition& transition_;
    Clauses& clauses_;
    const ProofLimits& limits_;
    std::vector<Candidate> candidates_;
    std::unordered_map<std::uint32_t, std::size_t> place_;  // by atom
};

}  // namespace

std::size_t prove_no_growth(Transition& transition, std::span<const Family> families, std::span<const Group> groups,
                            const ProofLimits& limits) {
    std::size_t count = 0;
    for (const std::vector<Atom>& circle : transition.index().circles()) {
        if (limits.over()) return count;
        Growth growth(transition, circle, limits);
        for (const Group& group : groups) {
            // A group without inputs says something of the whole state.
            const bool of_all =
                group.family == Group::mixed || group.fluents.size() == families[group.family].members.size();
            const bool sure = group.verdict == Verdict::proved && group.at_least_one;
            if (!of_all || !sure || group.fluents.size() > largest_group) continue;
            for (const Fluent fluent : group.fluents) {
                if (limits.over()) return count;
                count += growth.under(transition.before().fluent(fluent));
            }
        }
    }
    return count;
}

}  // namespace stratagem::analysis
