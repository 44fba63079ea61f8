#include "gdl/check/spelling.h"

#include <fmt/format.h>

#include <algorithm>

#include "util/edit_distance.h"

namespace stratagem::gdl::passes {

std::string_view Speller::nearest(std::string_view word) {
    constexpr std::size_t longest = 100;
    if (word.size() < 2 || word.size() > longest) return {};
    // Two letters let swapped neighbours through; in a short word they would let anything through.
    std::size_t limit = word.size() < 4 ? 1 : std::max<std::size_t>(2, word.size() / 3);
    std::string_view best;
    for (const std::string_view name : names_) {
        const bool near = name.size() <= word.size() + limit && word.size() <= name.size() + limit;
        const std::size_t cost = near ? name.size() * word.size() + 1 : 1;
        if (cost > budget_) return best;
        budget_ -= cost;
        if (!near || name == word) continue;
        const std::size_t apart = edit_distance(word, name, limit);
        if (apart > limit) continue;
        best = name;
        limit = apart - 1;
        if (limit == 0) break;
    }
    return best;
}

std::string Speller::hint(std::string_view word, std::string_view what) {
    const std::string_view name = nearest(word);
    return name.empty() ? std::string{} : fmt::format("did you mean {} '{}'?", what, name);
}

}  // namespace stratagem::gdl::passes
