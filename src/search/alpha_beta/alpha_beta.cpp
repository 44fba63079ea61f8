#include "search/alpha_beta/alpha_beta.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "evaluate/both_sides.h"
#include "machine/limits.h"
#include "search/common/rounding.h"
#include "util/contract.h"

namespace stratagem::search {

namespace {

constexpr std::uint32_t deepest = 200;  // below Minimax::max_ply; tables keep a depth in a byte
constexpr Score first_window = score_unit / 2;

// Where one gets what the other loses, an evaluator that looks at both; the problem's own elsewhere.
std::shared_ptr<const evaluate::Evaluator> evaluator_of_both(const Problem& problem) {
    const analysis::GameKind& facts = problem.facts;
    std::vector<Role> players;
    for (std::uint32_t i = 0; i < facts.roles; ++i) {
        if (!facts.is_chance[i]) players.push_back(Role{i});
    }
    if (players.size() != 2 || !holds(facts.two_player_zero_sum) || problem.evaluator->is_constant()) {
        return problem.evaluator;
    }
    const double sum = facts.least_goal[ground::index(players[0])] + facts.most_goal[ground::index(players[1])];
    return evaluate::both_sides(problem.evaluator, {players[0], players[1]}, sum);
}

}  // namespace

AlphaBeta::AlphaBeta(Problem problem, const SearchSettings& settings, const AlphaBetaOptions& options)
    : problem_(std::move(problem)), options_(options), table_(settings.table_megabytes << 20) {
    if (options_.both_sides) problem_.evaluator = evaluator_of_both(problem_);
    problem_.evaluator = evaluator_for_scores(problem_, settings);
    if (options_.mask_counter) counter_ = StepCounter::find(*problem_.game);
    // Where numbers are given out as things are met, with several threads at once no two runs would be alike.
    const std::size_t count = problem_.game->has_fixed_numbers() ? std::max<std::size_t>(1, settings.threads) : 1;
    for (std::size_t i = 0; i < count; ++i) {
        Thread thread;
        thread.machine = problem_.game->make();
        thread.tree = std::make_unique<Minimax>(*thread.machine, *problem_.evaluator, table_, counter_, options_.tree);
        threads_.push_back(std::move(thread));
    }
}

void AlphaBeta::take_part(Role role) {
    if (role_ == role) return;
    role_ = role;
    const std::size_t place = ground::index(role);
    scale_ = ScoreScale(problem_.facts.least_goal[place], problem_.facts.most_goal[place]);
    std::vector<Side> sides = sides_of(problem_.facts, role);
    if (!options_.teams) {
        for (std::size_t i = 0; i < sides.size(); ++i) {
            if (i != place && sides[i] == Side::ours) sides[i] = Side::theirs;
        }
    }
    has_friends_ = std::ranges::count(sides, Side::ours) > 1;
    is_guarantee_ = !has_friends_ && !options_.tree.others_random && std::ranges::count(sides, Side::chance) == 0;
    for (Thread& thread : threads_) thread.tree->take_part(role, sides, scale_);
}

// Of one thread: depth after depth, each with a narrow window around the last value first (aspiration).
class AlphaBeta::Deepening {
  public:
    Deepening(Minimax& tree, bool aspiration) : tree_(tree), aspiration_(aspiration) {}

    // Calls finished() after each depth. Ends when the value is proved, at max_depth, or when the tree stops.
    template <typename Finished>
    void run(std::uint32_t first_depth, std::uint32_t max_depth, Finished&& finished) {
        for (std::uint32_t depth = first_depth; depth <= std::min(max_depth, deepest); ++depth) {
            if (!search(depth)) return;
            depth_ = depth;
            finished();
            if (result_.proved()) return;
        }
    }

    const std::optional<Move>& move() const { return move_; }
    const Result& result() const { return result_; }
    std::uint32_t depth() const { return depth_; }  // 0: none was finished

  private:
    // False when interrupted; a better move found by then is kept.
    bool search(std::uint32_t depth) {
        Score width = first_window;
        const bool narrow = aspiration_ && depth_ > 0 && ScoreScale::is_opinion(result_.score);
        Score alpha = narrow ? result_.score - width : -score_infinity;
        Score beta = narrow ? result_.score + width : score_infinity;
        for (;;) {
            const Result result = tree_.search(depth, alpha, beta);
            if (tree_.best()) {
                move_ = tree_.best()->move;
                if (tree_.stopped()) result_ = Result{tree_.best()->score, false, false, false, 0};
            }
            if (tree_.stopped()) return false;
            const bool too_low = result.score <= alpha && alpha > -score_infinity;
            const bool too_high = result.score >= beta && beta < score_infinity;
            // A proof needs no window.
            if (result.proved() || (!too_low && !too_high)) {
                result_ = result;
                return true;
            }
            width *= 8;
            const bool open = width > 40 * score_unit;
            if (too_low) alpha = open ? -score_infinity : result.score - width;
            if (too_high) beta = open ? score_infinity : result.score + width;
        }
    }

    Minimax& tree_;
    bool aspiration_;
    std::optional<Move> move_;
    Result result_;
    std::uint32_t depth_ = 0;
};

Choice AlphaBeta::choose(const State& state, Role role, const Budget& budget,
                         const std::function<void(const Choice&)>& report) {
    STRATAGEM_EXPECTS(!threads_[0].machine->terminal(state));
    const Deadline::Clock::time_point begin = Deadline::Clock::now();
    take_part(role);
    table_.age();
    Minimax& tree = *threads_[0].tree;

    // 1. A legal move, whatever happens.
    Choice choice;
    std::vector<Move> legal;
    threads_[0].machine->legal(state, role, legal);
    if (legal.empty()) return choice;
    choice.move = legal[0];
    choice.value = scale_.value(scale_.of_opinion(50));

    // 2. The other threads.
    const std::uint32_t max_depth = std::min(budget.max_depth, options_.deepest);
    std::atomic<bool> halt{false};
    const std::uint64_t max_nodes = std::max<std::uint64_t>(1, budget.max_nodes / threads_.size());
    for (Thread& thread : threads_) thread.tree->start(state, budget.stop, halt, max_nodes);
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < threads_.size(); ++i) {
        helpers.emplace_back([&, i] {
            try {
                Deepening deepening(*threads_[i].tree, options_.aspiration);
                deepening.run(1 + static_cast<std::uint32_t>(i % 2), max_depth, [] {});
            } catch (const std::exception&) {  // the first thread goes on alone
            }
        });
    }

    // 3. This one.
    const auto count = [&](bool all) {
        choice.nodes = tree.nodes();
        for (std::size_t i = 1; all && i < threads_.size(); ++i) choice.nodes += threads_[i].tree->nodes();
        choice.seconds = std::chrono::duration<double>(Deadline::Clock::now() - begin).count();
    };
    Deepening deepening(tree, options_.aspiration);
    bool sure = false;  // of no less than the value
    const auto take_over = [&] {
        if (deepening.move()) choice.move = deepening.move();
        if (!deepening.move() && deepening.depth() == 0) return;
        const Result& result = deepening.result();
        choice.value = scale_.value(result.score);
        choice.judged = !options_.blind || result.score != scale_.of_opinion(50);
        choice.depth = deepening.depth();
        // A mean is exact only where all cases are the same; then it is the greatest or the least there is. Where both
        // sides choose at once, we are sure of the value, and it is all there is if nothing is better. That friends are
        // friends was only observed, and nobody makes them play well.
        choice.proved = result.proved() && (!result.hoped || (!has_friends_ && scale_.is_best(result.score)));
        sure = result.at_least && is_guarantee_;
    };
    try {
        deepening.run(1, max_depth, [&] {
            if (!report) return;
            take_over();
            count(false);
            choice.line = tree.line(*choice.move);
            report(choice);
        });
    } catch (const machine::LimitExceeded& error) {
        choice.note = error.what();
    }
    halt.store(true, std::memory_order_relaxed);
    helpers.clear();
    take_over();
    count(true);
    choice.line = tree.line(*choice.move);
    if (choice.note.empty()) {
        const char* const what = choice.proved ? "proved" : sure ? "at least" : "value";
        choice.note = choice.judged ? fmt::format("{} {:.1f} at depth {}", what, choice.value, choice.depth)
                                    : fmt::format("no end of the game seen at depth {}", choice.depth);
    }
    return choice;
}

namespace {

using Kind = Option::Kind;

constexpr Option nonuniform_option{
    "nonuniform",
    Kind::choice,
    "auto",
    0,
    0,
    "auto|on|off",
    "search moves that were better before deeper than others; auto: unless the evaluator "
    "knows nothing"};
constexpr Option forced_option{"forced", Kind::flag, "on", 0, 0, "", "a state with only one joint move costs no depth"};
constexpr Option aspiration_option{
    "aspiration", Kind::flag, "on", 0, 0, "", "begin each depth with a narrow window around the last value"};
constexpr Option mask_option{
    "mask", Kind::flag, "off", 0, 0, "", "leave a step counter that only ends the game out of the table's keys"};
constexpr Option others_option{"others",
                               Kind::choice,
                               "paranoid",
                               0,
                               0,
                               "paranoid|random",
                               "what others do when they move at the same time: know our move, or move by chance"};
constexpr Option teams_option{
    "teams", Kind::flag, "on", 0, 0, "", "roles that always got the same as ours play with us"};

constexpr Option ranking_option{"ranking",
                                Kind::choice,
                                "history",
                                0,
                                0,
                                "history|values",
                                "which of our moves in the state to play from come first: those that cut off often, or "
                                "those worth more in the search before"};
constexpr Option horizon_option{
    "horizon", Kind::integer, "0", 0, deepest, "", "search no deeper than so many moves; 0: as deep as there is time"};

constexpr Option view_option{
    "view",
    Kind::choice,
    "own",
    0,
    0,
    "own|both",
    "whose goals a state is judged by where one gets what the other loses: our own, or those of both"};

constexpr Option alpha_beta_options[] = {nonuniform_option, ranking_option,    view_option, horizon_option,
                                         forced_option,     aspiration_option, mask_option};
constexpr Option paranoid_options[] = {nonuniform_option, ranking_option, view_option,   horizon_option, forced_option,
                                       aspiration_option, mask_option,    others_option, teams_option};

AlphaBetaOptions read(const Problem& problem, const OptionValues& values) {
    const bool blind = problem.evaluator->is_constant();
    AlphaBetaOptions options;
    const std::string& nonuniform = values.choice("nonuniform");
    options.tree.nonuniform = nonuniform == "auto" ? !blind : nonuniform == "on";
    options.tree.forced = values.flag("forced");
    options.tree.rank_by_values = values.choice("ranking") == "values";
    options.deepest = values.integer("horizon") == 0 ? deepest : static_cast<std::uint32_t>(values.integer("horizon"));
    options.tree.store_opinions = !blind;
    options.blind = blind;
    options.aspiration = values.flag("aspiration");
    options.both_sides = values.choice("view") == "both";
    options.mask_counter = values.flag("mask");
    return options;
}

bool turns_of_two(const analysis::GameKind& facts) {
    return holds(facts.two_player_zero_sum) && holds(facts.turn_taking) && !facts.has_chance();
}

bool any_game(const analysis::GameKind&) { return true; }

}  // namespace

constinit const SearchEntry alpha_beta_entry{
    "alphabeta", "alpha-beta for two players who take turns and can only win what the other loses", alpha_beta_options,
    turns_of_two,
    [](const Problem& problem, const SearchSettings& settings, const OptionValues& values) -> std::unique_ptr<Search> {
        AlphaBetaOptions options = read(problem, values);
        options.teams = false;
        return std::make_unique<AlphaBeta>(problem, settings, options);
    }};

constinit const SearchEntry paranoid_entry{
    "paranoid", "alpha-beta for any game: everybody else plays against us and knows our move", paranoid_options,
    any_game,
    [](const Problem& problem, const SearchSettings& settings, const OptionValues& values) -> std::unique_ptr<Search> {
        AlphaBetaOptions options = read(problem, values);
        options.tree.others_random = values.choice("others") == "random";
        options.teams = values.flag("teams");
        return std::make_unique<AlphaBeta>(problem, settings, options);
    }};

}  // namespace stratagem::search
