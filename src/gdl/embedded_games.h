// The bundled games as they were when the program was built, for a program that was copied without them.
#pragma once

#include <span>
#include <string_view>

namespace stratagem::gdl {

struct EmbeddedGame {
    std::string_view name;
    std::string_view text;
};

// Sorted by name. Defined in a file that cmake/EmbedGames.cmake makes.
std::span<const EmbeddedGame> embedded_games();

}  // namespace stratagem::gdl
