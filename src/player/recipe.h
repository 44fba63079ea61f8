// A recipe: how a player plays, said before any game is known.
//
// It names a search for each kind of game and an evaluator, with options, and is bound to a game later (engine.h).
// Written as the name of an entry (recipe_table.h) or as SEARCH+EVALUATOR, with options after a colon: "uct",
// "nex:pieces=10", "alphabeta:nonuniform=off+fuzzy:power=5" (recipe_text.h). An option goes to every search of the
// recipe that has it, or to the evaluator; `threads`, `table`, `ponder` and `nodes` belong to every recipe. An option
// that would have no effect is an error, unless its value is the one it has anyway.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "player/recipe_table.h"
#include "player/recipe_text.h"
#include "search/registry.h"
#include "util/options.h"

namespace stratagem::player {

class Recipe {
  public:
    using MakeSearch =
        std::function<std::unique_ptr<search::Search>(const search::Problem&, const search::SearchSettings&)>;

    // Throws OptionError, which says what would be right, for a recipe or option there is not, for options that cannot
    // work together, and for those without effect.
    explicit Recipe(std::string_view text);
    // Anything that can choose, outside of the tables.
    Recipe(std::string name, MakeSearch make);

    // As written, without spaces.
    const std::string& text() const { return text_; }
    // Null for one outside of the tables, which has make() instead. Lives as long as the recipe or a copy of it.
    const RecipeEntry* entry() const { return entry_.get(); }
    // Written as SEARCH+EVALUATOR.
    bool is_pair() const { return entry_ != nullptr && find_recipe(entry_->name) == nullptr; }
    const MakeSearch& make() const { return make_; }
    // What the entry says of one of its searches, and on top of it what people gave.
    std::string options_for(const RecipeSearch& chosen) const;
    // The same by its name; empty for one that is not the recipe's.
    std::string options_for_search(std::string_view name) const;
    // What the entry says of its evaluator, and on top of it what people gave.
    std::string options_for_evaluator() const;
    // Options of its searches that people gave.
    const std::vector<std::string>& given() const { return given_; }

    // The options every recipe has, as this one says.
    const OptionValues& common() const { return common_; }
    // Nothing where the recipe leaves it to the player's settings.
    std::optional<std::size_t> threads() const;
    std::optional<std::size_t> table_megabytes() const;
    std::optional<bool> ponder() const;
    // So many nodes for each move, whatever the clock says (player.h).
    std::optional<std::uint64_t> nodes() const;

  private:
    // Sorts options into those of every recipe, of searches and of the evaluator.
    void take(const std::vector<std::string>& options, bool to_searches, bool to_evaluator);
    void check_effect(const std::string& given) const;
    void check_evaluator() const;
    // What a search has where people give nothing.
    std::string base_for(const RecipeSearch& chosen) const;

    std::string text_;
    std::shared_ptr<const RecipeEntry> entry_;
    MakeSearch make_;
    std::vector<std::string> given_common_;
    std::vector<std::string> given_;            // of searches: "name=value"
    std::vector<std::string> given_evaluator_;  // of the evaluator
    OptionValues common_;
};

}  // namespace stratagem::player
