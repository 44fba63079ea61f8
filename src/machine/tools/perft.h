// Counting: how many ways there are to play the first n steps of a game, and how many states they lead to.
//
// The usual way to compare two implementations of a game's rules. Paths are counted level by level over the distinct
// states, each with the number of paths that reach it, so that a state is expanded once however many paths lead there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "machine/machine.h"
#include "machine/stop.h"

namespace stratagem::machine {

struct PerftLevel {
    std::size_t depth = 0;
    std::uint64_t nodes = 0;      // joint-move paths of this length from the initial state
    std::uint64_t terminals = 0;  // of these, those that end here
    std::uint64_t stuck = 0;      // of the others, those where some role has no legal move
    std::uint64_t distinct = 0;   // different states they lead to
    double seconds = 0;           // for this level
};

struct PerftOptions {
    std::size_t max_depth = 0;
    std::size_t max_bytes = std::size_t{4} << 30;  // for the states of two levels, roughly
    Stop stop;
};

enum class PerftEnd { complete, stopped, out_of_memory, too_many_paths };

// Calls `report` for each level from 0 on, as soon as it is complete. Levels after the last game's end have no nodes
// and are left out.
PerftEnd perft(Machine& machine, const PerftOptions& options, const std::function<void(const PerftLevel&)>& report);

}  // namespace stratagem::machine
