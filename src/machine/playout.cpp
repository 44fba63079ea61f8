#include "machine/playout.h"

namespace stratagem::machine {

const Playout& RandomPlay::play(Random& random, const PlayoutOptions& options, const State& start) {
    PlayVisitor nobody;
    return play(random, options, start, nobody);
}

void RandomPlay::finish(PlayoutEnd end) {
    result_.end = end;
    result_.stuck = end == PlayoutEnd::no_legal_move ? joint_.stuck : std::nullopt;
    result_.last = position_.current();
    result_.goals.clear();
    if (end != PlayoutEnd::terminal) return;
    for (std::uint32_t role = 0; role < position_.role_count(); ++role) {
        result_.goals.push_back(position_.goal(Role{role}));
    }
}

}  // namespace stratagem::machine
