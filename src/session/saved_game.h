// A game put away and taken up again: a small JSON file.
//
// It holds what cannot be worked out: which game, who plays, and the moves. The rules are known by a number over their
// meaningful text, so that a file is never taken up with other rules; comments and layout may change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/game.h"

namespace stratagem::session {

struct SavedGame {
    std::string game;                  // as a person would name it: a bundled game or a path
    std::string rules;                 // rules_hash() in hexadecimal
    std::string role;                  // of the person; empty: nobody
    std::vector<std::string> against;  // recipes of the others, in the order of roles
    std::string hints;                 // recipe that gives hints
    double clock = 0;                  // seconds for each move
    std::uint64_t seed = 0;
    std::vector<std::vector<std::string>> moves;  // joint moves

    friend bool operator==(const SavedGame&, const SavedGame&) = default;
};

// The same for the same rules in the same order, whatever their layout.
std::string rules_hash(const machine::Game& game);

std::string to_json(const SavedGame& saved);
// Nothing when the text is not such a file; `problem` says why.
std::optional<SavedGame> read_saved_game(std::string_view text, std::string& problem);

// Either the whole file or nothing of it is there afterwards, whatever happens meanwhile. Returns what went wrong, or
// nothing.
std::string write_saved_game(const std::string& path, const SavedGame& saved);
std::optional<SavedGame> load_saved_game(const std::string& path, std::string& problem);

}  // namespace stratagem::session
