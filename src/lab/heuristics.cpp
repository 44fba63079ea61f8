#include "lab/heuristics.h"

#include <algorithm>
#include <tuple>

#include "analysis/analysis.h"
#include "evaluate/single/single.h"
#include "machine/random.h"
#include "search/portfolio/inner.h"
#include "search/portfolio/tie_breaker.h"

namespace stratagem::lab {

namespace {

using evaluate::single::Candidate;
using evaluate::single::FeatureSet;
using machine::Move;
using machine::Role;
using machine::State;

class TrialTable {
  public:
    TrialTable(const std::shared_ptr<const machine::Game>& game, const HeuristicTrials& trials)
        : game_(game), machine_(game->make()), trials_(trials) {
        problem_.game = game;
        problem_.analysis = analysis::shared_analysis(game, {.seed = trials.seed, .repeatable = true});
        problem_.facts = problem_.analysis->kind({Deadline::never(), trials.abort});
        problem_.evaluator = std::make_shared<evaluate::ConstantEvaluator>();
        inner_ = search::inner_search(problem_);
    }

    bool interrupted() const { return trials_.abort != nullptr && trials_.abort->load(); }
    const machine::Machine& machine() const { return *machine_; }
    bool is_chance(Role role) const { return problem_.facts.is_chance[ground::index(role)]; }

    // `heuristic` null: blind too.
    HeuristicTrial run(Role ours, const std::shared_ptr<const evaluate::Evaluator>& heuristic) {
        HeuristicTrial trial;
        trial.role = machine_->role_name(ours);
        for (std::size_t match = 0; match < trials_.matches && !interrupted(); ++match) {
            const std::optional<int> points = play(ours, heuristic, match);
            if (!points) {
                ++trial.left_out;
                continue;
            }
            trial.points.add(std::clamp(*points, 0, 100));
            trial.wins += *points >= problem_.facts.most_goal[ground::index(ours)] ? 1U : 0U;
        }
        return trial;
    }

  private:
    std::unique_ptr<search::Search> searcher(const std::shared_ptr<const evaluate::Evaluator>& evaluator,
                                             std::uint64_t seed) const {
        search::Problem problem = problem_;
        if (evaluator != nullptr) problem.evaluator = evaluator;
        if (evaluator != nullptr || trials_.noise) {
            problem.evaluator = std::make_shared<search::TieBreaker>(problem.evaluator, seed);
        }
        search::SearchSettings settings;
        settings.seed = seed;
        settings.table_megabytes = 2;
        return inner_.entry->make(problem, settings, OptionValues(inner_.entry->options, inner_.options));
    }

    // Nothing where the match has no end.
    std::optional<int> play(Role ours, const std::shared_ptr<const evaluate::Evaluator>& heuristic, std::size_t match) {
        machine::Random random(trials_.seed, match);
        std::vector<std::unique_ptr<search::Search>> players;
        for (std::uint32_t role = 0; role < machine_->role_count(); ++role) {
            players.push_back(is_chance(Role{role})
                                  ? nullptr
                                  : searcher(Role{role} == ours ? heuristic : nullptr, random.next() | 1U));
        }
        State state = machine_->initial(), next;
        std::vector<Move> legal, joint(players.size());
        for (std::size_t step = 0; step <= trials_.longest && !interrupted(); ++step) {
            if (machine_->terminal(state)) return machine_->goal(state, ours).value_or(0);
            for (std::uint32_t role = 0; role < joint.size(); ++role) {
                machine_->legal(state, Role{role}, legal);
                if (legal.empty()) return std::nullopt;
                joint[role] = legal[random.below(static_cast<std::uint32_t>(legal.size()))];
                if (step < trials_.opening || legal.size() == 1 || players[role] == nullptr) continue;
                search::Budget budget;
                budget.stop.flag = trials_.abort;
                budget.max_nodes = trials_.nodes;
                const search::Choice choice = players[role]->choose(state, Role{role}, budget);
                if (choice.move) joint[role] = *choice.move;
            }
            machine_->next(state, joint, next);
            std::swap(state, next);
        }
        return std::nullopt;
    }

    std::shared_ptr<const machine::Game> game_;
    std::unique_ptr<machine::Machine> machine_;
    HeuristicTrials trials_;
    search::Problem problem_;
    search::InnerSearch inner_;
};

bool wanted(const std::vector<std::string>& names, const std::string& name) {
    return names.empty() || std::ranges::find(names, name) != names.end();
}

}  // namespace

std::shared_ptr<const FeatureSet> features_of(const std::shared_ptr<const machine::Game>& game,
                                              const HeuristicTrials& trials, std::string& why) {
    evaluate::Material material = evaluate::make_material(game, trials.seconds, trials.abort, trials.seed);
    material.stop.deadline = Deadline::never();  // what is known by now is enough
    material.log = [&](const std::string& line) { why = line; };
    return evaluate::single::make_feature_set(material, trials.by_templates);
}

std::vector<HeuristicTrial> try_heuristics(const std::shared_ptr<const machine::Game>& game,
                                           const std::shared_ptr<const FeatureSet>& set, const HeuristicTrials& trials,
                                           const std::function<void(const HeuristicTrial&)>& told) {
    TrialTable table(game, trials);
    const std::size_t roles = game->roles().size();
    std::vector<HeuristicTrial> found;
    for (std::uint32_t i = 0; i < roles; ++i) {
        const Role role{i};
        if (table.is_chance(role) || !wanted(trials.roles, table.machine().role_name(role))) continue;
        const auto first = static_cast<std::ptrdiff_t>(found.size());
        const auto take = [&](const std::string& name, const std::shared_ptr<const evaluate::Evaluator>& heuristic) {
            HeuristicTrial trial = table.run(role, heuristic);
            if (table.interrupted()) return;
            trial.heuristic = name;
            if (told) told(trial);
            found.push_back(std::move(trial));
        };
        take("blind", nullptr);
        for (const Candidate& candidate : set->candidates()) {
            const std::string name = set->name(candidate);
            if (table.interrupted() || !wanted(trials.only, name)) continue;
            take(name, std::make_shared<evaluate::single::SingleEvaluator>(
                           set, std::vector<Candidate>(roles, candidate), false));
        }
        std::ranges::stable_sort(found.begin() + first, found.end(), std::greater{},
                                 [](const HeuristicTrial& one) { return std::tuple(one.wins, one.points.mean()); });
    }
    return found;
}

}  // namespace stratagem::lab
