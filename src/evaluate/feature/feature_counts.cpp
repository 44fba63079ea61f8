#include "evaluate/feature/feature_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace stratagem::evaluate::feature {

std::string_view to_string(Feature feature) {
    constexpr std::array<std::string_view, feature_kinds> names{"solution cardinality",
                                                                "partial solution cardinality",
                                                                "order",
                                                                "variable distance",
                                                                "fixed distance",
                                                                "true persistence",
                                                                "false persistence",
                                                                "exclusion",
                                                                "admissible distance",
                                                                "mobility",
                                                                "depth",
                                                                "piece value",
                                                                "goal value",
                                                                "counting chain"};
    return names[static_cast<std::size_t>(feature)];
}

void FeatureCounts::skip(Feature feature, std::string_view why, std::size_t times) {
    if (times == 0) return;
    std::vector<Skipped>& skipped = counts_[static_cast<std::size_t>(feature)].skipped;
    const auto known = std::ranges::find(skipped, why, &Skipped::why);
    if (known == skipped.end()) {
        skipped.push_back({why, times});
    } else {
        known->count += times;
    }
}

void FeatureCounts::add(const FeatureCounts& other) {
    for (std::size_t i = 0; i < feature_kinds; ++i) {
        find(Feature(i), other.counts_[i].found);
        for (const Skipped& one : other.counts_[i].skipped) skip(Feature(i), one.why, one.count);
    }
}

std::size_t FeatureCounts::skipped(Feature feature) const {
    std::size_t sum = 0;
    for (const Skipped& one : of(feature).skipped) sum += one.count;
    return sum;
}

std::string FeatureCounts::to_text() const {
    std::string text;
    for (std::size_t i = 0; i < feature_kinds; ++i) {
        const Count& count = counts_[i];
        if (count.found == 0 && count.skipped.empty()) continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : "; ", to_string(Feature(i)), count.found);
        std::string skipped;
        for (const Skipped& one : count.skipped) {
            skipped += fmt::format("{}{} {}", skipped.empty() ? "" : ", ", one.count, one.why);
        }
        if (!skipped.empty()) text += fmt::format(" (skipped: {})", skipped);
    }
    return text;
}

}  // namespace stratagem::evaluate::feature
