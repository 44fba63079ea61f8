#include "session/play_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "machine/machine_text.h"
#include "view/fluent_text.h"

namespace stratagem::session {

PlayGame::PlayGame(std::shared_ptr<const machine::Game> game)
    : game_(std::move(game)), machine_(game_->make()), state_(machine_->initial()), legal_(machine_->role_count()) {
    look();
}

void PlayGame::look() {
    terminal_ = machine_->terminal(state_);
    stuck_.reset();
    for (std::uint32_t role = 0; role < legal_.size(); ++role) {
        std::vector<Move>& moves = legal_[role];
        moves.clear();
        if (terminal_) continue;
        machine_->legal(state_, Role{role}, moves);
        if (moves.empty() && !stuck_) stuck_ = Role{role};
        std::vector<std::pair<std::string, Move>> named;
        named.reserve(moves.size());
        for (const Move move : moves) named.emplace_back(machine_->move_name(move), move);
        std::ranges::sort(named, view::natural_less, [](const auto& one) -> std::string_view { return one.first; });
        std::ranges::transform(named, moves.begin(), [](const auto& one) { return one.second; });
    }
}

std::vector<Role> PlayGame::seats() const {
    std::vector<Role> roles;
    for (std::uint32_t role = 0; role < role_count(); ++role) {
        if (!is_chance(Role{role})) roles.push_back(Role{role});
    }
    return roles;
}

void PlayGame::step(std::span<const Move> joint) {
    machine_->next(state_, joint, next_);
    history_.push_back({state_, {joint.begin(), joint.end()}});
    std::swap(state_, next_);
    look();
}

std::vector<std::string> PlayGame::joint_names(std::size_t step) const {
    return machine::move_names(*machine_, history_[step].joint);
}

std::optional<std::size_t> PlayGame::last_choice(Role role) {
    for (std::size_t step = history_.size(); step-- > 0;) {
        machine_->legal(history_[step].state, role, work_);
        if (work_.size() > 1) return step;
    }
    return {};
}

void PlayGame::back_to(std::size_t step) {
    state_ = history_[step].state;
    history_.resize(step);
    look();
}

std::vector<Move> PlayGame::understand(std::span<const std::string> names, std::string& problem) {
    std::vector<Move> joint;
    if (names.size() != role_count()) {
        problem = fmt::format("{} moves where there are {} roles", names.size(), role_count());
        return joint;
    }
    for (std::uint32_t role = 0; role < names.size(); ++role) {
        const std::optional<Move> move = machine_->find_move(Role{role}, names[role]);
        if (!move || std::ranges::find(legal_[role], *move) == legal_[role].end()) {
            problem = fmt::format("{} is not legal for {}", names[role], role_name(Role{role}));
            return joint;
        }
        joint.push_back(*move);
    }
    return joint;
}

std::string PlayGame::replay(const std::vector<std::vector<std::string>>& moves) {
    State state_before = std::exchange(state_, machine_->initial());
    std::vector<Step> history_before = std::exchange(history_, {});
    look();
    std::string problem;
    for (std::size_t i = 0; i < moves.size() && problem.empty(); ++i) {
        std::vector<Move> joint;
        if (over()) {
            problem = "the game is over";
        } else {
            joint = understand(moves[i], problem);
        }
        if (problem.empty()) {
            step(joint);
        } else {
            problem = fmt::format("step {}: {}", i + 1, problem);
        }
    }
    if (problem.empty()) return problem;
    state_ = std::move(state_before);
    history_ = std::move(history_before);
    look();
    return problem;
}

}  // namespace stratagem::session
