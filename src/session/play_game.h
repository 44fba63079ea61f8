// A game as it is being played: the state, the way there, and back.
//
// Steps back keep nothing but the joint moves and the states between them, so that whoever chooses moves can be asked
// in any of them again.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/game.h"

namespace stratagem::session {

using machine::Move;
using machine::Role;
using machine::State;

class PlayGame {
  public:
    // Never null.
    explicit PlayGame(std::shared_ptr<const machine::Game> game);

    machine::Machine& machine() { return *machine_; }
    const machine::Machine& machine() const { return *machine_; }
    const State& state() const { return state_; }
    std::size_t steps() const { return history_.size(); }
    std::size_t role_count() const { return legal_.size(); }
    std::string role_name(Role role) const { return machine_->role_name(role); }
    bool is_chance(Role role) const { return role_name(role) == "random"; }

    // Terminal, or some role has no legal move.
    bool over() const { return terminal_ || stuck_; }
    // The rules have no move for this role although the game is not over.
    std::optional<Role> stuck() const { return stuck_; }
    // In the current state, sorted by name with numbers by value.
    std::span<const Move> legal(Role role) const { return legal_[ground::index(role)]; }
    bool chooses(Role role) const { return !over() && legal(role).size() > 1; }
    // The roles that can be played: all but chance.
    std::vector<Role> seats() const;
    // No goal value counts as nothing at all.
    std::optional<int> goal(Role role) { return machine_->goal(state_, role); }

    // One legal move for each role.
    void step(std::span<const Move> joint);
    // The joint moves made, and the state before each.
    std::span<const Move> joint(std::size_t step) const { return history_[step].joint; }
    const State& before(std::size_t step) const { return history_[step].state; }
    std::vector<std::string> joint_names(std::size_t step) const;

    // The last step before which this role had a choice; nothing if it never had.
    std::optional<std::size_t> last_choice(Role role);
    // To the state before this step.
    void back_to(std::size_t step);
    // From the initial state. Returns what is wrong with the moves; then the game is where it was before.
    std::string replay(const std::vector<std::vector<std::string>>& moves);

  private:
    struct Step {
        State state;
        std::vector<Move> joint;
    };

    void look();
    // Moves by names as of replay(); complains into `problem`.
    std::vector<Move> understand(std::span<const std::string> names, std::string& problem);

    std::shared_ptr<const machine::Game> game_;
    std::unique_ptr<machine::Machine> machine_;
    State state_;
    State next_;
    std::vector<Step> history_;
    std::vector<std::vector<Move>> legal_;  // by role
    std::vector<Move> work_;
    bool terminal_ = false;
    std::optional<Role> stuck_;
};

}  // namespace stratagem::session
