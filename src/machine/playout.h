// A game played to its end by chance: every role, the one named `random` like the others, chooses uniformly among its
// legal moves. What is wrong with the game on the way is part of the answer, not an exception.
#pragma once

#include <cstddef>
#include <optional>
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
};

struct Playout {
    PlayoutEnd end = PlayoutEnd::terminal;
    std::size_t steps = 0;                  // joint moves made
    std::optional<Role> stuck;              // the first role without a move
    std::vector<std::optional<int>> goals;  // by role, of the last state when terminal; nothing: none or several hold
    State last;                             // where it ended
    std::vector<Move> moves;                // all joint moves, one after the other, if they were asked for
};

struct PlayoutOptions {
    std::size_t max_steps = 100'000;
    bool record_moves = false;
    Stop stop;
};

// Keeps its work space, so that after the first games nothing is allocated.
class RandomPlay {
  public:
    explicit RandomPlay(Machine& machine) : machine_(machine), joint_(machine.role_count()) {}

    // Valid until the next call.
    const Playout& play(Random& random, const PlayoutOptions& options = {}) {
        return play(random, options, machine_.initial());
    }
    const Playout& play(Random& random, const PlayoutOptions& options, const State& start);

  private:
    const Playout& play_on(Random& random, const PlayoutOptions& options, const State& start);
    // Draws a joint move in the current state; false when a role has none.
    bool choose(Random& random);

    Machine& machine_;
    Playout result_;
    State next_;
    std::vector<Move> joint_;
    std::vector<Move> legal_;
};

}  // namespace stratagem::machine
