// A set of rows of ground terms, found by any combination of columns.
//
// Rows are stored one after the other. An index on some columns maps their values to the first row that has them and
// chains the others; it is built when it is first asked after the rows changed, so a state pays only for the indexes
// its rules really use. Clearing forgets the contents of rows and indexes and keeps their memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/term.h"
#include "util/contract.h"

namespace stratagem::machine::interpreter {

// Mixing shared by all hash tables of the interpreter; the low bits of `finish_hash` are good.
constexpr std::uint64_t mix_hash(std::uint64_t hash, std::uint32_t value) {
    hash = (hash ^ (value + 0x9E3779B9U)) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 29);
}
constexpr std::uint32_t finish_hash(std::uint64_t hash) { return static_cast<std::uint32_t>(hash ^ (hash >> 32)); }

class Relation {
  public:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    explicit Relation(std::uint32_t arity) : arity_(arity) {}

    std::uint32_t arity() const { return arity_; }
    std::uint32_t size() const { return size_; }
    const gdl::Term* row(std::uint32_t number) const { return rows_.data() + std::size_t{number} * arity_; }

    void clear();
    // Pre: the row is not there yet (see contains), as duplicates would be derived from twice.
    void add(std::span<const gdl::Term> row);
    bool contains(std::span<const gdl::Term> row);

    // The number of the index on these columns, ascending; made when missing. No columns: all rows.
    std::uint32_t index_on(const std::vector<std::uint32_t>& columns);
    // First row whose indexed columns equal `key` (values in the order of the columns), or none.
    std::uint32_t first(std::uint32_t index, const gdl::Term* key);
    // The row after `row` with the same key, or none. Pre: `row` came from first or next on this index.
    std::uint32_t next(std::uint32_t index, std::uint32_t row) const {
        const Index& on = indexes_[index];
        STRATAGEM_EXPECTS(row < (on.columns.empty() ? size_ : on.indexed));
        if (on.columns.empty()) return row + 1 < size_ ? row + 1 : none;
        return on.next[row];
    }
    // How many different keys the index has now.
    std::uint32_t distinct_keys(std::uint32_t index);

  private:
    struct Slot {
        std::uint32_t epoch = 0;
        std::uint32_t hash = 0;
        std::uint32_t row = 0;
    };
    struct Index {
        std::vector<std::uint32_t> columns;
        std::vector<Slot> slots;          // open addressing, power of two; valid when its epoch is the current one
        std::vector<std::uint32_t> next;  // by row
        std::uint32_t epoch = 1;
        std::uint32_t indexed = 0;  // rows taken in so far
        std::uint32_t keys = 0;
    };

    void take_in_new_rows(Index& index);
    void insert(Index& index, std::uint32_t number) const;

    std::uint32_t arity_;
    std::uint32_t size_ = 0;
    std::vector<gdl::Term> rows_;
    std::vector<Index> indexes_;
};

}  // namespace stratagem::machine::interpreter
