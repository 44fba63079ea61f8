#include "analysis/analysis.h"

#include <algorithm>
#include <chrono>

#include "analysis/derived_groups.h"
#include "analysis/growth.h"
#include "machine/circuit/circuit.h"
#include "machine/playout.h"

namespace stratagem::analysis {

namespace {

constexpr double seconds_of_rule = 1.5e-6;  // as clauses
constexpr std::size_t most_proved_rules =
    1'000'000;  // as clauses, where there is no clock: of more, nothing is proved soon

// A share of the time that is left.
machine::Stop part(const machine::Stop& stop, double share) {
    if (stop.deadline.is_never()) return stop;
    const auto left = std::chrono::duration<double>(stop.deadline.remaining());
    return {Deadline::earlier(stop.deadline, Deadline::after(left * share)), stop.flag};
}

class Analyst {
  public:
    Analyst(const machine::Game& game, const AnalysisOptions& options) : game_(game), options_(options) {}

    Analysis run() {
        result_.program = game_.program();
        stage("samples", [&] { take_samples(); });
        stage("orders", [&] { result_.orders = find_orders(program(), part(options_.stop, 0.2)); });
        stage("groups", [&] {
            result_.families = make_families(program());
            result_.groups = find_groups(program(), result_.families, *samples_, part(options_.stop, 0.2));
        });
        stage("fluent graph", [&] {
            const machine::Stop stop = part(options_.stop, 0.25);
            result_.rules = std::make_unique<RuleIndex>(program());
            result_.argument_orders =
                find_argument_orders(program(), result_.families, result_.orders, *samples_, stop);
            const FluentKinds kinds(program(), result_.families, result_.argument_orders, *samples_, stop);
            result_.graph = std::make_unique<FluentGraph>(*result_.rules, kinds, stop);
            return result_.graph->complete() == program().fluents.size();
        });
        stage("parts", [&] {
            result_.subgames = find_subgames(*result_.rules, part(options_.stop, 0.2));
            return result_.subgames.complete;
        });
        stage("symmetries", [&] {
            // What is not found soon is hardly ever found at all, and proofs need the time. Without a clock the search
            // counts its steps.
            machine::Stop soon = part(options_.stop, 0.15);
            if (!soon.deadline.is_never()) {
                soon.deadline = Deadline::earlier(soon.deadline, Deadline::after(std::chrono::milliseconds(1500)));
            }
            result_.symmetries = find_symmetries(*result_.rules, false, soon);
            return result_.symmetries.complete;
        });
        prove();
        stage("structures", [&] {
            // They take next to nothing in most games and are what others build on: worth a moment also when time is
            // up.
            result_.structures = find_structures(*result_.rules, result_.families, *samples_, result_.groups,
                                                 result_.orders, result_.argument_orders, *result_.graph,
                                                 options_.stop.at_least(std::chrono::milliseconds(50)));
        });
        return std::move(result_);
    }

  private:
    // Work that returns nothing is complete unless time is up.
    template <typename Work>
    void stage(const char* name, Work&& work) {
        const auto start = Deadline::Clock::now();
        bool complete = true;
        if constexpr (std::is_same_v<decltype(work()), bool>) {
            complete = work();
        } else {
            work();
            complete = !options_.stop.now();
        }
        const std::chrono::duration<double> seconds = Deadline::Clock::now() - start;
        result_.stages.push_back({name, seconds.count(), complete});
    }

    const ground::Program& program() const { return *result_.program; }

    void take_samples() {
        SampleLimits limits;
        limits.stop = part(options_.stop, 0.15);
        limits.states = options_.sample_states;
        limits.seed = options_.seed;
        samples_.emplace(game_, program().fluents.size(), limits);
        result_.sampled_states = samples_->size();
        result_.sampled_games = samples_->games();
        const auto machine = game_.make();
        for (std::uint32_t role = 0; role < program().roles.size(); ++role) {
            result_.is_chance.push_back(machine->role_name(Role{role}) == "random");
            if (!result_.is_chance.back()) players_.push_back(Role{role});
        }
        summarise();
    }

    void summarise() {
        const std::size_t roles = program().roles.size();
        std::vector<std::size_t> depth(samples_->size(), 0);
        std::vector<bool> same(roles * roles, true);
        std::size_t ends = 0, ended_steps = 0, choices = 0, moves = 0;
        for (std::size_t i = 0; i < samples_->size(); ++i) {
            const Sample& sample = samples_->all()[i];
            if (sample.previous != Sample::none) depth[i] = depth[sample.previous] + 1;
            for (const std::uint32_t count : sample.legal) {
                if (count < 2) continue;
                ++choices;
                moves += count;
            }
            if (!sample.terminal) continue;
            ++ends;
            ended_steps += depth[i];
            result_.longest = std::max(result_.longest, depth[i]);
            for (std::size_t a = 0; a < roles; ++a) {
                for (std::size_t b = 0; b < roles; ++b) {
                    if (sample.goals[a] != sample.goals[b]) same[a * roles + b] = false;
                }
            }
        }
        if (choices > 0) result_.branching = static_cast<double>(moves) / static_cast<double>(choices);
        if (ends > 0) result_.length = static_cast<double>(ended_steps) / static_cast<double>(ends);
        for (std::uint32_t a = 0; a < roles; ++a) {
            std::uint32_t team = a;
            for (std::uint32_t b = 0; b < a && ends > 0; ++b) {
                if (same[a * roles + b]) {
                    team = result_.team[b];
                    break;
                }
            }
            result_.team.push_back(team);
        }
    }

    void prove() {
        std::optional<Transition> transition;
        stage("clauses", [&] {
            // Cannot be interrupted: not begun unless there is time for it, by a careful estimate.
            const std::chrono::duration<double> cost(static_cast<double>(program().rule_count()) * seconds_of_rule);
            const bool time = options_.stop.deadline.is_never() ? program().rule_count() < most_proved_rules
                                                                : cost < options_.stop.deadline.remaining();
            if (time && !options_.stop.now()) transition.emplace(program());
            return transition.has_value();
        });
        const auto unproved = [&] {
            const std::size_t fluents = program().fluents.size();
            result_.persistence.stays.assign(fluents, Verdict::unknown);
            result_.persistence.gone.assign(fluents, Verdict::unknown);
        };
        if (!transition) return unproved();
        ProofLimits limits;
        std::optional<Allowance> allowance;
        const auto allow = [&](std::size_t millions) {
            allowance.emplace(millions * 1'000'000);
            limits.allowance = options_.stop.deadline.is_never() ? &*allowance : nullptr;
            transition->clauses().draw_on(limits.allowance);
        };
        stage("invariants", [&] {
            limits.stop = part(options_.stop, 0.65);
            allow(30);
            return prove_groups(*transition, result_.groups, limits).complete;
        });
        stage("turn-taking", [&] {
            limits.stop = part(options_.stop, 0.3);
            allow(6);
            result_.turn_taking = prove_turn_taking(*transition, *samples_, limits);
            if (result_.turn_taking != Verdict::refuted) return;
            const auto several = [](const Sample& sample) {
                return std::ranges::count_if(sample.legal, [](std::uint32_t moves) { return moves > 1; }) > 1;
            };
            result_.several_choose = std::ranges::find_if(samples_->all(), several)->state;
        });
        stage("persistence", [&] {
            limits.stop = part(options_.stop, 0.65);
            limits.conflicts = 2000;
            allow(12);
            result_.persistence = prove_persistence(*transition, *samples_, result_.groups, limits);
            return result_.persistence.complete;
        });
        stage("goal sum", [&] {
            if (players_.empty()) return;
            limits.stop = part(options_.stop, 0.4);
            limits.conflicts = 20'000;
            allow(8);
            prove_derived_groups(*transition, *samples_, result_.groups, limits);
            limits.stop = part(options_.stop, 0.3);
            allow(5);
            prove_no_growth(*transition, result_.families, result_.groups, limits);
            limits.stop = part(options_.stop, 0.7);
            allow(12);
            result_.goal_sum = prove_constant_sum(*transition, *samples_, players_, limits);
            doubt_sum();
        });
    }

    // A sum that is only observed is looked for in many more games: other ends may be rare, such as draws.
    void doubt_sum() {
        // Without a clock fewer where steps take long.
        constexpr std::size_t steps_times_rules = 4'000'000'000;
        std::size_t most_steps = 100'000;
        if (options_.stop.deadline.is_never()) {
            most_steps = std::min(most_steps, steps_times_rules / std::max<std::size_t>(1, program().rule_count()));
        }
        GoalSum& sum = result_.goal_sum;
        machine::PlayoutOptions playing;
        playing.stop = part(options_.stop, 0.2);
        const auto machine = game_.make();
        machine::RandomPlay play(*machine);
        machine::Random random(options_.seed, 77);
        for (std::size_t steps = 0; sum.constant == Verdict::observed && steps < most_steps && !playing.stop.now();) {
            const machine::Playout& game = play.play(random, playing);
            steps += game.steps + 1;
            if (game.end != machine::PlayoutEnd::terminal) continue;
            if (sum_of(game.goals, players_) != sum.sum) sum = {Verdict::refuted, {}, game.last};
        }
    }

    const machine::Game& game_;
    const AnalysisOptions& options_;
    std::optional<Samples> samples_;
    std::vector<Role> players_;
    Analysis result_;
};

}  // namespace

std::optional<Analysis> analyze(const machine::Game& game, const AnalysisOptions& options) {
    if (!game.program()) return {};
    return Analyst(game, options).run();
}

std::shared_ptr<const RuleIndex> shared_rules(const std::shared_ptr<const Analysis>& analysis,
                                              const std::shared_ptr<const ground::Program>& program) {
    if (analysis != nullptr && analysis->rules != nullptr && analysis->program == program) {
        return {analysis, analysis->rules.get()};
    }
    return std::make_shared<const RuleIndex>(*program);
}

}  // namespace stratagem::analysis
