#include "analysis/canonical.h"

#include <algorithm>
#include <array>

namespace stratagem::analysis {

Canonical::Canonical(const ground::Program& program, const Symmetries& found) {
    // Those that keep roles are a part of all: at most one in as many as roles can be arranged.
    constexpr std::size_t looked_at = 512;
    symmetries_ = all_symmetries(program, found, looked_at);
    std::erase_if(symmetries_, [](const Symmetry& one) { return one.swaps_roles(); });
    if (symmetries_.size() > most_symmetries) symmetries_.resize(most_symmetries);
    hashes_.reserve(program.fluents.size() * symmetries_.size());
    for (const gdl::Term& fluent : program.fluents) {
        const auto number = static_cast<std::size_t>(&fluent - program.fluents.data());
        for (const Symmetry& one : symmetries_) hashes_.push_back(machine::zobrist(one.fluents[number]));
    }
}

const Symmetry& Canonical::symmetry(const machine::State& state) const {
    const std::size_t count = symmetries_.size();
    if (count == 1) return symmetries_[0];
    std::array<std::uint64_t, most_symmetries> sums{};
    state.for_each([&](Fluent fluent) {
        const std::uint64_t* hashes = hashes_.data() + ground::index(fluent) * count;
        for (std::size_t i = 0; i < count; ++i) sums[i] ^= hashes[i];
    });
    const auto least = std::min_element(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(count));
    return symmetries_[static_cast<std::size_t>(least - sums.begin())];
}

}  // namespace stratagem::analysis
