// Relations with function terms for arguments, made flat.
//
// Joins look tuples up by argument, but not by what is inside an argument: legal2(P, move(X, Y)) with X known would be
// found only by trying all. Where every rule that defines a relation has a function term (or constant) at some place,
// the relation is replaced by one per function, with the inner arguments as arguments of its own:
//
//     legal2(P, move(X, Y)) <- …   legal2(P, noop) <- …       become      legal2.move(P, X, Y), legal2.noop(P)
//
// A condition with a variable at that place, legal2(P, M), stands for all of them: its rule is repeated for each.
#pragma once

#include <map>
#include <vector>

#include "ground/clause.h"
#include "ground/demand.h"
#include "ground/effort.h"

namespace stratagem::ground {

// What a flat relation was made of: of tuples of `relation` with a term of `function` at `position`.
struct Packing {
    PredicateKey relation;
    std::uint32_t position = 0;
    PredicateKey function;  // or constant
};
using Unpacked = std::map<PredicateKey, Packing>;  // by flat relation; what it was made of may be flat itself

Unpacked unpack_arguments(std::vector<Clause>& clauses, gdl::TermPool& terms, Effort& effort);

}  // namespace stratagem::ground
