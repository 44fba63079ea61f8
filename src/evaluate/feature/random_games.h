// What a few random games show, for features that kinds of games have in common: how many moves there are, what is
// often on the board, whether goals are defined before the end.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/findings.h"
#include "analysis/neutral_order.h"
#include "machine/circuit/circuit_machine.h"
#include "machine/stop.h"

namespace stratagem::evaluate::feature {

struct RandomGames {
    // `analysis` may be null: it knows an order of moves that does not depend on names.
    RandomGames(const std::shared_ptr<const machine::Circuit>& circuit, const analysis::Findings* analysis,
                const machine::Stop& stop);

    std::shared_ptr<const analysis::NeutralOrder> order;
    std::vector<double> often;        // by fluent: in how many of the states looked at
    std::vector<double> moves;        // by role: mean number where there is a choice; 1 where there never was
    std::vector<bool> goals_defined;  // by role: always, and not always the same
};

// Plays a game of random moves: `see` hears of each state before the end, `end` of the goals, -1 where there is none.
// Games that do not end in time say nothing. Returns whether there was time for one. Moves are drawn in the order,
// which may be null.
bool play_random_game(machine::CircuitMachine& machine, const analysis::NeutralOrder* order, machine::Random& random,
                      const machine::Stop& stop, const std::function<void(machine::CircuitMachine&)>& see,
                      const std::function<void(const std::vector<int>&)>& end);

// Of pairs of numbers; 0 where one of both is always the same.
class Correlation {
  public:
    void add(double x, double y);
    std::size_t count() const { return count_; }
    double value() const;

  private:
    std::size_t count_ = 0;
    double x_ = 0, y_ = 0, xx_ = 0, yy_ = 0, xy_ = 0;
};

// How many moves roles have. In games of turns nothing is known of those whose turn it is not: they count as having the
// usual number, so that a state is not worth more only because it is one's turn.
class Mobility {
  public:
    // For one thread.
    struct Memory {
        std::unique_ptr<machine::CircuitMachine> machine;
        std::vector<double> moves;  // by role: compared with the mean; 1 while only others have a choice
    };

    Mobility(std::shared_ptr<const machine::Circuit> circuit, std::vector<double> mean)
        : circuit_(std::move(circuit)), mean_(std::move(mean)) {}

    Memory make_memory() const;
    void count(const machine::State& state, Memory& memory) const;
    // Of a machine that is in the state already.
    void count(const machine::CircuitMachine& machine, std::vector<double>& moves) const;
    // How little a role is forced to do, in [0, 1).
    static double freedom(machine::Role role, const Memory& memory) {
        const double moves = memory.moves[ground::index(role)];
        return moves / (1 + moves);
    }

  private:
    std::shared_ptr<const machine::Circuit> circuit_;
    std::vector<double> mean_;  // by role
};

// What one role has more than the mean of the others.
double lead(const std::vector<double>& by_role, std::size_t role);

}  // namespace stratagem::evaluate::feature
