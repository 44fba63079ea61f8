// Finding the text of a game from what a person typed.
//
// A game is named by a path, by the name of a bundled game (`connect_four`), by a folder in the layout of the public
// game repository (a METADATA file naming a rulesheet; of folders v0, v1 … the highest), or by `-` for standard input.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stratagem::gdl {

struct GameText {
    std::string name;  // what to call it in messages: the path or bundled name as typed, or "<stdin>"
    std::string text;
    std::string error;  // not empty: nothing could be read, and this says why

    bool ok() const { return error.empty(); }
};

// Reads at most a little more than max_source_bytes; the reader reports what is longer.
GameText find_game(const std::string& what);

// A bundled game and what the first lines of its file say of it ("; title: …").
struct GameCard {
    std::string name;
    std::filesystem::path path;  // empty: the game is part of the program
    std::string title;
    std::string about;
    std::string players;
    std::string value;  // "first player wins (…)", "draw", "unknown"

    // What find_game() finds it by, whatever the folder one is in.
    std::string source() const { return path.empty() ? name : path.string(); }
};

// The folder of bundled games: $STRATAGEM_GAMES, beside the program, or where it was built. Where there is none, the
// games that are part of the program count (embedded_games.h), unless $STRATAGEM_GAMES says otherwise.
std::optional<std::filesystem::path> bundled_games_folder();

// Sorted by name; empty when $STRATAGEM_GAMES names no folder with games.
std::vector<GameCard> bundled_games();

// Of `names`, the one nearest to `name` by edit distance; nothing when none is close.
std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& names);

}  // namespace stratagem::gdl
