// How recipes are written: a name, or SEARCH+EVALUATOR, each with options of its own after a colon.
//
//   uct                     nex:pieces=10,threads=2
//   uct+neural              alphabeta:nonuniform=off+fuzzy:power=5
//
// What the names and options mean is no concern here (recipe.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stratagem::player {

struct RecipePart {
    std::string name;
    std::vector<std::string> options;  // "name=value", or a flag alone
};

struct RecipeText {
    RecipePart first;                     // a recipe, or the search of a pair
    std::optional<RecipePart> evaluator;  // of a pair
};

// Without the spaces, which mean nothing. Throws OptionError where there is more than one '+'.
RecipeText read_recipe(std::string_view given);
std::string without_spaces(std::string_view text);

// Options separated by commas; empty ones do not count.
std::vector<std::string> split_options(std::string_view options);
// "name" of "name=value".
std::string_view option_name(std::string_view option);
// Options with others in the place of those of the same name.
std::string overlaid(std::string_view options, const std::vector<std::string>& others);

// Recipes separated by commas. What follows a comma and has a '=' before any ':' continues the options of the recipe
// before it: "uct:rave=on,mast=off+neural:count=3,power=5,random" are two.
std::vector<std::string> split_recipes(std::string_view text);

}  // namespace stratagem::player
