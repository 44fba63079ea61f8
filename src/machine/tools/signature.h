// One number for what a machine does on a game: the same for every correct machine, numbering and computer.
//
// Random games are played with moves chosen among names in alphabetical order, and everything seen on the way (states,
// moves, legal moves, goals) is hashed by name. A change of this number is a change of meaning.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/machine.h"

namespace stratagem::machine {

struct SignatureOptions {
    std::uint64_t seed = 1;
    std::size_t games = 3;
    std::size_t max_steps = 60;  // in all games together
};

std::uint64_t signature(Machine& machine, const SignatureOptions& options = {});

}  // namespace stratagem::machine
