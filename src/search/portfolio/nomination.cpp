#include "search/portfolio/nomination.h"

#include <tuple>
#include <vector>

namespace stratagem::search {

std::optional<std::size_t> choose_nomination(std::span<const Nomination> nominations, Prefer prefer,
                                             machine::Random* random) {
    using Rank = std::tuple<int, double>;
    const auto rank = [&](const Nomination& one) -> Rank {
        const double better = prefer == Prefer::depth ? one.choice.depth : one.choice.value;
        if (one.choice.proved) return {3, one.choice.value};
        if (!one.blind && one.choice.judged) return {2, better};
        return {one.choice.judged ? 1 : 0, better};
    };
    std::vector<std::size_t> best;
    Rank best_rank;
    for (std::size_t i = 0; i < nominations.size(); ++i) {
        if (!nominations[i].choice.move) continue;
        const Rank here = rank(nominations[i]);
        if (!best.empty() && here < best_rank) continue;
        if (best.empty() || here > best_rank) best.clear();
        best_rank = here;
        best.push_back(i);
    }
    if (best.empty()) return {};
    return best[random == nullptr ? 0 : random->below(static_cast<std::uint32_t>(best.size()))];
}

}  // namespace stratagem::search
