// The recipes there are under a name of their own, and those that are made of a search and an evaluator when asked for.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluate/registry.h"
#include "search/registry.h"
#include "util/options.h"

namespace stratagem::player {

// Games of a kind, by what is known of them.
struct GamesOfKind {
    std::string_view words;  // "where …"
    bool (*includes)(const analysis::GameKind&);
};

// A search a recipe may use, with options that differ from their defaults.
struct RecipeSearch {
    std::string_view name;
    std::string_view options = {};
    // Of the games it can handle, those it is used for; null: all of them.
    const GamesOfKind* only = nullptr;
};

struct RecipeEntry {
    std::string_view name;
    std::string_view about;
    // In order of preference: the first that can handle the game, and is used for games of its kind, plays it.
    std::span<const RecipeSearch> searches;
    // Part of the start clock goes into solving the game; what is solved is played by the solver.
    bool solve_first = false;
    // What states are judged by, where they are not all worth the same.
    std::string_view evaluator = {};
    // Options of the evaluator that differ from their defaults; those given by people go before.
    std::string_view judging = {};

    // It is called by the search that people want first: others only play games that this one cannot handle.
    bool names_search() const { return name.substr(0, name.find('+')) == searches.front().name; }
};

std::span<const RecipeEntry> recipe_table();
const RecipeEntry* find_recipe(std::string_view name);
// For a name that find_recipe() does not find: that there is none, and which one may be meant.
std::string unknown_recipe(std::string_view name);

// An entry that is in no table: a search, with others for the games it cannot handle, and an evaluator. Throws
// OptionError for names there are not.
std::shared_ptr<const RecipeEntry> make_pair_entry(const std::string& search, const std::string& evaluator);

// The options every recipe has.
std::span<const Option> recipe_options();
// Null for recipes without an evaluator, and for the constant one, which is none.
const evaluate::EvaluatorEntry* evaluator_of(const RecipeEntry& entry);
// None for recipes without an evaluator.
std::span<const Option> evaluator_options(const RecipeEntry& entry);
// Null where none of these is called so.
const Option* find_option(std::span<const Option> options, std::string_view name);

}  // namespace stratagem::player
