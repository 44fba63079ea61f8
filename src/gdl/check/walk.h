// Walking terms together with the text they came from, so that a diagnostic can point at the very word at fault.
//
// A term knows what is meant, a node of the syntax tree knows where it stands. Both have the same shape (a list node is
// the functor followed by the arguments), so the two are walked side by side. Where the tree has nothing to offer
// (a description that was built and not read) the enclosing node stands in.
#pragma once

#include "gdl/description.h"

namespace stratagem::gdl::passes {

// Calls visit(Term argument, Node node) for each argument of `term`, which was read from `node`.
template <typename Visitor>
void for_each_argument(const Description& description, Term term, Node node, Visitor&& visit) {
    const SyntaxTree& syntax = description.syntax;
    Node child = Node::none;
    if (node != Node::none && syntax[node].kind == NodeKind::list) {
        child = syntax[node].first_child;                             // the functor
        if (child != Node::none) child = syntax[child].next_sibling;  // the first argument
    }
    for (const Term argument : description.terms.arguments(term)) {
        visit(argument, child == Node::none ? node : child);
        if (child != Node::none) child = syntax[child].next_sibling;
    }
}

// Calls visit(Term subterm, Node node) for `term` and everything inside it, in the order of the text.
// Depth is bounded by max_nesting.
template <typename Visitor>
void for_each_subterm(const Description& description, Term term, Node node, Visitor&& visit) {
    visit(term, node);
    for_each_argument(description, term, node,
                      [&](Term argument, Node place) { for_each_subterm(description, argument, place, visit); });
}

// Calls visit(Symbol name, Node node) for each occurrence of a variable in `term`.
template <typename Visitor>
void for_each_variable(const Description& description, Term term, Node node, Visitor&& visit) {
    if (description.terms.is_ground(term)) return;
    if (description.terms.is_variable(term)) {
        visit(description.terms.symbol(term), node);
        return;
    }
    for_each_argument(description, term, node,
                      [&](Term argument, Node place) { for_each_variable(description, argument, place, visit); });
}

// Calls visit(const Literal&, bool negated) for each atom and distinct literal below `literal`; `negated` when it
// stands under any negation, however often negated: a double negation is no way to bind or to define.
template <typename Visitor>
void for_each_condition(const Literal& literal, bool negated, Visitor&& visit) {
    if (literal.kind == Literal::Kind::atom || literal.kind == Literal::Kind::distinct) {
        visit(literal, negated);
        return;
    }
    const bool inner = negated || literal.kind == Literal::Kind::negation;
    for (const Literal& part : literal.parts) for_each_condition(part, inner, visit);
}

template <typename Visitor>
void for_each_condition(const Rule& rule, Visitor&& visit) {
    for (const Literal& literal : rule.body) for_each_condition(literal, false, visit);
}

}  // namespace stratagem::gdl::passes
