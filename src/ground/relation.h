// A set of ground tuples with the indexes that joins ask for.
//
// A tuple is interned (it gets a row) when something mentions it, and becomes active when it is known that it can hold;
// only active rows are found by scans and look-ups. Interning before activity lets a rule point at an atom that may
// or may not turn out possible, such as a negated one.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "gdl/term.h"

namespace stratagem::ground {

class Relation {
  public:
    using Row = std::uint32_t;
    using Mask = std::uint64_t;  // bit i: argument i is given; arguments from 64 on are never indexed
    static constexpr Row no_row = 0xFFFFFFFFU;

    explicit Relation(std::uint32_t arity);

    std::uint32_t arity() const { return arity_; }
    std::size_t rows() const { return row_count_; }
    std::size_t active_rows() const { return active_list_.size(); }
    gdl::Term at(Row row, std::uint32_t column) const { return data_[std::size_t{row} * arity_ + column]; }
    std::span<const gdl::Term> tuple(Row row) const {
        return std::span(data_).subspan(std::size_t{row} * arity_, arity_);
    }

    Row find(std::span<const gdl::Term> tuple) const;
    // `tuple` must not be a view of this relation.
    Row intern(std::span<const gdl::Term> tuple, bool& added);

    bool is_active(Row row) const { return active_[row]; }
    void activate(Row row);
    std::span<const Row> active() const { return active_list_; }

    // The first active row whose masked arguments equal `key` (in argument order), then the following ones.
    // Rows come in the order of their activation; rows activated while walking are found at the end.
    // The index is built on first use and kept.
    class Index;
    Index& index(Mask mask);

    // Distinct values of an argument among active rows, for the order of joins. Linear the first time after changes.
    std::size_t distinct(std::uint32_t column);

    std::size_t bytes() const;

  private:
    std::size_t hash(std::span<const gdl::Term> tuple) const;
    void grow();

    std::uint32_t arity_;
    std::size_t row_count_ = 0;
    std::vector<gdl::Term> data_;
    std::vector<bool> active_;
    std::vector<Row> active_list_;
    struct Slot {
        std::uint32_t row_plus_one = 0;  // 0: empty
        std::uint32_t hash = 0;          // compared before the tuple, which lies far away
    };
    std::vector<Slot> slots_;  // open addressing
    std::map<Mask, Index> indexes_;
    struct Distinct {
        std::size_t counted_rows = 0;
        std::size_t values = 0;
    };
    std::vector<Distinct> distinct_;
};

class Relation::Index {
  public:
    Index(const Relation& relation, Mask mask);

    Row first(const Relation& relation, std::span<const gdl::Term> key) const;
    Row next(Row row) const { return next_[row]; }
    void add(const Relation& relation, Row row);
    std::size_t bytes() const { return (next_.capacity() + chains_.capacity() * 2) * sizeof(Row); }

  private:
    struct Chain {
        Row first = no_row;
        Row last = no_row;
    };

    std::size_t hash_row(const Relation& relation, Row row) const;
    void grow(const Relation& relation);

    std::vector<std::uint32_t> columns_;
    std::vector<Chain> chains_;  // open addressing by the masked arguments
    std::size_t used_ = 0;
    std::vector<Row> next_;
};

}  // namespace stratagem::ground
