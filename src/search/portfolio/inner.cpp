#include "search/portfolio/inner.h"

namespace stratagem::search {

InnerSearch inner_search(const Problem& problem, std::string_view wanted) {
    // Looking for a step counter takes each of the searches a moment, and longer than that in large games.
    constexpr std::size_t most_rules = 100'000;
    const std::shared_ptr<const ground::Program> program = problem.game->program();
    const std::string masked = program != nullptr && program->rule_count() <= most_rules ? ",mask=on" : "";
    const auto usable = [&](std::string_view name) -> const SearchEntry* {
        const SearchEntry* entry = find_search(name);
        const bool fits = entry != nullptr && entry->can_handle(problem.facts);
        return fits && (wanted == "auto" || wanted == name) ? entry : nullptr;
    };
    if (const SearchEntry* entry = usable("single")) return {entry, ""};
    if (const SearchEntry* entry = usable("alphabeta")) return {entry, "nonuniform=off" + masked};
    if (wanted == "maxn") {
        if (const SearchEntry* entry = usable("maxn")) return {entry, ""};
    }
    return {find_search("paranoid"), "nonuniform=off,others=random" + masked};
}

}  // namespace stratagem::search
