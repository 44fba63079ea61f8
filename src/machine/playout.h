// A game played to its end by chance, by any machine. What is wrong with the game on the way is part of the answer, not
// an exception.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "machine/limits.h"
#include "machine/question_deadline.h"
#include "machine/random_play.h"

namespace stratagem::machine {

struct Playout {
    PlayoutEnd end = PlayoutEnd::terminal;
    std::size_t steps = 0;                  // joint moves made
    std::optional<Role> stuck;              // the first role without a move
    std::vector<std::optional<int>> goals;  // by role, of the last state when terminal; nothing: none or several hold
    State last;                             // where it ended
    std::vector<Move> moves;                // all joint moves, one after the other, if they were asked for
};

// Keeps its work space, so that after the first games nothing is allocated.
class RandomPlay {
  public:
    explicit RandomPlay(Machine& machine) : machine_(machine), position_(machine) {}

    // Valid until the next call.
    const Playout& play(Random& random, const PlayoutOptions& options = {}) {
        return play(random, options, machine_.initial());
    }
    const Playout& play(Random& random, const PlayoutOptions& options, const State& start);
    // A visitor hears of it (random_play.h); the position it is shown is a MachinePosition. Where time is up within a
    // question to the machine it does not hear of the end.
    template <typename Visitor>
    const Playout& play(Random& random, const PlayoutOptions& options, const State& start, Visitor& visitor);

  private:
    // Keeps the moves for the answer.
    template <typename Visitor>
    struct Recorder {
        bool on_state(MachinePosition& position, std::size_t step) { return visitor.on_state(position, step); }
        void on_moves(MachinePosition& position, const RandomJoint& joint) {
            if (record) moves.insert(moves.end(), joint.moves.begin(), joint.moves.end());
            visitor.on_moves(position, joint);
        }
        void on_end(MachinePosition& position, PlayoutEnd end, std::size_t steps) {
            visitor.on_end(position, end, steps);
        }

        Visitor& visitor;
        std::vector<Move>& moves;
        bool record;
    };

    void finish(PlayoutEnd end);

    Machine& machine_;
    MachinePosition position_;
    RandomJoint joint_;
    Playout result_;
};

template <typename Visitor>
const Playout& RandomPlay::play(Random& random, const PlayoutOptions& options, const State& start, Visitor& visitor) {
    const QuestionDeadline bounded(machine_, options.stop);
    position_.go_to(start);
    result_.moves.clear();
    Recorder<Visitor> recorder{visitor, result_.moves, options.record_moves};
    try {
        finish(play_randomly(position_, random, options, joint_, result_.steps, recorder));
    } catch (const LimitExceeded&) {
        if (!options.stop.now()) throw;
        finish(PlayoutEnd::stopped);
    }
    return result_;
}

}  // namespace stratagem::machine
