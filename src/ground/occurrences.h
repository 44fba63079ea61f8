// Where a new atom may stand in the bodies of clauses.
//
// Most relations are asked for a few times, and each place is tried. Generated rules ask for one relation hundreds of
// thousands of times with different constants; there the places are found by the constants.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "ground/join.h"

namespace stratagem::ground {

struct Occurrence {
    std::uint32_t clause;
    std::uint32_t literal;
    bool operator<(const Occurrence& other) const {
        return clause != other.clause ? clause < other.clause : literal < other.literal;
    }
};

class Occurrences {
  public:
    // Of the positive literals whose relations are not complete.
    Occurrences(const std::vector<JoinClause>& clauses, Database& database);

    // The places where a row of a relation may stand, in the order of the clauses. Valid until the next call.
    std::span<const Occurrence> of(const Database& database, RelationId relation, Relation::Row row);

  private:
    struct OfRelation {
        std::vector<Occurrence> all;  // or, where they are many, those without a constant
        std::vector<std::uint32_t> columns;
        // By position in `columns`: those with this constant in this column.
        std::vector<std::unordered_map<gdl::Term, std::vector<Occurrence>>> by_constant;
    };

    static void sort_out(OfRelation& places, const std::vector<JoinClause>& clauses);

    std::unordered_map<std::uint32_t, OfRelation> relations_;
    std::vector<Occurrence> found_;
};

}  // namespace stratagem::ground
