#include "machine/playout.h"

#include "machine/limits.h"
#include "machine/question_deadline.h"

namespace stratagem::machine {

bool RandomPlay::choose(Random& random) {
    for (std::uint32_t role = 0; role < joint_.size(); ++role) {
        machine_.legal(result_.last, Role{role}, legal_);
        if (legal_.empty()) {
            result_.stuck = Role{role};
            return false;
        }
        joint_[role] = legal_[random.below(static_cast<std::uint32_t>(legal_.size()))];
    }
    return true;
}

const Playout& RandomPlay::play(Random& random, const PlayoutOptions& options, const State& start) {
    const QuestionDeadline bounded(machine_, options.stop);
    try {
        return play_on(random, options, start);
    } catch (const LimitExceeded&) {
        if (!options.stop.now()) throw;
        result_.end = PlayoutEnd::stopped;
        return result_;
    }
}

const Playout& RandomPlay::play_on(Random& random, const PlayoutOptions& options, const State& start) {
    constexpr std::size_t steps_between_looks = 16;  // at the clock; steps of an interpreter may take milliseconds
    result_.steps = 0;
    result_.stuck.reset();
    result_.goals.clear();
    result_.moves.clear();
    result_.last = start;
    const auto end = [this](PlayoutEnd how) -> const Playout& {
        result_.end = how;
        return result_;
    };
    while (!machine_.terminal(result_.last)) {
        if (result_.steps >= options.max_steps) return end(PlayoutEnd::too_long);
        if (result_.steps % steps_between_looks == 0 && options.stop.now()) return end(PlayoutEnd::stopped);
        if (!choose(random)) return end(PlayoutEnd::no_legal_move);
        if (options.record_moves) result_.moves.insert(result_.moves.end(), joint_.begin(), joint_.end());
        machine_.next(result_.last, joint_, next_);
        std::swap(result_.last, next_);
        ++result_.steps;
    }
    for (std::uint32_t role = 0; role < joint_.size(); ++role) {
        result_.goals.push_back(machine_.goal(result_.last, Role{role}));
    }
    return end(PlayoutEnd::terminal);
}

}  // namespace stratagem::machine
