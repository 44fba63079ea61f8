// A game as its author wrote it: first-order rules. One of the six nouns of the house.
//
// Immutable once read. Rules keep the structure of the text (disjunctions, negations of whatever was written) and
// for each literal the node of the syntax tree it came from, so that any later stage can point at the text.
#pragma once

#include <memory>
#include <vector>

#include "gdl/source.h"
#include "gdl/syntax.h"
#include "gdl/term.h"

namespace stratagem::gdl {

struct Literal {
    enum class Kind : std::uint8_t { atom, negation, distinct, conjunction, disjunction };

    Kind kind = Kind::atom;
    Term atom{};                 // of an atom; of distinct: the term (distinct s t)
    std::vector<Literal> parts;  // one for negation; any number for conjunction and disjunction
    Node node = Node::none;
};

struct Rule {
    Term head{};
    std::vector<Literal> body;  // a conjunction; empty for a fact
    Node node = Node::none;     // the whole statement
    Node head_node = Node::none;
};

class Description {
  public:
    std::shared_ptr<const Source> source;
    SyntaxTree syntax;
    TermPool terms;
    std::vector<Rule> rules;

    Span span(Node node) const { return node == Node::none ? Span{} : syntax[node].span; }
    // Roles in the order of their `role` facts, without repetition.
    std::vector<Term> roles() const;
};

// Calls visit(const Literal&, bool positive) for each atom and distinct literal below `literal`, telling whether
// it stands under an even number of negations.
template <typename Visitor>
void for_each_atom(const Literal& literal, bool positive, Visitor&& visit) {
    if (literal.kind == Literal::Kind::atom || literal.kind == Literal::Kind::distinct) {
        visit(literal, positive);
        return;
    }
    const bool inner = literal.kind == Literal::Kind::negation ? !positive : positive;
    for (const Literal& part : literal.parts) for_each_atom(part, inner, visit);
}

}  // namespace stratagem::gdl
