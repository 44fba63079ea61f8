// Grounding only what is asked for.
//
// Bottom-up grounding derives every atom of a relation that can hold. For a relation with many arguments, most of
// which its users have already fixed when they ask, that can be millions of atoms nobody looks at (a chess rule that
// asks whether a king is threatened after a given move has seven arguments). For such relations the rules are
// transformed as with magic sets (Bancilhon et al. 1986): a new relation collects the arguments it is asked with, and
// its rules get that relation as one more condition.
//
//     h(X) <- p(X), not q(X, Y), r(Y).       adds    demand_q(X, Y) <- p(X), r(Y).
//     q(A, B) <- s(A), t(B).                becomes  q(A, B) <- demand_q(A, B), s(A), t(B).
//
// The demand relation only steers grounding: it is an over-approximation (negated conditions on the state are left
// out of its rules) and never appears in the ground program.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "ground/clause.h"

namespace stratagem::ground {

using PredicateKey = std::pair<gdl::Symbol, std::uint32_t>;  // name and number of arguments

// Adds demand for these relations where their users bind at least one argument; the others are left as they are.
void add_demand(std::vector<Clause>& clauses, gdl::TermPool& terms, const std::set<PredicateKey>& wanted,
                Effort& effort);

// Those of the relations whose every user binds all their arguments: demand is then as sharp as it can be.
std::set<PredicateKey> find_always_bound(const std::vector<Clause>& clauses, gdl::TermPool& terms,
                                         const std::set<PredicateKey>& relations, Effort& effort);

}  // namespace stratagem::ground
