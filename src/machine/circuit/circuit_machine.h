// A game run by its circuit.
//
// One Runner for all states, and one for each phase of the game (see Circuit::phases): the phase runners know who is to
// move and have fewer gates and fewer changes. Which runner serves a state is read off the state each time, so nothing
// has to be proved about phases: a state in which not exactly one of their fluents holds goes to the first runner.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "machine/circuit/circuit.h"
#include "machine/circuit/runner.h"
#include "machine/machine.h"
#include "machine/random.h"

namespace stratagem::machine {

class CircuitMachine final : public Machine {
  public:
    explicit CircuitMachine(std::shared_ptr<const Circuit> circuit);

    const Circuit& circuit() const { return *circuit_; }

    std::size_t role_count() const override { return circuit_->program().roles.size(); }
    const State& initial() const override { return initial_; }
    bool terminal(const State& state) override;
    void legal(const State& state, Role role, std::vector<Move>& moves) override;
    // Pre: legal moves.
    void next(const State& state, std::span<const Move> joint, State& result) override;
    std::optional<int> goal(const State& state, Role role) override;

    std::string role_name(Role role) const override;
    std::string fluent_name(Fluent fluent) const override;
    std::string move_name(Move move) const override;
    std::optional<Fluent> find_fluent(std::string_view name) override;
    std::optional<Move> find_move(Role role, std::string_view name) override;

    // The same questions about the machine's own current state, for loops that follow one game.
    const State& current() const { return current_; }
    void go_to(const State& state);
    bool terminal() const { return runner_->terminal(); }
    // In no particular order; valid until the state changes.
    std::span<const Move> legal(Role role) const { return runner_->legal(role); }
    void advance(std::span<const Move> joint);
    std::optional<int> goal(Role role) { return runner_->goal(role); }

    // A game of uniformly random moves from the current state to its end, or until `max_steps`. Returns the number of
    // steps; goals has one value for each role, -1 where there is none. Ends early (and says so) where a role has no
    // legal move.
    std::size_t playout(Random& random, std::vector<int>& goals, std::size_t max_steps, bool* stuck = nullptr);

    // Of all runners: see Runner::work.
    std::uint64_t work() const;

    // Recomputes everything from scratch and compares. For tests and debug builds.
    bool is_consistent() const;

  private:
    Runner& runner_for(std::span<const std::uint64_t> words);
    void make_names();

    std::shared_ptr<const Circuit> circuit_;
    State initial_;
    State current_;
    Runner* runner_ = nullptr;       // has the current state
    std::unique_ptr<Runner> whole_;  // made when a state needs it, if there are phases
    std::vector<std::unique_ptr<Runner>> phases_;
    std::vector<Move> joint_;
    std::unordered_map<std::string, Fluent> fluents_by_name_;
    std::unordered_map<std::string, Move> moves_by_name_;  // with the number of the role in front
};

}  // namespace stratagem::machine
