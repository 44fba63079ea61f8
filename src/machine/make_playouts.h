// The fastest playouts a game has: lanes where it can be compiled for them, else one game after the other.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "machine/make_machine.h"
#include "machine/playouts.h"

namespace stratagem::machine {

// May be called from several threads at once; each thread's playouts take a stream of their own. The first call
// compiles the game for lanes, unless the factory was asked to do so already.
// With `statistics`, playouts that can collect them, if there are any for the game. Compiling ends when the flag is
// set.
std::unique_ptr<Playouts> make_playouts(const MachineFactory& factory, std::uint64_t seed, std::uint64_t stream = 0,
                                        bool statistics = false, const std::atomic<bool>* interrupt = nullptr);

// One game after the other, on a circuit or any other machine.
std::unique_ptr<Playouts> make_single_playouts(const MachineFactory& factory, std::uint64_t seed,
                                               std::uint64_t stream = 0);

}  // namespace stratagem::machine
