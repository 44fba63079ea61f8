// Sums of weights of the fluents that hold, several at once, followed from state to state: only fluents that changed
// cost anything. Weights are whole numbers, so that a sum does not depend on the way to a state.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/state.h"
#include "util/contract.h"

namespace stratagem::evaluate::feature_tree {

// A weight as a whole number.
inline constexpr double weight_unit = 1 << 20;
inline std::int64_t whole_weight(double weight) {
    constexpr double most = 1e12;  // so that millions of them can be added up
    return static_cast<std::int64_t>(std::llround(std::clamp(weight * weight_unit, -most, most)));
}

class FluentSums {
  public:
    // By fluent, then sum; kept by whoever gave them. Pre: as many for each fluent as there are sums.
    FluentSums(std::span<const std::int64_t> weights, std::size_t sums) : weights_(weights), sums_(sums, 0) {
        STRATAGEM_EXPECTS(sums > 0 && weights.size() % sums == 0);
        words_.assign((weights.size() / sums + 63) / 64, 0);
    }

    std::span<const std::int64_t> move_to(const machine::State& state) {
        const std::span<const std::uint64_t> words = state.words();
        const std::size_t count = sums_.size();
        for (std::size_t w = 0; w < words_.size(); ++w) {
            const std::uint64_t now = w < words.size() ? words[w] : 0;
            for (std::uint64_t changed = now ^ words_[w]; changed != 0; changed &= changed - 1) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(changed));
                const std::int64_t* of_fluent = weights_.data() + (w * 64 + bit) * count;
                const std::int64_t sign = (now >> bit & 1U) != 0 ? 1 : -1;
                for (std::size_t i = 0; i < count; ++i) sums_[i] += sign * of_fluent[i];
            }
            words_[w] = now;
        }
        return sums_;
    }

  private:
    std::span<const std::int64_t> weights_;
    std::vector<std::int64_t> sums_;
    std::vector<std::uint64_t> words_;
};

}  // namespace stratagem::evaluate::feature_tree
