// A transposition table for values of all roles at once. Fixed memory, one thread.
//
// Two entries share a bucket: the first keeps what was searched deepest, the second what came last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/common/score.h"

namespace stratagem::search {

class VectorTable {
  public:
    VectorTable(std::size_t bytes, std::size_t roles);

    struct Entry {
        std::uint64_t key = 0;
        std::uint16_t best = 0;  // 1 + place among the choices of the state; 0: none
        std::uint8_t depth = 0;
        bool used = false;
        bool complete = false;  // rests on ends of the game alone
        bool mean = false;      // and on chance
        std::uint8_t generation = 0;
    };
    struct Found {
        const Entry* entry = nullptr;   // null: nothing known
        std::span<const Score> values;  // by role; count steps from the state itself
    };

    Found find(std::uint64_t key) const;
    void store(const Entry& entry, std::span<const Score> values);
    void age() { ++generation_; }

  private:
    std::span<Score> values_of(std::size_t place) { return {values_.data() + place * roles_, roles_}; }

    std::size_t roles_;
    std::uint64_t mask_ = 0;  // of buckets
    std::uint8_t generation_ = 0;
    std::vector<Entry> entries_;
    std::vector<Score> values_;
};

}  // namespace stratagem::search
