#include "search/solve/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "machine/circuit/circuit.h"
#include "machine/limits.h"
#include "search/alpha_beta/alpha_beta.h"
#include "search/max_n/max_n.h"
#include "util/contract.h"

namespace stratagem::search {

namespace {

constexpr double share_of_growing = 0.75;  // the rest is for working out the values
constexpr double share_of_symmetries = 0.1;
constexpr std::size_t most_rules_of_small_games = 20'000;

// The earlier part of the time that is left.
Stop part_of(const Stop& stop, double share) {
    Stop part = stop;
    if (stop.deadline.is_never()) return part;
    const std::chrono::duration<double> left = stop.deadline.remaining();
    part.deadline = Deadline::earlier(stop.deadline, Deadline::after(left * share));
    return part;
}

}  // namespace

Solve::Solve(const Problem& problem, std::unique_ptr<Search> stand_in, const SolveOptions& options)
    : problem_(problem), stand_in_(std::move(stand_in)), options_(options), machine_(problem.game->make()) {
    impossible_ = !holds(problem_.facts.turn_taking);
}

void Solve::advance(const State& state) {
    stand_in_->advance(state);
    if (pause_ > 0) --pause_;
}

void Solve::give_up() {
    space_.reset();
    pause_ = next_pause_;
    next_pause_ *= 2;
}

void Solve::work(const State& state, const Budget& budget, std::uint64_t& nodes) {
    if (impossible_ || solution_ || pause_ > 0) return;
    const Stop all = part_of(budget.stop, options_.share);
    find_symmetries(part_of(all, share_of_symmetries));
    if (!space_) space_ = std::make_unique<StateSpace>(state, options_.max_bytes, alike_);
    const std::size_t before = space_->looked_at();
    const auto most = budget.max_nodes == UINT64_MAX
                          ? UINT64_MAX
                          : static_cast<std::uint64_t>(static_cast<double>(budget.max_nodes) * options_.share);
    try {
        space_->grow(*machine_, part_of(all, share_of_growing), most);
    } catch (const machine::LimitExceeded&) {
        return give_up();
    }
    nodes += space_->looked_at() - before;
    switch (space_->status()) {
        case StateSpace::Status::growing:
            return;
        case StateSpace::Status::not_by_turns:
            impossible_ = true;
            space_.reset();
            return;
        case StateSpace::Status::too_large:
            return give_up();
        case StateSpace::Status::complete:
            break;
    }
    // Turning the edges round cannot be interrupted: not begun unless there is time for it, by a careful estimate.
    constexpr double seconds_of_state = 1.5e-7;
    constexpr double seconds_of_edge = 5e-8;
    const std::chrono::duration<double> cost(static_cast<double>(space_->size()) * seconds_of_state +
                                             static_cast<double>(space_->edge_count()) * seconds_of_edge);
    if (!all.deadline.is_never() && cost > all.deadline.remaining()) return;
    solution_ = Solution::find(*space_, problem_.facts, all);
    if (!solution_ && !all.now()) impossible_ = true;  // cycles, and more than two players
}

void Solve::find_symmetries(const Stop& stop) {
    const std::shared_ptr<const ground::Program> known = problem_.game->program();
    if (looked_for_symmetries_ || !known) return;
    looked_for_symmetries_ = true;
    const ground::Program& program = *known;
    if (program.rule_count() > most_rules_of_small_games) return;
    const auto analysis = problem_.analysis ? problem_.analysis : analysis::shared_analysis(problem_.game);
    const analysis::Findings found = analysis->ask({analysis::Item::symmetries}, stop);
    auto alike = std::make_shared<analysis::Canonical>(program, found.symmetries());
    if (alike->size() > 1) alike_ = std::move(alike);
}

std::optional<std::vector<Move>> Solve::best_moves(const State& state, StateSpace::Number number) {
    std::vector<Move> joint, legal, renamed;
    for (std::uint32_t i = 0; i < problem_.facts.roles; ++i) {
        machine_->legal(state, Role{i}, legal);
        if (legal.empty()) return std::nullopt;
        joint.push_back(legal[0]);
        if (i != space_->mover(number)) continue;
        // The solution counts the moves of the state that stands for this one, in their order.
        renamed.clear();
        for (const Move move : legal) renamed.push_back(space_->rename(state, move));
        std::vector<Move> ordered = renamed;
        std::ranges::sort(ordered);
        const std::size_t best = solution_->best(number);
        if (best >= ordered.size()) return std::nullopt;
        const auto place = std::ranges::find(renamed, ordered[best]);
        joint.back() = legal[static_cast<std::size_t>(place - renamed.begin())];
    }
    return joint;
}

// What follows if everybody plays like this, from a state with this number on.
std::vector<std::vector<Move>> Solve::line_from(State state, StateSpace::Number number) {
    constexpr std::size_t longest_line = 200;
    std::vector<std::vector<Move>> line;
    std::optional<StateSpace::Number> at = number;
    State next;
    while (at && !space_->is_end(*at) && line.size() < longest_line) {
        const std::optional<std::vector<Move>> joint = best_moves(state, *at);
        if (!joint) break;
        line.push_back(*joint);
        machine_->next(state, *joint, next);
        std::swap(state, next);
        at = space_->find(state);
    }
    return line;
}

std::optional<Choice> Solve::answer(const State& state, Role role) {
    if (!solution_) return std::nullopt;
    const std::optional<StateSpace::Number> number = space_->find(state);
    if (!number) return std::nullopt;  // of another match
    const std::uint32_t place = ground::index(role);
    const Solution::Value value = solution_->value(*number, place);
    if (!value.exact) return std::nullopt;  // the other search may still find a way to better than going on for ever
    const std::optional<std::vector<Move>> joint = best_moves(state, *number);
    if (!joint) return std::nullopt;
    Choice choice;
    choice.move = (*joint)[place];
    choice.value = value.value;
    choice.judged = true;
    choice.depth = value.steps;
    choice.proved = solution_->is_sure(place) && !solution_->used_mean();
    choice.note = fmt::format("solved: {:g} in {} steps, {} states", value.value, value.steps, space_->size());
    choice.line = line_from(state, *number);
    return choice;
}

bool Solve::work_out(const State& state, const Budget& budget) {
    std::uint64_t nodes = 0;
    work(state, budget, nodes);
    return solved();
}

Choice Solve::choose(const State& state, Role role, const Budget& budget,
                     const std::function<void(const Choice&)>& report) {
    STRATAGEM_EXPECTS(!machine_->terminal(state));
    const Deadline::Clock::time_point begin = Deadline::Clock::now();
    std::uint64_t nodes = 0;
    work(state, budget, nodes);
    std::optional<Choice> solved = answer(state, role);
    if (solved) {
        solved->nodes = nodes;
        solved->seconds = std::chrono::duration<double>(Deadline::Clock::now() - begin).count();
        if (report) report(*solved);
        return *solved;
    }
    Budget rest = budget;
    if (budget.max_nodes != UINT64_MAX) rest.max_nodes = budget.max_nodes - std::min(budget.max_nodes, nodes);
    Choice choice = stand_in_->choose(state, role, rest, report);
    choice.nodes += nodes;
    choice.seconds = std::chrono::duration<double>(Deadline::Clock::now() - begin).count();
    return choice;
}

std::unique_ptr<Search> make_tree_search(const Problem& problem, const SearchSettings& settings) {
    const bool in_turns = holds(problem.facts.turn_taking) && !problem.facts.has_chance();
    const SearchEntry& entry = alpha_beta_entry.can_handle(problem.facts) ? alpha_beta_entry
                               : in_turns                                 ? max_n_entry
                                                                          : paranoid_entry;
    const std::string options = settings.options_of ? settings.options_of(entry.name) : std::string();
    return entry.make(problem, settings, OptionValues(entry.options, options));
}

namespace {

constexpr Option solve_options[] = {
    {"share", Option::Kind::real, "0.4", 0, 1, "", "part of the time for a move that may go into solving the game"},
    {"megabytes", Option::Kind::integer, "1024", 1, 1'000'000, "", "memory for the states of the game", "share!=0"},
};

bool by_turns(const analysis::GameKind& facts) { return holds(facts.turn_taking); }

}  // namespace

constinit const SearchEntry solve_entry{
    "solve", "works out all states of a small game; until then and else alpha-beta, MaxN or paranoid search",
    solve_options, by_turns,
    [](const Problem& problem, const SearchSettings& settings, const OptionValues& values) -> std::unique_ptr<Search> {
        SolveOptions options;
        options.share = values.real("share");
        options.max_bytes = static_cast<std::size_t>(values.integer("megabytes")) << 20;
        return std::make_unique<Solve>(problem, make_tree_search(problem, settings), options);
    }};

}  // namespace stratagem::search
