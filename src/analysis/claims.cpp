#include "analysis/claims.h"

#include <algorithm>

namespace stratagem::analysis {

namespace {

constexpr std::size_t most_combinations = 20'000;  // of goal values

Verdict verdict_of(Answer answer) {
    // A model need not be a reachable state, so it refutes nothing.
    return answer == Answer::unsatisfiable ? Verdict::proved : Verdict::observed;
}

// Steps seen in play: a fluent that went, one that came.
struct Changes {
    std::vector<bool> went, came;
};

Changes changes_of(const Samples& samples, std::size_t fluents) {
    Changes changes{std::vector<bool>(fluents), std::vector<bool>(fluents)};
    for (const Sample& sample : samples.all()) {
        if (sample.previous == Sample::none) continue;
        const State& before = samples.all()[sample.previous].state;
        before.for_each([&](Fluent fluent) {
            if (!sample.state.holds(fluent)) changes.went[ground::index(fluent)] = true;
        });
        sample.state.for_each([&](Fluent fluent) {
            if (!before.holds(fluent)) changes.came[ground::index(fluent)] = true;
        });
    }
    return changes;
}

}  // namespace

Persistence prove_persistence(Transition& transition, const Samples& samples, const ProofLimits& limits) {
    const std::size_t fluents = transition.program().fluents.size();
    const Changes seen = changes_of(samples, fluents);
    Persistence result{std::vector<Verdict>(fluents, Verdict::unknown),
                       std::vector<Verdict>(fluents, Verdict::unknown)};
    for (std::uint32_t i = 0; i < fluents; ++i) {
        const bool held = !samples.holding(Fluent{i}).empty();
        if (seen.went[i]) {
            result.stays[i] = Verdict::refuted;
        } else if (held) {
            result.stays[i] = Verdict::observed;
        }
        if (seen.came[i]) {
            result.gone[i] = Verdict::refuted;
        } else if (samples.holding(Fluent{i}) != samples.everywhere()) {
            result.gone[i] = Verdict::observed;
        }
    }
    for (std::uint32_t i = 0; i < fluents && !limits.stop.now(); ++i) {
        const Literal before = transition.before().fluent(Fluent{i});
        const Literal after = transition.before().next(Fluent{i});
        const auto ask = [&](Verdict& verdict, Literal a, Literal b) {
            if (verdict == Verdict::refuted) return;
            if (transition.solve({a, b}, limits.conflicts, limits.stop) == Answer::unsatisfiable) {
                verdict = Verdict::proved;
            }
        };
        ask(result.stays[i], before, -after);
        ask(result.gone[i], -before, after);
    }
    return result;
}

Verdict prove_turn_taking(Transition& transition, const Samples& samples, const ProofLimits& limits) {
    for (const Sample& sample : samples.all()) {
        if (std::ranges::count_if(sample.legal, [](std::uint32_t moves) { return moves > 1; }) > 1) {
            return Verdict::refuted;
        }
    }
    const std::size_t roles = transition.program().roles.size();
    std::vector<Literal> choice;
    for (std::uint32_t role = 0; role < roles; ++role) choice.push_back(transition.has_choice(Role{role}));
    for (std::size_t a = 0; a < roles; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            const Answer answer = transition.solve({choice[a], choice[b]}, limits.conflicts, limits.stop);
            if (answer != Answer::unsatisfiable) return verdict_of(answer);
        }
    }
    return Verdict::proved;
}

namespace {

// The ends seen: nothing where one contradicts.
std::optional<int> sum_seen(const Samples& samples, std::span<const Role> roles, bool& contradicted) {
    std::optional<int> sum;
    for (const Sample& sample : samples.all()) {
        if (!sample.terminal) continue;
        int here = 0;
        for (const Role role : roles) {
            const std::optional<int>& goal = sample.goals[ground::index(role)];
            contradicted = contradicted || !goal;
            here += goal.value_or(0);
        }
        contradicted = contradicted || (sum && *sum != here);
        sum = here;
    }
    return contradicted ? std::nullopt : sum;
}

}  // namespace

// The state after a step is terminal, and the goals do not fit. That the state before was not terminal is what makes
// proofs possible: who had not won before the step can have won only by it.
GoalSum prove_constant_sum(Transition& transition, const Samples& samples, std::span<const Role> roles,
                           const ProofLimits& limits) {
    GoalSum result;
    bool contradicted = false;
    result.sum = sum_seen(samples, roles, contradicted);
    if (contradicted) result.constant = Verdict::refuted;
    if (!result.sum) return result;
    result.constant = Verdict::observed;

    const ground::Program& program = transition.program();
    Frame& after = transition.after();
    std::vector<std::vector<std::pair<int, Literal>>> values(roles.size());
    std::vector<Literal> wrong;
    std::size_t combinations = 1;
    for (std::size_t i = 0; i < roles.size(); ++i) {
        std::vector<Literal> literals;
        for (const ground::GoalEntry& goal : program.goals) {
            if (goal.role != roles[i]) continue;
            values[i].emplace_back(goal.value, after.literal(goal.atom));
            literals.push_back(values[i].back().second);
        }
        wrong.push_back(transition.clauses().not_exactly_one(literals, true));
        combinations *= std::max<std::size_t>(1, values[i].size());
        if (combinations > most_combinations) return result;
    }
    for (std::size_t number = 0; number < combinations; ++number) {
        std::size_t rest = number;
        int sum = 0;
        std::vector<Literal> together;
        for (std::size_t i = 0; i < roles.size(); ++i) {
            const auto& [value, literal] = values[i][rest % values[i].size()];
            rest /= values[i].size();
            sum += value;
            together.push_back(literal);
        }
        if (sum == *result.sum) continue;
        const Literal holds = transition.clauses().new_variable();
        for (const Literal literal : together) transition.clauses().add({-holds, literal});
        wrong.push_back(holds);
    }
    const Literal question = transition.clauses().new_variable();
    wrong.push_back(-question);
    transition.clauses().add(wrong);
    result.constant = verdict_of(transition.solve({question, after.terminal()}, limits.conflicts, limits.stop));
    return result;
}

}  // namespace stratagem::analysis
