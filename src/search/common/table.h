// The transposition table: what was found out about states, in a fixed piece of memory shared by all threads.
//
// Keys are Zobrist hashes. Four entries of 16 bytes share a bucket, which is one cache line. In a full bucket the entry
// that gives way is the one worth least: shallow ones before deep ones, and those of earlier searches before those of
// this one. No locks: an entry is two atomic words, the second the first xor the key, so that a mixture of two writes
// does not look like an entry of any key (Hyatt and Mann, "A lock-less transposition table implementation for parallel
// search chess engines", 2002).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "search/common/score.h"

namespace stratagem::search {

enum class Bound : std::uint8_t { none = 0, at_least = 1, at_most = 2, exact = 3 };

struct TableEntry {
    Result result;  // its score counts steps from the state itself
    Bound bound = Bound::none;
    std::uint8_t depth = 0;  // to which it was searched
    // The best move as 1 + its place among the choices of the state, 0 for none: fits where a move's number might not.
    std::uint16_t best = 0;
};

class Table {
  public:
    static constexpr std::uint16_t max_best = (1U << 14) - 1;

    // At most this much memory, and at least one bucket.
    explicit Table(std::size_t bytes);

    std::optional<TableEntry> find(std::uint64_t key) const;
    // Keeps a proof rather than replace it by less, and the best move already known where the new entry has none.
    void store(std::uint64_t key, const TableEntry& entry);
    // Tells the processor that this key will be asked for soon.
    void prefetch(std::uint64_t key) const { __builtin_prefetch(&buckets_[key & mask_]); }

    // A new search begins: what is already here becomes older. Not while other threads use the table.
    void age() { generation_ = (generation_ + 1) & generation_mask; }
    void clear();

    std::size_t capacity() const { return (mask_ + 1) * bucket_size; }
    // Part of the table used by this search, from a sample. For people.
    double fullness() const;

  private:
    static constexpr std::size_t bucket_size = 4;
    static constexpr std::uint64_t generation_mask = 15;

    struct Slot {
        std::atomic<std::uint64_t> check{0};  // key xor data
        std::atomic<std::uint64_t> data{0};   // 0: empty
    };
    struct alignas(64) Bucket {
        Slot slots[bucket_size];
    };

    struct Release {
        std::size_t alignment;
        void operator()(Bucket* buckets) const;
    };

    std::uint64_t pack(const TableEntry& entry) const;
    static TableEntry unpack(std::uint64_t data);
    int worth(std::uint64_t data) const;

    std::uint64_t mask_ = 0;
    std::uint64_t generation_ = 0;
    std::unique_ptr<Bucket[], Release> buckets_;
};

}  // namespace stratagem::search
