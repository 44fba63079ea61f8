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

#include <vector>

#include "ground/clause.h"
#include "ground/effort.h"

namespace stratagem::ground {

void unpack_arguments(std::vector<Clause>& clauses, gdl::TermPool& terms, Effort& effort);

}  // namespace stratagem::ground
