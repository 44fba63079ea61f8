// A recipe: how a player plays, said before any game is known.
//
// It names a search for each kind of game and an evaluator, with options, and is bound to a game later (engine.h).
// Written as a name, or as a name with options of its evaluator or of the search it names first: "uct",
// "uct:exploration=0.7,rave=on". The options `threads`, `table`, `ponder` and `nodes` belong to every recipe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/registry.h"
#include "util/options.h"

namespace stratagem::player {

// A search a recipe may use, with options that differ from their defaults.
struct RecipeSearch {
    std::string_view name;
    std::string_view options = {};
};

struct RecipeEntry {
    std::string_view name;
    std::string_view about;
    // In order of preference: the first that can handle the game plays it. Options given by people are those of the
    // first one.
    std::span<const RecipeSearch> searches;
    // Part of the start clock goes into solving the game; what is solved is played by the solver.
    bool solve_first = false;
    // What states are judged by, where they are not all worth the same.
    std::string_view evaluator = {};
    // Options of the evaluator that differ from their defaults; those given by people go before.
    std::string_view judging = {};
};

std::span<const RecipeEntry> recipe_table();
const RecipeEntry* find_recipe(std::string_view name);
// For a name that find_recipe() does not find: that there is none, and which one may be meant.
std::string unknown_recipe(std::string_view name);
// The options every recipe has.
std::span<const Option> recipe_options();
// Those of its first search; none for recipes that choose among searches, and where that search is not registered.
std::span<const Option> search_options(const RecipeEntry& entry);
// None for recipes without an evaluator.
std::span<const Option> evaluator_options(const RecipeEntry& entry);

class Recipe {
  public:
    using MakeSearch =
        std::function<std::unique_ptr<search::Search>(const search::Problem&, const search::SearchSettings&)>;

    // Throws OptionError, which says what would be right, for a recipe or option there is not, and for options that
    // cannot work together.
    explicit Recipe(std::string_view text);
    // Anything that can choose, outside of the tables.
    Recipe(std::string name, MakeSearch make);

    // As written, without spaces.
    const std::string& text() const { return text_; }
    // Null for one outside of the tables, which has make() instead.
    const RecipeEntry* entry() const { return entry_; }
    const MakeSearch& make() const { return make_; }
    // What the entry says of one of its searches, and on top of it what people gave.
    std::string options_for(const RecipeSearch& chosen) const;
    // What the entry says of its evaluator, and on top of it what people gave.
    std::string options_for_evaluator() const;

    // Nothing where the recipe leaves it to the player's settings.
    std::optional<std::size_t> threads() const;
    std::optional<std::size_t> table_megabytes() const;
    std::optional<bool> ponder() const;
    // So many nodes for each move, whatever the clock says (player.h).
    std::optional<std::uint64_t> nodes() const;

  private:
    std::string text_;
    const RecipeEntry* entry_ = nullptr;
    MakeSearch make_;
    OptionValues common_;
    std::vector<std::string> given_;            // options of the first search: "name=value"
    std::vector<std::string> given_evaluator_;  // of the evaluator
};

// Recipes separated by commas. What follows a comma and has a '=' before any ':' continues the options of the recipe
// before it: "uct:rave=on,mast=off,random" are two.
std::vector<std::string> split_recipes(std::string_view text);

}  // namespace stratagem::player
