#include "player/spelled_out.h"

#include <fmt/format.h>

#include <algorithm>

#include "search/registry.h"

namespace stratagem::player {

namespace {

void add(std::string& options, const std::string& more) {
    if (!more.empty()) options += (options.empty() ? "" : ",") + more;
}

// One search of a recipe may take a value that another one does not know.
bool takes(const Option& option, std::string_view given) {
    const std::size_t equals = given.find('=');
    if (equals == std::string_view::npos) return option.kind == Option::Kind::flag;
    return accepts(option, given.substr(equals + 1));
}

std::string named(std::string_view name, const std::string& options) {
    return fmt::format("{}{}{}", name, options.empty() ? "" : ":", options);
}

}  // namespace

std::vector<SearchOption> search_options(const Recipe& recipe) {
    std::vector<SearchOption> found;
    if (recipe.entry() == nullptr) return found;
    for (const RecipeSearch& one : recipe.entry()->searches) {
        const search::SearchEntry* search = search::find_search(one.name);
        if (search == nullptr) continue;
        const OptionValues values(search->options, recipe.options_for(one));
        for (const Option& option : search->options) {
            const std::string& value = values.text(option.name);
            const auto same = std::ranges::find_if(found, [&](const SearchOption& other) {
                return other.option.name == option.name && other.value == value;
            });
            if (same == found.end()) {
                found.push_back({option, value, {one.name}});
            } else {
                same->searches.push_back(one.name);
            }
        }
    }
    return found;
}

std::string spelled_out(const Recipe& recipe, const PlayerSettings& settings) {
    const RecipeEntry* entry = recipe.entry();
    if (entry == nullptr) return recipe.text();
    std::string searching;
    const std::vector<SearchOption> options = search_options(recipe);
    for (const SearchOption& one : options) {
        const std::string_view name = one.option.name;
        const auto alike = std::ranges::count_if(options, [&](const auto& other) { return other.option.name == name; });
        const bool given = std::ranges::any_of(recipe.given(), [&](const std::string& item) {
            return option_name(item) == name && takes(one.option, item);
        });
        // Where searches call different things by one name, each has its own default as long as nothing is said.
        if (alike == 1 || given) add(searching, fmt::format("{}={}", name, one.value));
    }
    std::string judging = OptionValues(evaluator_options(*entry), recipe.options_for_evaluator()).to_text();
    const std::optional<std::uint64_t> nodes = recipe.nodes() ? recipe.nodes() : settings.nodes;
    std::string common =
        fmt::format("threads={},table={},ponder={}", recipe.threads().value_or(nodes ? 1 : settings.search.threads),
                    recipe.table_megabytes().value_or(settings.search.table_megabytes),
                    !nodes && recipe.ponder().value_or(settings.ponder) ? "on" : "off");
    if (nodes) add(common, fmt::format("nodes={}", *nodes));
    if (recipe.is_pair()) {
        add(judging, common);
        return fmt::format("{}+{}", named(entry->searches.front().name, searching), named(entry->evaluator, judging));
    }
    add(searching, judging);
    add(searching, common);
    return named(entry->name, searching);
}

std::vector<std::string> searches_spelled_out(const Recipe& recipe) {
    std::vector<std::string> all;
    if (recipe.entry() == nullptr) return all;
    for (const RecipeSearch& one : recipe.entry()->searches) {
        const search::SearchEntry* found = search::find_search(one.name);
        all.push_back(
            named(one.name, found == nullptr ? "" : OptionValues(found->options, recipe.options_for(one)).to_text()));
    }
    return all;
}

}  // namespace stratagem::player
