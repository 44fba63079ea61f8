// From the relations evaluated while grounding to the static relations of the rules.
//
// What grounding made for itself is left out, and what it made flat is put together again. Relations of two arguments
// that nothing asks for are not grounded, but say as much of a game as others, orders above all (often only `base` uses
// a successor relation): they are evaluated afterwards, with little effort and without harm where that is not enough.
#pragma once

#include <set>
#include <vector>

#include "ground/clause.h"
#include "ground/database.h"
#include "ground/demand.h"
#include "ground/predicate_graph.h"
#include "ground/statics.h"
#include "ground/unpack.h"

namespace stratagem::ground {

// The relations `settled` in the database that are not known yet, the smallest first, until that is enough with them.
Statics make_statics(const Database& database, const std::set<PredicateKey>& settled, const Unpacked& unpacked,
                     const Statics& known, gdl::TermPool& terms);

// Both. Pre: no relation stands in both.
Statics merged(const Statics& one, const Statics& other);

// The clauses of static relations with two arguments that nothing asks for, with all that they depend on.
std::vector<Clause> unasked_clauses(const std::vector<Clause>& clauses, const gdl::TermPool& terms,
                                    const PredicateGraph& graph, Effort& effort);

}  // namespace stratagem::ground
