// The search that one heuristic is used in, by kind of game, as in Kuhlmann's thesis (section 4.5): alpha-beta against
// everybody else, deeper and deeper, with a table whose keys leave step counters out; where several move at once the
// others do so by chance. A game for one is searched for its best end.
#pragma once

#include <string>
#include <string_view>

#include "search/registry.h"

namespace stratagem::search {

struct InnerSearch {
    const SearchEntry* entry = nullptr;  // it can handle the game
    std::string options;
};

// `wanted`: the name of a search, or "auto"; one that cannot handle the game is as good as none.
InnerSearch inner_search(const Problem& problem, std::string_view wanted = "auto");

}  // namespace stratagem::search
