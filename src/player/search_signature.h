// One number for what the searches do on a game: a change of it is a change of play.
//
// Every registered search that can handle the game thinks about a few positions with one thread, one seed and a fixed
// number of nodes, and what it answers is hashed. The clock plays no part, so the number is the same in every run; it
// may differ between computers whose floating-point arithmetic does.
#pragma once

#include <cstdint>
#include <memory>

#include "machine/game.h"

namespace stratagem::player {

struct SearchSignatureOptions {
    std::uint64_t seed = 1;
    std::uint64_t max_nodes = 300;  // of each search
    std::size_t positions = 2;      // the initial one, and others after random moves
    std::size_t max_gates = 3000;   // larger games are left out: they take longer than they tell
};

// 0 for a game that is left out.
std::uint64_t search_signature(const std::shared_ptr<const machine::Game>& game,
                               const SearchSignatureOptions& options = {});

}  // namespace stratagem::player
