// A state of a game: the set of fluents that hold, as a bitset with a Zobrist hash. One of the six nouns of the house.
//
// Machines of one game number fluents their own way, so states are compared only with states of the same machine.
// Assigning a state to another of the same size allocates nothing, which keeps hot loops free of the heap.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "ground/program.h"

namespace stratagem::machine {

using ground::Fluent;
using ground::Move;
using ground::Role;

// The random number of a fluent in hashes of states: a fixed function (splitmix64), so that hashes are the same in
// every run and every process.
constexpr std::uint64_t zobrist(Fluent fluent) {
    std::uint64_t value = (std::uint64_t{ground::index(fluent)} + 1) * 0x9E3779B97F4A7C15ULL;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

class State {
  public:
    State() = default;
    // An empty state of a game with this many fluents.
    explicit State(std::size_t fluents) : words_((fluents + 63) / 64, 0) {}

    // What words() gave, here or in another process.
    static State from_words(std::span<const std::uint64_t> words) {
        State state;
        state.words_.assign(words.begin(), words.end());
        state.for_each([&](Fluent fluent) { state.hash_ ^= zobrist(fluent); });
        return state;
    }

    bool holds(Fluent fluent) const {
        const std::uint32_t i = ground::index(fluent);
        return i / 64 < words_.size() && (words_[i / 64] >> (i % 64) & 1U) != 0;
    }
    // Grows when the fluent lies beyond the size (machines that discover fluents while playing).
    void flip(Fluent fluent) {
        const std::uint32_t i = ground::index(fluent);
        if (i / 64 >= words_.size()) words_.resize(i / 64 + 1, 0);
        words_[i / 64] ^= std::uint64_t{1} << (i % 64);
        hash_ ^= zobrist(fluent);
    }
    void insert(Fluent fluent) {
        if (!holds(fluent)) flip(fluent);
    }
    void clear() {
        words_.assign(words_.size(), 0);
        hash_ = 0;
    }

    std::uint64_t hash() const { return hash_; }
    std::span<const std::uint64_t> words() const { return words_; }
    std::size_t count() const {
        std::size_t total = 0;
        for (const std::uint64_t word : words_) total += static_cast<std::size_t>(std::popcount(word));
        return total;
    }

    // Calls visit(Fluent) for each fluent that holds, in ascending order.
    template <typename Visitor>
    void for_each(Visitor&& visit) const {
        for (std::uint32_t w = 0; w < words_.size(); ++w) {
            for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
                visit(Fluent{w * 64 + static_cast<std::uint32_t>(std::countr_zero(word))});
            }
        }
    }

    // Sizes may differ: what lies beyond the end does not hold.
    friend bool operator==(const State& a, const State& b) {
        if (a.hash_ != b.hash_) return false;
        const std::size_t shared = a.words_.size() < b.words_.size() ? a.words_.size() : b.words_.size();
        for (std::size_t i = 0; i < shared; ++i) {
            if (a.words_[i] != b.words_[i]) return false;
        }
        for (std::size_t i = shared; i < a.words_.size(); ++i) {
            if (a.words_[i] != 0) return false;
        }
        for (std::size_t i = shared; i < b.words_.size(); ++i) {
            if (b.words_[i] != 0) return false;
        }
        return true;
    }

  private:
    std::vector<std::uint64_t> words_;
    std::uint64_t hash_ = 0;
};

}  // namespace stratagem::machine
