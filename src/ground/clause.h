// Rules with plain bodies: conjunctions of atoms, negated atoms and distinct.
//
// A disjunction whose alternatives all bind what they share with the rest of the rule becomes a relation of its own;
// others are multiplied out. Negations are pushed inwards: not (or a b) becomes not a, not b. Real rules have few and
// small disjunctions; a rule that would give more than max_clauses_per_rule is refused, and the game is left to the
// interpreter.
#pragma once

#include <cstddef>
#include <vector>

#include "gdl/description.h"
#include "ground/effort.h"

namespace stratagem::ground {

struct ClauseLiteral {
    enum class Kind : std::uint8_t { positive, negative, distinct };

    Kind kind = Kind::positive;
    gdl::Term atom{};  // of distinct: the term (distinct s t)

    bool operator==(const ClauseLiteral&) const = default;
};

struct Clause {
    gdl::Term head{};
    std::vector<ClauseLiteral> body;
};

inline constexpr std::size_t max_clauses_per_rule = 20000;

inline constexpr std::size_t max_literals_per_rule = 10'000'000;  // of all its clauses together

// Appends the clauses of `rule`; false when there would be too many.
bool to_clauses(const gdl::Rule& rule, gdl::TermPool& terms, std::vector<Clause>& clauses, Effort& effort);

}  // namespace stratagem::ground
