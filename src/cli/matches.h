// What `match` and `host` share: players against each other in one game, told match by match and then as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arena/match.h"
#include "cli/command.h"
#include "cli/run_game.h"

namespace stratagem::cli {

struct MatchesOptions {
    std::string game;
    std::optional<gdl::Notation> notation;
    std::string players;
    std::size_t matches = 1;
    double start_clock = 10;
    double play_clock = 1;
    double grace = 1;
    bool swap = false;
    bool scramble = false;
    bool isolate = false;
    bool tell_faults = false;  // what the referee objects to, on standard error
    bool log = false;
    bool json = false;
    std::string record;    // a database
    std::string json_dir;  // a folder
    std::vector<std::string> tables;
    std::string state, moves;  // where matches begin, as people write it
    std::size_t jobs = 1;      // matches at once
    arena::MatchSettings match;
    std::optional<std::uint64_t> opening_seed;
};

// The options of both commands.
void add_matches_options(CLI::App& command, MatchesOptions& options);

// Plays them and prints what came of it; an exit code.
int run_matches(const MatchesOptions& options, Context& context);

}  // namespace stratagem::cli
