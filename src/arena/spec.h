// What a tournament is, as people write it: a JSON file. docs/arena.md explains the keys.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "player/player.h"

namespace stratagem::arena {

// Says where in the file and what would be right.
struct SpecError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct PlayerSpec {
    std::string name;
    std::string text;  // a recipe or an address
};

struct TournamentSpec {
    std::string name;
    std::vector<std::string> games;  // names of bundled games, or paths
    std::vector<PlayerSpec> players;
    std::size_t matches = 2;  // of each group of players in each game
    bool swap = true;
    player::Clocks clocks{player::Seconds(10), player::Seconds(1)};
    std::optional<std::uint64_t> nodes;  // for each move of a recipe, in the place of the clocks
    double grace = 1;
    std::uint64_t seed = 1;
    std::size_t threads = 1;  // of each search, unless its recipe says otherwise; so the next two
    std::size_t table_megabytes = 256;
    bool ponder = false;
    bool prepare = false;
    std::size_t opening = 0;  // random moves at the beginning
    std::size_t max_moves = 10'000;
    std::size_t parallel = 0;  // matches at a time; 0: as many as do not disturb each other
    std::filesystem::path database;
    std::filesystem::path report;
    std::filesystem::path records;  // a folder for JSON files; empty: none
};

// `file` names it in messages, and its folder is where paths start from; results go beside it unless the text says
// otherwise. Throws SpecError.
TournamentSpec read_spec(std::string_view text, const std::filesystem::path& file);

// Everything the results depend on, as text: two tournaments with the same key are the same. How many matches there are
// is not part of it: more can be played later. `rules`: the text of each game.
std::string tournament_key(const TournamentSpec& spec, const std::vector<std::string>& rules);

}  // namespace stratagem::arena
