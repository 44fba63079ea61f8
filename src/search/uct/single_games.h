// Games one after the other on a machine of one's own: what a search does where there are no lanes, and where a playout
// must be more than chance (moves preferred by their averages, moves remembered, games ended early by an evaluator).
#pragma once

#include <cstdint>
#include <vector>

#include "evaluate/evaluator.h"
#include "machine/circuit/circuit_machine.h"
#include "machine/machine.h"
#include "machine/random.h"
#include "machine/stop.h"
#include "search/uct/policy.h"

namespace stratagem::search::uct {

struct SingleGamesOptions {
    std::size_t max_steps = 100'000;
    bool record = false;                       // remember the moves made
    double greedy = 0;                         // how often the best move by averages is made instead of any
    evaluate::Evaluation* opinions = nullptr;  // where given: ends games that reach the limit of moves
};

class SingleGames {
  public:
    // `averages` may be null: every move is as good as any other.
    SingleGames(machine::Machine& machine, const MoveAverages* averages, const SingleGamesOptions& options)
        : machine_(machine),
          circuit_(dynamic_cast<machine::CircuitMachine*>(&machine)),
          averages_(averages),
          options_(options),
          joint_(machine.role_count()),
          goals_(machine.role_count(), 0) {}

    // False when stopped, or cut without an evaluator to say what it is worth.
    bool play(const State& start, machine::Random& random, const machine::Stop& stop);

    // Of the last game.
    const std::vector<double>& goals() const { return goals_; }
    const std::vector<Move>& moves() const { return moves_; }  // of all roles, if recorded
    std::uint64_t steps() const { return steps_; }
    // By the rules: terminal or stuck.
    bool ended() const { return ended_; }

  private:
    enum class End { terminal, stuck, cut, stopped };

    // The same loop for circuits, which stay in their own current state, and for any machine.
    template <typename Position>
    End run(Position position, machine::Random& random, const machine::Stop& stop);
    Move choose(std::span<const Move> legal, machine::Random& random) const;

    machine::Machine& machine_;
    machine::CircuitMachine* circuit_;
    const MoveAverages* averages_;
    SingleGamesOptions options_;
    State state_;
    State next_;
    std::vector<Move> joint_;
    std::vector<Move> legal_;
    std::vector<double> goals_;
    std::vector<Move> moves_;
    std::uint64_t steps_ = 0;
    bool ended_ = false;
};

}  // namespace stratagem::search::uct
