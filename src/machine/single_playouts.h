// Random games one after the other, on a circuit or any other machine: what every game can do (Game::make_playouts has
// the fastest there are).
#pragma once

#include <cstdint>
#include <memory>

#include "machine/playouts.h"

namespace stratagem::machine {

class Game;

std::unique_ptr<Playouts> make_single_playouts(const Game& game, std::uint64_t seed, std::uint64_t stream = 0);

}  // namespace stratagem::machine
