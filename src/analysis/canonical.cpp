#include "analysis/canonical.h"

#include <algorithm>
#include <array>

#include "analysis/symmetry_group.h"

namespace stratagem::analysis {

namespace {

// Symmetries of large games are large themselves: as many as fit into some megabytes.
std::size_t most_symmetries_of(const ground::Program& program) {
    constexpr std::size_t most_entries = 2'000'000;
    const std::size_t entries = std::max<std::size_t>(1, program.fluents.size() + program.moves.size());
    return std::clamp<std::size_t>(most_entries / entries, 1, Canonical::most_symmetries);
}

}  // namespace

Canonical::Canonical(const ground::Program& program, const Symmetries& found)
    : symmetries_(symmetry_group(program, found, most_symmetries_of(program))) {
    hashes_.reserve(program.fluents.size() * symmetries_.size());
    for (std::size_t fluent = 0; fluent < program.fluents.size(); ++fluent) {
        for (const Symmetry& one : symmetries_) hashes_.push_back(machine::zobrist(one.fluents[fluent]));
    }
}

const Symmetry& Canonical::symmetry(const machine::State& state) const {
    const std::size_t count = symmetries_.size();
    if (count == 1) return symmetries_[0];
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled only as far as it is used
    std::array<std::uint64_t, most_symmetries> sums;
    std::fill_n(sums.begin(), count, 0);
    state.for_each([&](Fluent fluent) {
        const std::uint64_t* hashes = hashes_.data() + ground::index(fluent) * count;
        for (std::size_t i = 0; i < count; ++i) sums[i] ^= hashes[i];
    });
    const auto least = std::min_element(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(count));
    return symmetries_[static_cast<std::size_t>(least - sums.begin())];
}

}  // namespace stratagem::analysis
