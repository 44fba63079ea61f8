#include "search/single/single.h"

#include <fmt/format.h>

#include <algorithm>

#include "machine/limits.h"
#include "search/common/pacer.h"
#include "util/contract.h"

namespace stratagem::search {

using ground::index;

namespace {

constexpr std::uint64_t states_in_a_row = 4096;  // of one search, before the other has its turn
constexpr std::uint32_t deepest = 100'000;

}  // namespace

struct Single::Work {
    Work(std::unique_ptr<PuzzleView> seen, BestFirst first, DepthFirst deeper, DepthFirst dives)
        : view(std::move(seen)), best_first(std::move(first)), deepening(std::move(deeper)), diving(std::move(dives)) {}

    std::unique_ptr<PuzzleView> view;
    BestFirst best_first;
    DepthFirst deepening;
    DepthFirst diving;
};

Single::Single(const Problem& problem, const SingleOptions& options)
    : problem_(problem), options_(options), machine_(problem.game->make()), random_(options.seed) {}

Single::~Single() = default;

bool Single::follow(const State& state) {
    const auto at = std::find(plan_.states.begin(), plan_.states.end(), state);
    const auto passed = at - plan_.states.begin();
    plan_.moves.erase(plan_.moves.begin(), plan_.moves.begin() + passed);
    plan_.states.erase(plan_.states.begin(), at);
    if (plan_.states.empty()) plan_ = Plan{};
    return plan_.goal >= 0;
}

// Keeps the better one.
bool Single::take(Plan plan) {
    if (plan.goal <= plan_.goal) return false;
    plan_ = std::move(plan);
    return true;
}

Choice Single::answer(const State& state, Role role) {
    Choice choice;
    std::vector<Move> legal;
    machine_->legal(state, role, legal);
    if (legal.empty()) return choice;
    choice.move = legal[0];
    if (plan_.goal >= 0 && !plan_.moves.empty()) {
        choice.move = plan_.moves[0][index(role)];
        choice.value = plan_.goal;
        choice.judged = true;
        choice.proved = proved_;
        choice.line = plan_.moves;
        choice.depth = static_cast<std::uint32_t>(plan_.moves.size());
        choice.note = fmt::format("{} worth {} in {} moves", proved_ ? "the best end," : "an end", plan_.goal,
                                  plan_.moves.size());
    }
    return choice;
}

std::unique_ptr<Single::Work> Single::make_work(const State& state, Role role, std::uint32_t max_depth) {
    const std::size_t bytes = options_.max_bytes / 3;
    auto view = std::make_unique<PuzzleView>(*machine_, role);
    PuzzleView& seen = *view;
    return std::make_unique<Work>(std::move(view), BestFirst(seen, *problem_.evaluator, role, state, bytes, max_depth),
                                  DepthFirst(seen, state, bytes, 1, max_depth),
                                  DepthFirst(seen, state, bytes, max_depth, random_));
}

Choice Single::choose(const State& state, Role role, const Budget& budget,
                      const std::function<void(const Choice&)>& report) {
    STRATAGEM_EXPECTS(!machine_->terminal(state));
    const Deadline::Clock::time_point begin = Deadline::Clock::now();
    std::uint64_t nodes = 0;
    const auto finish = [&](Choice choice) {
        choice.nodes = nodes;
        choice.seconds = std::chrono::duration<double>(Deadline::Clock::now() - begin).count();
        return choice;
    };
    // 1. A way found before.
    if (role_ != role || !follow(state)) {
        plan_ = Plan{};
        proved_ = false;
    }
    role_ = role;
    if (proved_) return finish(answer(state, role));

    // 2. The searches by turns.
    const std::uint32_t max_depth = std::min(budget.max_depth, deepest);
    const int most = problem_.facts.most_goal[index(role)];
    try {
        work_ = make_work(state, role, max_depth);
        Pacer pacer(budget.stop);
        bool stopped = false;
        const auto run = [&](auto& search, bool& goes_on) {
            for (std::uint64_t i = 0; i < states_in_a_row && goes_on && !proved_; ++i) {
                stopped = stopped || nodes >= budget.max_nodes || pacer.due();
                if (stopped) return;
                ++nodes;
                goes_on = search.step();
                if (search.best_goal() > plan_.goal && take(search.plan_to_end()) && report) {
                    report(finish(answer(state, role)));
                }
                proved_ = search.exhausted() || plan_.goal >= most;
            }
        };
        bool best_first_goes_on = options_.best_first;
        bool diving_goes_on = options_.diving;
        bool deepening_goes_on = options_.deepening || (!options_.best_first && !options_.diving);
        std::uint64_t dive = 0;
        std::uint64_t longest_dive = 4;  // in turns
        while ((best_first_goes_on || deepening_goes_on || diving_goes_on) && !stopped && !proved_) {
            run(work_->best_first, best_first_goes_on);
            run(work_->deepening, deepening_goes_on);
            run(work_->diving, diving_goes_on);
            if (++dive < longest_dive) continue;
            work_->diving.restart();
            dive = 0;
            longest_dive *= 2;
        }
        // 3. No end worth having: towards the most promising state seen.
        const ScoreScale scale(problem_.facts.least_goal[index(role)], most);
        const double hope = scale.value(scale.of_opinion(work_->best_first.best_value()));
        const bool blind = problem_.evaluator->is_constant();
        std::optional<Plan> promising;
        if (!proved_ && !blind && options_.best_first && hope > plan_.goal)
            promising = work_->best_first.plan_to_promising();
        proved_ = proved_ && !work_->view->others_choose();
        if (promising && !promising->moves.empty()) {
            Choice choice = answer(state, role);
            choice.move = promising->moves[0][index(role)];
            choice.line = promising->moves;
            choice.value = hope;
            choice.judged = true;
            choice.note = fmt::format("towards a state worth {:.1f} in {} moves", hope, promising->moves.size());
            return finish(choice);
        }
    } catch (const machine::LimitExceeded& error) {
        Choice choice = answer(state, role);
        choice.note = error.what();
        return finish(choice);
    }
    return finish(answer(state, role));
}

namespace {

constexpr Option single_options[] = {
    {"bestfirst", Option::Kind::flag, "on", 0, 0, "", "look at the most promising state first"},
    {"deepening", Option::Kind::flag, "on", 0, 0, "", "depth first, deeper and deeper", "bestfirst=on or diving=on"},
    {"diving", Option::Kind::flag, "on", 0, 0, "", "depth first without a limit, moves in random order"},
};

bool one_player(const analysis::GameKind& facts) { return facts.players <= 1 && !facts.has_chance(); }

}  // namespace

constinit const SearchEntry single_entry{
    "single",
    "single-player games: best first, deepening and diving by turns; remembers the way to the best end",
    single_options,
    one_player,
    [](const Problem& problem, const SearchSettings& settings, const OptionValues& values) -> std::unique_ptr<Search> {
        SingleOptions options;
        options.best_first = values.flag("bestfirst");
        options.deepening = values.flag("deepening");
        options.diving = values.flag("diving");
        options.seed = settings.seed;
        options.max_bytes = settings.table_megabytes << 20;
        return std::make_unique<Single>(problem, options);
    },
    "bestfirst=on"};

}  // namespace stratagem::search
