// The loop of a random game, once for everybody: every role, the one named `random` like the others, chooses uniformly
// among its legal moves, in the order of roles. What somebody wants to know of the game on the way, a visitor hears.
//
// A position is anything that stands in a state and can be moved on: MachinePosition for every machine, a
// CircuitMachine by itself where its own current state is what matters. Nothing is virtual: a game of no interest on
// the way costs what it would without visitors.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "machine/machine.h"
#include "machine/random.h"
#include "machine/stop.h"

namespace stratagem::machine {

enum class PlayoutEnd {
    terminal,
    no_legal_move,  // a role has none in a state that is not terminal
    too_long,       // max_steps
    stopped,        // deadline or interruption
    left,           // the visitor has seen enough
};

struct PlayoutOptions {
    std::size_t max_steps = 100'000;
    bool record_moves = false;
    Stop stop;
};

// A joint move by chance, with what it was chosen from. Keeps its work space.
struct RandomJoint {
    std::vector<std::span<const Move>> legal;  // by role; valid until the position moves on
    std::vector<Move> moves;                   // by role
    std::optional<Role> stuck;                 // the first role without a move, if there is one

    // False when a role has no move; those before it have drawn theirs.
    template <typename Position>
    bool draw(Position& position, Random& random) {
        const std::size_t roles = position.role_count();
        legal.resize(roles);
        moves.resize(roles);
        for (std::uint32_t role = 0; role < roles; ++role) {
            legal[role] = position.legal(Role{role});
            if (legal[role].empty()) {
                stuck = Role{role};
                return false;
            }
            moves[role] = legal[role][random.below(static_cast<std::uint32_t>(legal[role].size()))];
        }
        stuck.reset();
        return true;
    }
};

// What can be heard of a game. Visitors derive from this and hide what they want to hear; the position is that of the
// loop, so that they may ask it questions.
struct PlayVisitor {
    // A state that is not terminal, before moves are drawn. False: the game is left here.
    template <typename Position>
    bool on_state(Position& /*position*/, std::size_t /*step*/) {
        return true;
    }
    // Where everybody has a move: those that are about to be made.
    template <typename Position>
    void on_moves(Position& /*position*/, const RandomJoint& /*joint*/) {}
    // Once, whatever the end; the position stands in the last state.
    template <typename Position>
    void on_end(Position& /*position*/, PlayoutEnd /*end*/, std::size_t /*steps*/) {}
};

// Any machine, standing in a state.
class MachinePosition {
  public:
    explicit MachinePosition(Machine& machine) : machine_(machine), legal_(machine.role_count()) {}

    void go_to(const State& state) { state_ = state; }
    const State& current() const { return state_; }
    Machine& machine() { return machine_; }
    std::size_t role_count() const { return legal_.size(); }
    bool terminal() { return machine_.terminal(state_); }
    std::span<const Move> legal(Role role) {
        std::vector<Move>& moves = legal_[ground::index(role)];
        machine_.legal(state_, role, moves);
        return moves;
    }
    void advance(std::span<const Move> joint) {
        machine_.next(state_, joint, next_);
        std::swap(state_, next_);
    }
    std::optional<int> goal(Role role) { return machine_.goal(state_, role); }

  private:
    Machine& machine_;
    State state_;
    State next_;
    std::vector<std::vector<Move>> legal_;
};

// From where the position stands. `steps`: how many joint moves were made.
template <typename Position, typename Visitor>
PlayoutEnd play_randomly(Position& position, Random& random, const PlayoutOptions& options, RandomJoint& joint,
                         std::size_t& steps, Visitor& visitor) {
    constexpr std::size_t steps_between_looks = 16;  // at the clock; steps of an interpreter may take milliseconds
    const auto play = [&] {
        for (steps = 0; !position.terminal(); ++steps) {
            if (steps >= options.max_steps) return PlayoutEnd::too_long;
            if (steps % steps_between_looks == 0 && options.stop.now()) return PlayoutEnd::stopped;
            if (!visitor.on_state(position, steps)) return PlayoutEnd::left;
            if (!joint.draw(position, random)) return PlayoutEnd::no_legal_move;
            visitor.on_moves(position, joint);
            position.advance(joint.moves);
        }
        return PlayoutEnd::terminal;
    };
    joint.stuck.reset();
    const PlayoutEnd end = play();
    visitor.on_end(position, end, steps);
    return end;
}

}  // namespace stratagem::machine
