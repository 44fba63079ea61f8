// The relations of a game that do not depend on the state, as tables: what grounding found when it evaluated them.
//
// The ground rules do without them, but who looks at a game wants to know them: an order of the squares of a board is
// a static relation. They are kept under their names in the rules, whatever grounding made of them on the way, as far
// as they fit: large ones are cut short and say so.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gdl/term.h"

namespace stratagem::ground {

class StaticRelation {
  public:
    StaticRelation(gdl::Symbol symbol, std::uint32_t arity) : symbol_(symbol), arity_(arity) {}

    gdl::Symbol symbol() const { return symbol_; }
    std::uint32_t arity() const { return arity_; }
    std::size_t size() const { return size_; }
    std::span<const gdl::Term> tuple(std::size_t i) const { return std::span(terms_).subspan(i * arity_, arity_); }
    // Otherwise there are tuples that are not here: they were too many, or not worked out to the end.
    bool complete() const { return complete_; }

    // Pre: as many terms as the relation has arguments, not added before (which is_consistent() sees). For one without
    // arguments: that it holds.
    void add(std::span<const gdl::Term> tuple);
    void set_incomplete() { complete_ = false; }

  private:
    friend class Statics;
    gdl::Symbol symbol_{};
    std::uint32_t arity_ = 0;
    bool complete_ = true;
    std::size_t size_ = 0;
    std::vector<gdl::Term> terms_;  // tuple after tuple
};

class Statics {
  public:
    // What is kept of relations that are evaluated while grounding; who makes a program in code may add more.
    static constexpr std::size_t most_tuples = 200'000;   // of one relation
    static constexpr std::size_t most_terms = 2'000'000;  // of all relations together

    // Sorted by symbol and arity.
    auto begin() const { return relations_.begin(); }
    auto end() const { return relations_.end(); }
    bool empty() const { return relations_.empty(); }

    // Null for a relation that is not static, or never holds.
    const StaticRelation* find(gdl::Symbol symbol, std::uint32_t arity) const;
    // The relation, made where it is not there. Valid until the next one is made.
    StaticRelation& relation(gdl::Symbol symbol, std::uint32_t arity);
    // A fact, such as (succ 1 2): the tuple is added to its relation.
    void add(const gdl::TermPool& terms, gdl::Term fact);

    // Arguments of all tuples kept.
    std::size_t term_count() const;
    // One fact per line, then which relations have more of them.
    std::string to_text(const gdl::TermPool& terms) const;
    // Sorted, no relation and no tuple twice, ground terms of this pool, no words of the language.
    bool is_consistent(const gdl::TermPool& terms) const;

  private:
    std::vector<StaticRelation> relations_;
};

// "(succ 1 2)"
std::string fact_text(const gdl::TermPool& terms, const StaticRelation& relation, std::size_t tuple);

}  // namespace stratagem::ground
