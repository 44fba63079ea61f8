// How many random games a second: the one measure that all general players are compared by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "machine/game.h"
#include "machine/stop.h"

namespace stratagem::machine {

struct BenchOptions {
    std::size_t threads = 1;
    std::uint64_t seed = 1;
    std::size_t max_steps = 100'000;  // games longer than this are cut, and counted
    bool statistics = false;          // collect statistics of moves and fluents meanwhile
};

struct BenchResult {
    std::size_t playouts = 0;  // complete games, those that were cut or got stuck among them
    std::size_t steps = 0;     // of these
    std::size_t too_long = 0;
    std::size_t stuck = 0;    // some role had no legal move
    double seconds = 0;       // from the first step of the first thread to the last of the last
    std::size_t samples = 0;  // positions in the statistics
    std::string fault;        // a thread ended early, and why
    bool limit_hit = false;   // the fault is a limit
};

// Plays until `stop`; every thread has a machine and a stream of random numbers of its own. Calls `tick` a few times a
// second from the calling thread.
BenchResult bench_playouts(
    const Game& game, const BenchOptions& options, const Stop& stop, const std::function<void()>& tick = [] {});

}  // namespace stratagem::machine
