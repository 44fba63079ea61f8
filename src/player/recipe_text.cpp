#include "player/recipe_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "util/options.h"

namespace stratagem::player {

namespace {

// Of a '+' between parts, from a place on; not the one of a number, 1e+06, which no name follows.
std::size_t find_plus(std::string_view text, std::size_t from = 0) {
    for (std::size_t at = text.find('+', from); at != std::string_view::npos; at = text.find('+', at + 1)) {
        if (at + 1 == text.size() || text[at + 1] < '0' || text[at + 1] > '9') return at;
    }
    return std::string_view::npos;
}

RecipePart read_part(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return {std::string(text), {}};
    return {std::string(text.substr(0, colon)), split_options(text.substr(colon + 1))};
}

}  // namespace

std::string without_spaces(std::string_view text) {
    std::string kept;
    std::ranges::copy_if(text, std::back_inserter(kept), [](char c) { return c != ' ' && c != '\t'; });
    return kept;
}

RecipeText read_recipe(std::string_view given) {
    const std::string text = without_spaces(given);
    const std::size_t plus = find_plus(text);
    if (plus == std::string::npos) return {read_part(text), std::nullopt};
    if (find_plus(text, plus + 1) != std::string::npos) {
        throw OptionError(fmt::format("'{}' has more than one '+'; a recipe is a name or SEARCH+EVALUATOR", text));
    }
    const std::string_view view = text;
    return {read_part(view.substr(0, plus)), read_part(view.substr(plus + 1))};
}

std::vector<std::string> split_options(std::string_view options) {
    std::vector<std::string> items;
    while (!options.empty()) {
        const std::size_t end = std::min(options.find(','), options.size());
        if (end > 0) items.emplace_back(options.substr(0, end));
        options.remove_prefix(std::min(end + 1, options.size()));
    }
    return items;
}

std::string_view option_name(std::string_view option) { return option.substr(0, option.find('=')); }

std::string overlaid(std::string_view options, const std::vector<std::string>& others) {
    std::vector<std::string> items = split_options(options);
    for (const std::string& one : others) {
        std::erase_if(items, [&](const std::string& item) { return option_name(item) == option_name(one); });
        items.push_back(one);
    }
    return fmt::format("{}", fmt::join(items, ","));
}

std::vector<std::string> split_recipes(std::string_view text) {
    std::vector<std::string> found;
    for (const std::string& piece : split_options(text)) {
        const std::size_t equals = piece.find('=');
        if (!found.empty() && equals != std::string::npos && equals < piece.find(':')) {
            found.back() += "," + piece;
        } else {
            found.push_back(piece);
        }
    }
    return found;
}

}  // namespace stratagem::player
