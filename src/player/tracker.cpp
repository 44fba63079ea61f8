#include "player/tracker.h"

#include <fmt/format.h>

#include <algorithm>

namespace stratagem::player {

using machine::Machine;
using machine::Move;
using machine::Role;
using machine::State;

namespace {

// A state of one machine as a state of another, fluent by fluent; `lost` gets the names of those unknown there.
State translate(const Machine& from, const State& state, Machine& to, std::vector<std::string>& lost) {
    State result = to.initial();
    result.clear();
    state.for_each([&](machine::Fluent fluent) {
        const std::string name = from.fluent_name(fluent);
        if (const std::optional<machine::Fluent> found = to.find_fluent(name)) {
            result.insert(*found);
        } else {
            lost.push_back(name);
        }
    });
    return result;
}

}  // namespace

Tracker::Tracker(std::shared_ptr<const machine::Game> game)
    : forgiving_(game->interpreted()),
      game_(forgiving_ ? forgiving_ : std::move(game)),
      machine_(game_->make()),
      state_(machine_->initial()) {}

void Tracker::set_deadline(Deadline deadline) { machine_->set_deadline(deadline); }

void Tracker::move_to(State state) {
    state_ = std::move(state);
    legal_of_.reset();
}

const std::vector<Move>& Tracker::legal(Role role) {
    if (legal_of_ != role) {
        legal_of_.reset();
        machine_->legal(state_, role, legal_);
        legal_of_ = role;
    }
    return legal_;
}

std::span<const Move> Tracker::known_legal(Role role) const {
    return legal_of_ == role ? std::span<const Move>(legal_) : std::span<const Move>();
}

std::vector<std::string> Tracker::stand_at(std::span<const std::string> fluents) {
    std::vector<std::string> lost;
    State state = machine_->initial();
    state.clear();
    for (const std::string& name : fluents) {
        if (const std::optional<machine::Fluent> found = machine_->find_fluent(name)) {
            state.insert(*found);
        } else {
            lost.push_back(name);
        }
    }
    move_to(std::move(state));
    last_.clear();
    return lost;
}

std::vector<std::string> Tracker::use(std::shared_ptr<const machine::Game> game) {
    std::unique_ptr<Machine> machine = game->make();
    std::vector<std::string> lost;
    State state = translate(*machine_, state_, *machine, lost);
    game_ = std::move(game);
    machine_ = std::move(machine);
    move_to(std::move(state));
    return lost;
}

std::vector<Move> Tracker::understand(std::span<const std::string> moves, std::vector<std::string>& problems) {
    if (moves.size() != role_count()) {
        problems.push_back(fmt::format("{} moves were reported for {} roles", moves.size(), role_count()));
    }
    std::vector<Move> joint;
    std::vector<Move> legal;
    for (std::uint32_t r = 0; r < role_count(); ++r) {
        const Role role{r};
        machine_->legal(state_, role, legal);
        const std::optional<Move> found =
            r < moves.size() ? machine_->find_move(role, moves[r]) : std::optional<Move>{};
        if (found && std::ranges::find(legal, *found) == legal.end()) {
            problems.push_back(
                fmt::format("the reported move {} of {} is not legal here", moves[r], machine_->role_name(role)));
        }
        if (!found && r < moves.size()) {
            problems.push_back(
                fmt::format("the reported move {} of {} is not one of this game", moves[r], machine_->role_name(role)));
        }
        if (found) {
            joint.push_back(*found);
        } else if (!legal.empty()) {
            joint.push_back(legal.front());
        }
    }
    return joint;
}

bool Tracker::fits(std::span<const std::string> moves) {
    if (moves.size() != role_count() || terminal()) return false;
    std::vector<Move> legal;
    for (std::uint32_t r = 0; r < role_count(); ++r) {
        machine_->legal(state_, Role{r}, legal);
        if (std::ranges::none_of(legal, [&](Move move) { return machine_->move_name(move) == moves[r]; })) return false;
    }
    return true;
}

void Tracker::force(std::span<const Move> joint, std::vector<std::string>& problems) {
    if (!forgiving_) {
        problems.emplace_back("the state is kept, as what is not legal cannot be followed in this game");
        return;
    }
    const std::unique_ptr<Machine> interpreter = forgiving_->make();
    std::vector<std::string> lost;
    const State before = translate(*machine_, state_, *interpreter, lost);
    std::vector<Move> moves;
    for (std::uint32_t r = 0; r < joint.size(); ++r) {
        const std::optional<Move> move = interpreter->find_move(Role{r}, machine_->move_name(joint[r]));
        if (!move) return;
        moves.push_back(*move);
    }
    State after;
    interpreter->next(before, moves, after);
    move_to(translate(*interpreter, after, *machine_, lost));
    if (!lost.empty()) problems.push_back(fmt::format("followed without {}", fmt::join(lost, " ")));
}

std::vector<std::string> Tracker::follow(std::span<const std::string> moves) {
    std::vector<std::string> problems;
    if (terminal()) problems.emplace_back("moves were reported although the game is over");
    const std::vector<Move> joint = understand(moves, problems);
    if (problems.empty()) {
        State next;
        machine_->next(state_, joint, next);
        move_to(std::move(next));
    } else if (std::ranges::equal(moves, last_)) {
        // A message sent twice: the same moves again, and now they do not fit.
        problems.emplace_back("the report is the last one again; it is taken as a repetition");
        return problems;
    } else if (joint.size() == role_count()) {
        force(joint, problems);
    } else {
        problems.emplace_back("the state is kept, as a role has neither a move nor a legal one");
    }
    last_.assign(moves.begin(), moves.end());
    return problems;
}

}  // namespace stratagem::player
