// Lanes as a row of bits, and what is done with single rows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace stratagem::machine::lanes {

inline constexpr std::size_t lane_count = 512;
inline constexpr std::size_t row_words = lane_count / 64;

struct alignas(64) Row {
    std::array<std::uint64_t, row_words> words{};
};

inline constexpr Row all_lanes{{~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL}};

inline bool any(const Row& row) {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : row.words) sum |= word;
    return sum != 0;
}

inline bool has(const Row& row, std::size_t lane) { return (row.words[lane / 64] >> (lane % 64) & 1U) != 0; }
inline void insert(Row& row, std::size_t lane) { row.words[lane / 64] |= std::uint64_t{1} << (lane % 64); }

template <typename Combine>
Row combine(const Row& a, const Row& b, Combine&& each) {
    Row result;
    for (std::size_t i = 0; i < row_words; ++i) result.words[i] = each(a.words[i], b.words[i]);
    return result;
}
inline Row both(const Row& a, const Row& b) {
    return combine(a, b, [](std::uint64_t x, std::uint64_t y) { return x & y; });
}
inline Row either(const Row& a, const Row& b) {
    return combine(a, b, [](std::uint64_t x, std::uint64_t y) { return x | y; });
}
inline Row without(const Row& a, const Row& b) {
    return combine(a, b, [](std::uint64_t x, std::uint64_t y) { return x & ~y; });
}

// Calls visit(lane) for each lane of the row, ascending.
template <typename Visitor>
void for_each_lane(const Row& row, Visitor&& visit) {
    for (std::size_t i = 0; i < row_words; ++i) {
        for (std::uint64_t word = row.words[i]; word != 0; word &= word - 1) {
            visit(i * 64 + static_cast<std::size_t>(std::countr_zero(word)));
        }
    }
}

// The first `count` lanes of a row, or all if they are fewer.
inline Row first_lanes(const Row& row, std::uint32_t count) {
    Row result;
    for (std::size_t i = 0; i < row_words && count > 0; ++i) {
        const std::uint64_t word = row.words[i];
        const auto held = static_cast<std::uint32_t>(std::popcount(word));
        std::uint64_t rest = word;
        if (held <= count) {
            rest = 0;
        } else {
            for (std::uint32_t taken = 0; taken < count; ++taken) rest &= rest - 1;
        }
        result.words[i] = word & ~rest;
        count -= std::min(count, held);
    }
    return result;
}

}  // namespace stratagem::machine::lanes
