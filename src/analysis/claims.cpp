#include "analysis/claims.h"

#include <algorithm>

#include "util/contract.h"

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

Changes changes_of(const Samples& samples, std::size_t fluents, const machine::Stop& stop) {
    Changes changes{std::vector<bool>(fluents), std::vector<bool>(fluents)};
    for (const Sample& sample : samples.all()) {
        if (sample.previous == Sample::none) continue;
        if (stop.now()) break;
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

namespace {

// What the samples say; what they do not refute is asked about.
Persistence persistence_seen(const Samples& samples, std::size_t fluents, const machine::Stop& stop) {
    const Changes seen = changes_of(samples, fluents, stop);
    Persistence result{std::vector<Verdict>(fluents, Verdict::unknown),
                       std::vector<Verdict>(fluents, Verdict::unknown)};
    if (stop.now()) return result;  // not all steps were looked at
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
    return result;
}

// Asks near to each fluent first, then in the whole step. There a model shows of many fluents at once that no proof
// will be found, and a number of questions in proportion to what one costs is enough.
class PersistenceProver {
  public:
    PersistenceProver(Transition& transition, std::span<const Group> groups, Persistence& result,
                      const ProofLimits& limits)
        : transition_(transition),
          result_(result),
          limits_(limits),
          groups_(groups, transition.program().fluents.size()) {}

    bool run() {
        const auto fluents = static_cast<std::uint32_t>(transition_.program().fluents.size());
        for (std::uint32_t i = 0; i < fluents; ++i) {
            if (limits_.over()) return false;
            ask_near(Fluent{i});
        }
        std::size_t left = most_questions / std::max<std::size_t>(1, transition_.clauses().size());
        for (std::size_t i = 0; i < open_.size() && left > 0; ++i) {
            if (limits_.over()) return false;
            if (!open_[i].hopeless) --left;
            ask(i);
        }
        return true;
    }

  private:
    static constexpr std::size_t near_rules = 200;
    static constexpr std::uint32_t near_conflicts = 200;
    static constexpr std::size_t most_questions = 60'000'000;  // times clauses, in the whole step

    // What is not shown near by: the literals say that a step contradicts it.
    struct Open {
        Verdict* verdict;
        Literal before, after;
        bool hopeless = false;
    };

    void ask_near(Fluent fluent) {
        const std::uint32_t i = ground::index(fluent);
        if (result_.stays[i] == Verdict::refuted && result_.gone[i] == Verdict::refuted) return;
        LocalStep step(transition_.index(), std::span(&fluent, 1), near_rules);
        step.clauses().draw_on(limits_.allowance);
        groups_.assert_in(step);
        const Literal here = transition_.before().fluent(fluent);
        const Literal next = transition_.before().next(fluent);
        const auto ask = [&](Verdict& verdict, int sign) {
            if (verdict == Verdict::refuted) return;
            const Literal before = step.before(fluent) * sign;
            const Literal after = -step.after(fluent) * sign;
            if (step.clauses().solve({before, after}, near_conflicts, limits_.stop) == Answer::unsatisfiable) {
                verdict = Verdict::proved;
            } else {
                open_.push_back({&verdict, here * sign, -next * sign});
            }
        };
        ask(result_.stays[i], 1);
        ask(result_.gone[i], -1);
    }

    void ask(std::size_t number) {
        Open& open = open_[number];
        if (open.hopeless) return;
        const std::uint32_t conflicts = affordable_conflicts(transition_.clauses(), limits_.conflicts);
        const Answer answer = transition_.solve({open.before, open.after}, conflicts, limits_.stop);
        if (answer == Answer::unsatisfiable) *open.verdict = Verdict::proved;
        if (answer != Answer::satisfiable) return;
        for (std::size_t i = number; i < open_.size(); ++i) {
            const auto holds = [&](Literal literal) { return transition_.clauses().value(literal); };
            if (holds(open_[i].before) && holds(open_[i].after)) open_[i].hopeless = true;
        }
    }

    Transition& transition_;
    Persistence& result_;
    const ProofLimits& limits_;
    ProvedGroups groups_;
    std::vector<Open> open_;
};

}  // namespace

Persistence prove_persistence(Transition& transition, const Samples& samples, std::span<const Group> groups,
                              const ProofLimits& limits) {
    Persistence result = persistence_seen(samples, transition.program().fluents.size(),
                                          limits.stop.at_least(std::chrono::milliseconds(50)));
    result.complete = PersistenceProver(transition, groups, result, limits).run();
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
            const std::uint32_t conflicts = affordable_conflicts(transition.clauses(), limits.conflicts);
            const Answer answer = transition.solve({choice[a], choice[b]}, conflicts, limits.stop);
            if (answer != Answer::unsatisfiable) return verdict_of(answer);
        }
    }
    return Verdict::proved;
}

std::optional<int> sum_of(std::span<const std::optional<int>> goals, std::span<const Role> roles) {
    int sum = 0;
    for (const Role role : roles) {
        const std::optional<int>& goal = goals[ground::index(role)];
        if (!goal) return {};
        sum += *goal;
    }
    return sum;
}

GoalSum refuted_by(const State& end, std::span<const std::optional<int>> goals, std::span<const Role> roles) {
    GoalSum result{Verdict::refuted, {}, end, 0};
    for (const Role role : roles) result.witness_sum += goals[ground::index(role)].value_or(0);
    return result;
}

namespace {

// The ends seen: no sum where one contradicts.
GoalSum sum_seen(const Samples& samples, std::span<const Role> roles) {
    GoalSum result;
    for (const Sample& sample : samples.all()) {
        if (!sample.terminal) continue;
        const std::optional<int> here = sum_of(sample.goals, roles);
        if (!here || (result.sum && *result.sum != *here)) return refuted_by(sample.state, sample.goals, roles);
        result = {Verdict::observed, here, {}, 0};
    }
    return result;
}

}  // namespace

// The state after a step is terminal, and the goals do not fit. That the state before was not terminal is what makes
// proofs possible: who had not won before the step can have won only by it.
GoalSum prove_constant_sum(Transition& transition, const Samples& samples, std::span<const Role> roles,
                           const ProofLimits& limits) {
    STRATAGEM_EXPECTS(!roles.empty());
    GoalSum result = sum_seen(samples, roles);
    if (!result.sum || limits.over()) return result;
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
    // The only question of its kind, and worth the time of ten.
    const std::uint32_t conflicts =
        std::min(limits.conflicts, 10 * affordable_conflicts(transition.clauses(), limits.conflicts));
    result.constant = verdict_of(transition.solve({question, after.terminal()}, conflicts, limits.stop));
    return result;
}

}  // namespace stratagem::analysis
