#include "machine/lanes/kernels.h"

#include <bit>

namespace stratagem::machine::lanes {

namespace {

// The compiler turns operations on this type into whatever the enclosing function may use. Never passed by value.
using Vector = std::uint64_t __attribute__((vector_size(sizeof(Row)), may_alias));

#define STRATAGEM_INLINE [[gnu::always_inline]] inline

STRATAGEM_INLINE Vector& vector(Row& row) { return *reinterpret_cast<Vector*>(&row); }
STRATAGEM_INLINE const Vector& vector(const Row& row) { return *reinterpret_cast<const Vector*>(&row); }

STRATAGEM_INLINE void fill_any(RandomRows& random, Row* rows, std::size_t count) {
    Vector a = vector(random.words[0]);
    Vector b = vector(random.words[1]);
    Vector c = vector(random.words[2]);
    Vector d = vector(random.words[3]);
    for (std::size_t i = 0; i < count; ++i) {
        const Vector sum = a + d;
        vector(rows[i]) = (sum << 23 | sum >> 41) + a;
        const Vector shifted = b << 17;
        c ^= a;
        d ^= b;
        b ^= c;
        a ^= d;
        c ^= shifted;
        d = d << 45 | d >> 19;
    }
    vector(random.words[0]) = a;
    vector(random.words[1]) = b;
    vector(random.words[2]) = c;
    vector(random.words[3]) = d;
}

STRATAGEM_INLINE void clear_any(Row* rows, std::size_t count, const Row& mask) {
    const Vector kept = ~vector(mask);
    for (std::size_t i = 0; i < count; ++i) vector(rows[i]) &= kept;
}

STRATAGEM_INLINE void copy_any(const Row* from, Row* to, const std::uint32_t* numbers, std::size_t count,
                               const Row& mask) {
    const Vector copied = vector(mask);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t n = numbers[i];
        vector(to[n]) = (vector(to[n]) & ~copied) | (vector(from[n]) & copied);
    }
}

STRATAGEM_INLINE void insert_any(Row* rows, const std::uint32_t* numbers, std::size_t count, const Row& mask) {
    const Vector added = vector(mask);
    for (std::size_t i = 0; i < count; ++i) vector(rows[numbers[i]]) |= added;
}

STRATAGEM_INLINE std::uint32_t count_any(const Row& a, const Row& b) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < row_words; ++i) {
        sum += static_cast<std::uint32_t>(std::popcount(a.words[i] & b.words[i]));
    }
    return sum;
}

// NOLINTBEGIN(bugprone-macro-parentheses): `target` is an attribute or nothing
#define STRATAGEM_KERNELS(name, target)                                                                          \
    target void name##_fill(RandomRows& random, Row* rows, std::size_t count) { fill_any(random, rows, count); } \
    target void name##_clear(Row* rows, std::size_t count, const Row& mask) { clear_any(rows, count, mask); }    \
    target void name##_copy(const Row* from, Row* to, const std::uint32_t* numbers, std::size_t count,           \
                            const Row& mask) {                                                                   \
        copy_any(from, to, numbers, count, mask);                                                                \
    }                                                                                                            \
    target void name##_insert(Row* rows, const std::uint32_t* numbers, std::size_t count, const Row& mask) {     \
        insert_any(rows, numbers, count, mask);                                                                  \
    }                                                                                                            \
    target std::uint32_t name##_count(const Row& a, const Row& b) { return count_any(a, b); }                    \
    constexpr Kernels name##_kernels{name##_fill, name##_clear, name##_copy, name##_insert, name##_count};
// NOLINTEND(bugprone-macro-parentheses)

STRATAGEM_KERNELS(portable, )
#if defined(STRATAGEM_NATIVE_LANES)
STRATAGEM_KERNELS(avx2, [[gnu::target("avx2,popcnt")]])
STRATAGEM_KERNELS(avx512, [[gnu::target("avx512f,popcnt")]])
#endif

constexpr std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

}  // namespace

RandomRows::RandomRows(std::uint64_t seed, std::uint64_t stream) {
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;
    std::uint64_t counter = mix(seed + golden) ^ mix(mix(stream * golden + 1) + golden);
    for (Row& row : words) {
        for (std::uint64_t& word : row.words) word = mix(counter += golden);
    }
}

const Kernels& kernels(Width width) {
#if defined(STRATAGEM_NATIVE_LANES)
    if (width == Width::avx512) return avx512_kernels;
    if (width == Width::avx2) return avx2_kernels;
#endif
    (void)width;
    return portable_kernels;
}

}  // namespace stratagem::machine::lanes
