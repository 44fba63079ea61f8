#include "player/spelled_out.h"

#include <fmt/format.h>

#include "search/registry.h"

namespace stratagem::player {

std::string spelled_out(const Recipe& recipe, const PlayerSettings& settings) {
    const RecipeEntry* entry = recipe.entry();
    if (entry == nullptr) return recipe.text();
    std::string text(entry->name);
    const auto add = [&](const std::string& options) {
        if (!options.empty()) text += (text == entry->name ? ":" : ",") + options;
    };
    add(OptionValues(search_options(*entry), recipe.options_for(entry->searches.front())).to_text());
    add(OptionValues(evaluator_options(*entry), recipe.options_for_evaluator()).to_text());
    const std::optional<std::uint64_t> nodes = recipe.nodes() ? recipe.nodes() : settings.nodes;
    add(fmt::format("threads={},table={},ponder={}", recipe.threads().value_or(nodes ? 1 : settings.search.threads),
                    recipe.table_megabytes().value_or(settings.search.table_megabytes),
                    !nodes && recipe.ponder().value_or(settings.ponder) ? "on" : "off"));
    if (nodes) add(fmt::format("nodes={}", *nodes));
    return text;
}

std::vector<std::string> searches_spelled_out(const Recipe& recipe) {
    std::vector<std::string> all;
    if (recipe.entry() == nullptr) return all;
    for (const RecipeSearch& one : recipe.entry()->searches) {
        const search::SearchEntry* found = search::find_search(one.name);
        const std::string options =
            found == nullptr ? "" : OptionValues(found->options, recipe.options_for(one)).to_text();
        all.push_back(fmt::format("{}{}{}", one.name, options.empty() ? "" : ":", options));
    }
    return all;
}

}  // namespace stratagem::player
