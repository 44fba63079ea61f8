// From what people write after --players, or into a tournament, to participants: recipes play in this process,
// addresses are players elsewhere.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "arena/entrant.h"
#include "cli/command.h"

namespace stratagem::cli {

struct EntrantOptions {
    player::PlayerSettings player;  // of recipes
    bool prepare = false;           // recipes ground the rules of each match by themselves
    player::Seconds grace{1};       // how much longer than the clock an address is waited for
    bool scramble = false;          // an address gets the rules under names of its own
};

// --nodes: budgets in the place of clocks.
void add_nodes_option(CLI::App& command, player::PlayerSettings& settings);

// "http://host:port".
bool is_address(std::string_view text);

// For the referee, and for recipes that do not prepare by themselves. No clock ends the preparing of games where some
// of these players are given nodes in the place of time.
machine::MachineOptions machine_options(std::span<const arena::Entrant> entrants, player::PlayerSettings settings);

// Throws OptionError for a recipe or address that cannot be.
arena::Entrant make_entrant(const std::string& name, const std::string& text, const EntrantOptions& options);

}  // namespace stratagem::cli
