// Chance that can be repeated: the same seed gives the same numbers on every computer and with every library.
//
// xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), seeded by splitmix64 as
// its authors advise. The distributions of the standard library are left out on purpose: they differ between
// implementations.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "util/contract.h"

namespace stratagem::machine {

class Random {
  public:
    // Streams of one seed are independent of each other: one for each thread.
    explicit Random(std::uint64_t seed, std::uint64_t stream = 0) {
        std::uint64_t counter = seed ^ mix(stream * 0x9E3779B97F4A7C15ULL);
        for (std::uint64_t& word : words_) word = mix(counter += 0x9E3779B97F4A7C15ULL);
    }

    std::uint64_t next() {
        const std::uint64_t result = std::rotl(words_[1] * 5, 7) * 9;
        const std::uint64_t shifted = words_[1] << 17;
        words_[2] ^= words_[0];
        words_[3] ^= words_[1];
        words_[1] ^= words_[2];
        words_[0] ^= words_[3];
        words_[2] ^= shifted;
        words_[3] = std::rotl(words_[3], 45);
        return result;
    }

    // Uniform in 0..bound-1 and exactly so: multiply and shift, drawing again in the rare case that would favour small
    // numbers (Lemire, "Fast random integer generation in an interval", 2019). Pre: bound > 0.
    std::uint32_t below(std::uint32_t bound) {
        STRATAGEM_EXPECTS(bound > 0);
        std::uint64_t product = (next() >> 32) * bound;
        if (static_cast<std::uint32_t>(product) < bound) [[unlikely]] {
            const std::uint32_t rejected = (0U - bound) % bound;
            while (static_cast<std::uint32_t>(product) < rejected) product = (next() >> 32) * bound;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

  private:
    static constexpr std::uint64_t mix(std::uint64_t value) {
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
        return value ^ (value >> 31);
    }

    std::array<std::uint64_t, 4> words_{};
};

}  // namespace stratagem::machine
