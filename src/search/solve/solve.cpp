#include "search/solve/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "machine/limits.h"
#include "search/alpha_beta/alpha_beta.h"
#include "search/max_n/max_n.h"

namespace stratagem::search {

namespace {

constexpr double share_of_growing = 0.75;  // the rest is for working out the values

// The earlier part of the time that is left.
Stop part_of(const Stop& stop, double share) {
    Stop part = stop;
    if (stop.deadline.is_never()) return part;
    const std::chrono::duration<double> left = stop.deadline.remaining();
    part.deadline = Deadline::earlier(stop.deadline, Deadline::after(left * share));
    return part;
}

}  // namespace

Solve::Solve(const Game& game, std::unique_ptr<Search> stand_in, const SolveOptions& options)
    : game_(game), stand_in_(std::move(stand_in)), options_(options), machine_(game.factory->make()) {
    impossible_ = !game_.facts.turn_taking;
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
    if (!space_) space_ = std::make_unique<StateSpace>(state, options_.max_bytes);
    const Stop all = part_of(budget.stop, options_.share);
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
    solution_ = Solution::find(*space_, game_.facts, all);
    if (!solution_ && !all.now()) impossible_ = true;  // cycles, and more than two players
}

std::optional<Choice> Solve::answer(const State& state, Role role) {
    if (!solution_) return std::nullopt;
    const StateSpace::Number number = space_->find(state);
    if (number == StateSpace::none) return std::nullopt;  // of another match
    const std::uint32_t place = ground::index(role);
    const Solution::Value value = solution_->value(number, place);
    if (!value.exact) return std::nullopt;  // the other search may still find a way to better than going on for ever
    Choice choice;
    std::vector<Move> legal;
    machine_->legal(state, role, legal);
    if (legal.empty()) return choice;
    choice.move = legal[space_->mover(number) == place ? solution_->best(number) : 0];
    choice.value = value.value;
    choice.depth = value.steps;
    // With more players others may harm us at their own cost.
    const bool sure = game_.facts.players <= 1 || game_.facts.two_player_zero_sum;
    choice.proved = sure && !solution_->used_mean();
    choice.note = fmt::format("solved: {:g} in {} steps, {} states", value.value, value.steps, space_->size());

    // What follows if everybody plays like this.
    StateSpace::Number at = number;
    std::vector<Move> joint(game_.facts.roles);
    constexpr std::size_t longest_line = 200;
    while (!space_->is_end(at) && choice.line.size() < longest_line) {
        const std::size_t best = space_->mover(at) == StateSpace::nobody ? 0 : solution_->best(at);
        for (std::uint32_t i = 0; i < joint.size(); ++i) {
            machine_->legal(space_->state(at), Role{i}, legal);
            joint[i] = legal[i == space_->mover(at) ? best : 0];
        }
        choice.line.push_back(joint);
        at = space_->successors(at)[best];
    }
    return choice;
}

Choice Solve::choose(const State& state, Role role, const Budget& budget,
                     const std::function<void(const Choice&)>& report) {
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

std::unique_ptr<Search> make_tree_search(const Game& game, const SearchSettings& settings) {
    const bool chance =
        std::find(game.facts.is_chance.begin(), game.facts.is_chance.end(), true) != game.facts.is_chance.end();
    const SearchEntry& entry = alpha_beta_entry.can_handle(game.facts) ? alpha_beta_entry
                               : game.facts.turn_taking && !chance     ? max_n_entry
                                                                       : paranoid_entry;
    return entry.make(game, settings, OptionValues(entry.options, ""));
}

namespace {

constexpr Option solve_options[] = {
    {"share", Option::Kind::real, "0.4", 0, 1, "", "part of the time for a move that may go into solving the game"},
    {"megabytes", Option::Kind::integer, "1024", 1, 1'000'000, "", "memory for the states of the game"},
};

bool by_turns(const GameFacts& facts) { return facts.turn_taking; }

}  // namespace

constinit const SearchEntry solve_entry{
    "solve", "works out all states of a small game; until then and else alpha-beta, MaxN or paranoid search",
    solve_options, by_turns,
    [](const Game& game, const SearchSettings& settings, const OptionValues& values) -> std::unique_ptr<Search> {
        SolveOptions options;
        options.share = values.real("share");
        options.max_bytes = static_cast<std::size_t>(values.integer("megabytes")) << 20;
        return std::make_unique<Solve>(game, make_tree_search(game, settings), options);
    }};

}  // namespace stratagem::search
