// What the hand-written games share: the generator of random numbers and the result of a playout.
//
// These files know nothing of the rooms of src/, so that what they measure depends on nothing they are compared with.
#pragma once

#include <bit>
#include <cstdint>

namespace stratagem::hand {

enum class Winner : std::uint8_t { first, second, none };

struct Outcome {
    unsigned steps = 0;
    Winner winner = Winner::none;
};

// xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), its state filled from
// the seed by splitmix64 as its authors advise.
class Random {
  public:
    explicit constexpr Random(std::uint64_t seed) {
        for (std::uint64_t& word : words_) {
            seed += 0x9e3779b97f4a7c15;
            std::uint64_t mixed = seed;
            mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
            mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
            word = mixed ^ (mixed >> 31);
        }
    }

    constexpr std::uint64_t next() {
        const std::uint64_t result = std::rotl(words_[0] + words_[3], 23) + words_[0];
        const std::uint64_t shifted = words_[1] << 17;
        words_[2] ^= words_[0];
        words_[3] ^= words_[1];
        words_[1] ^= words_[2];
        words_[0] ^= words_[3];
        words_[2] ^= shifted;
        words_[3] = std::rotl(words_[3], 45);
        return result;
    }

    // Uniform below `count`, but for a bias of at most count / 2^32: far below what any number of games here can show.
    constexpr unsigned below(unsigned count) { return static_cast<unsigned>(((next() >> 32) * count) >> 32); }

  private:
    std::uint64_t words_[4] = {};
};

// Looks at the moves of a playout; this one does not, and costs nothing.
struct Unwatched {
    template <class Move>
    constexpr void operator()(const Move&) const {}
};

// Calls visit(index) for each bit of the set, from the lowest.
template <class Visit>
constexpr void for_each_bit(std::uint64_t bits, Visit visit) {
    for (; bits != 0; bits &= bits - 1) visit(static_cast<unsigned>(std::countr_zero(bits)));
}

}  // namespace stratagem::hand
