// From what people write after --players, or into a tournament, to participants: recipes play in this process,
// addresses are players elsewhere.
#pragma once

#include <string>
#include <string_view>

#include "arena/entrant.h"

namespace stratagem::cli {

struct EntrantOptions {
    player::PlayerSettings player;  // of recipes
    bool prepare = false;           // recipes ground the rules of each match by themselves
    player::Seconds grace{1};       // how much longer than the clock an address is waited for
    bool scramble = false;          // an address gets the rules under names of its own
};

// "http://host:port".
bool is_address(std::string_view text);

// Throws OptionError for a recipe or address that cannot be.
arena::Entrant make_entrant(const std::string& name, const std::string& text, const EntrantOptions& options);

}  // namespace stratagem::cli
