// Cutting rules into smaller ones before they are grounded.
//
// A rule with n variables has up to d^n instances. Where a variable occurs only in some of the conditions, those
// conditions can be moved to a rule of their own that says for which of the other variables they hold:
//
//     h(X) <- p(X), q(Y), r(Y, Z)      becomes      h(X) <- p(X), s.      s <- q(Y), r(Y, Z)
//
// and there again r(Y, Z) can be cut off. This is variable elimination on the graph of the rule's variables (as in
// tree decompositions; for answer-set grounding: Bichler, Morak, Woltran, "lpopt", 2016). Besides fewer instances it
// gives a smaller circuit, since what the new rules say is computed once.
//
// Nothing is gained where a variable is determined by others: with succ(X, Y) known, Y adds no instances. What
// determines what is read off the static relations, which are evaluated before.
#pragma once

#include <vector>

#include "ground/clause.h"
#include "ground/database.h"

namespace stratagem::ground {

// Replaces `clauses` by an equivalent set over the old relations and new ones. Relations without clauses in the set
// count as static, and as evaluated if the database holds tuples of them.
void split_clauses(std::vector<Clause>& clauses, Database& database);

}  // namespace stratagem::ground
