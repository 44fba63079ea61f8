#include "evaluate/feature_tree/variation.h"

#include <bit>

namespace stratagem::evaluate::feature_tree {

Variation::Variation(const Sums& sums)
    : sums_(sums), change_(sums.features(), 0), words_((sums.fluents() + 63) / 64, 0), varies_(sums.features(), false) {
    drop_varying();
}

// What varies need not be followed any more, and most features soon do.
void Variation::drop_varying() {
    first_use_.assign(sums_.fluents() + 1, 0);
    uses_.clear();
    const auto for_each = [&](auto&& visit) {
        for (std::size_t feature = 0; feature < sums_.features(); ++feature) {
            if (varies_[feature]) continue;
            for (const Sums::Part& part : sums_.of(feature)) visit(static_cast<std::uint32_t>(feature), part);
        }
    };
    for_each([&](std::uint32_t, const Sums::Part& part) { ++first_use_[ground::index(part.fluent) + 1]; });
    for (std::size_t i = 1; i < first_use_.size(); ++i) first_use_[i] += first_use_[i - 1];
    uses_.resize(first_use_.back());
    std::vector<std::size_t> next(first_use_.begin(), first_use_.end() - 1);
    for_each([&](std::uint32_t feature, const Sums::Part& part) {
        uses_[next[ground::index(part.fluent)]++] = {feature, part.times};
    });
    count_used_ = count_;
}

void Variation::see(const machine::State& state) {
    const std::span<const std::uint64_t> words = state.words();
    for (std::size_t w = 0; w < words_.size(); ++w) {
        const std::uint64_t now = w < words.size() ? words[w] : 0;
        for (std::uint64_t changed = has_seen_ ? now ^ words_[w] : 0; changed != 0; changed &= changed - 1) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(changed));
            const bool holds = (now >> bit & 1U) != 0;
            const std::size_t fluent = w * 64 + bit;
            for (std::size_t i = first_use_[fluent]; i < first_use_[fluent + 1]; ++i) {
                const Use& use = uses_[i];
                change_[use.feature] += holds ? std::int64_t{use.times} : -std::int64_t{use.times};
                if (!varies_[use.feature]) touched_.push_back(use.feature);
            }
        }
        words_[w] = now;
    }
    has_seen_ = true;
    for (const std::uint32_t feature : touched_) {
        if (varies_[feature] || change_[feature] == 0) continue;
        varies_[feature] = true;
        ++count_;
    }
    touched_.clear();
    // Seldom enough: each time half of what was left is gone.
    if (2 * (count_ - count_used_) > sums_.features() - count_used_) drop_varying();
}

}  // namespace stratagem::evaluate::feature_tree
