// What there is to look at before a game is drawn.
#pragma once

#include <string>
#include <vector>

#include "machine/game.h"
#include "view/coordinate_order.h"
#include "view/fluent_text.h"

namespace stratagem::view {

using FluentTexts = std::vector<FluentText>;

// `fluents` are all the game can ever have, as far as known.
struct BoardEvidence {
    FluentTexts fluents;
    std::vector<FluentTexts> states;  // played, the initial one first
    CoordinateOrder order;
    std::vector<std::string> roles;
};

// Looks at a game for a moment: all fluents it has, their order, and the states of a few random games.
BoardEvidence look_at(const machine::Game& game);

}  // namespace stratagem::view
