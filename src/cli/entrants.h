// From what people write after --players, or into a tournament, to participants: recipes play here, in this process or
// in one of their own, addresses are players elsewhere.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "arena/entrant.h"
#include "cli/command.h"

namespace stratagem::cli {

// Which recipes think in processes of their own. Those that think about nothing (random, legal) can hardly fail, and a
// tournament of thousands of their matches would be busy starting processes.
enum class Isolation { none, thinkers, all };

struct EntrantOptions {
    player::PlayerSettings player;  // of recipes
    bool prepare = false;           // recipes ground the rules of each match by themselves
    player::Seconds grace{1};       // how much longer than the clock an address is waited for
    bool scramble = false;          // an address gets the rules under names of its own
    Isolation isolation = Isolation::none;
    std::size_t memory = 0;  // megabytes of each such process; 0: no limit
};

// --nodes: budgets in the place of clocks.
void add_nodes_option(CLI::App& command, player::PlayerSettings& settings);

// Recipes that think about nothing, random and legal, can hardly fail, and nothing is simpler.
bool thinks(const player::Recipe& recipe);

// "http://host:port".
bool is_address(std::string_view text);

// For the referee, and for recipes that do not prepare by themselves. No clock ends the preparing of games where some
// of these players are given nodes in the place of time.
machine::MachineOptions machine_options(std::span<const arena::Entrant> entrants, player::PlayerSettings settings);

// Throws OptionError for a recipe or address that cannot be.
arena::Entrant make_entrant(const std::string& name, const std::string& text, const EntrantOptions& options);

}  // namespace stratagem::cli
