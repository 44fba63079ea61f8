#include "ground/clause.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "ground/made_names.h"
#include "ground/variables.h"

namespace stratagem::ground {

namespace {

using Body = std::vector<ClauseLiteral>;
using Kind = gdl::Literal::Kind;

// The alternatives of a formula: a disjunction of conjunctions. Empty: never holds. Too many: `overflow`.
class Expander {
  public:
    std::vector<Body> conjunction(const std::vector<gdl::Literal>& parts, bool positive) {
        std::vector<Body> product{Body{}};
        for (const gdl::Literal& part : parts) {
            const std::vector<Body> alternatives = expand(part, positive);
            if (product.size() * alternatives.size() > max_clauses_per_rule) overflow = true;
            if (overflow) return {};
            std::vector<Body> combined;
            combined.reserve(product.size() * alternatives.size());
            for (const Body& left : product) {
                for (const Body& right : alternatives) {
                    combined.push_back(left);
                    for (const ClauseLiteral& literal : right) {
                        Body& body = combined.back();
                        if (std::find(body.begin(), body.end(), literal) == body.end()) body.push_back(literal);
                    }
                }
            }
            product = std::move(combined);
        }
        return product;
    }

    bool overflow = false;

  private:
    std::vector<Body> expand(const gdl::Literal& literal, bool positive) {
        switch (literal.kind) {
            case Kind::atom:
                return {{{positive ? ClauseLiteral::Kind::positive : ClauseLiteral::Kind::negative, literal.atom}}};
            case Kind::distinct:
                if (positive) return {{{ClauseLiteral::Kind::distinct, literal.atom}}};
                // not (distinct s t) says that s equals t; kept as a negated atom of `distinct`.
                return {{{ClauseLiteral::Kind::negative, literal.atom}}};
            case Kind::negation:
                return expand(literal.parts.front(), !positive);
            case Kind::conjunction:
                return positive ? conjunction(literal.parts, true) : disjunction(literal.parts, false);
            case Kind::disjunction:
                return positive ? disjunction(literal.parts, true) : conjunction(literal.parts, false);
        }
        return {};
    }

    std::vector<Body> disjunction(const std::vector<gdl::Literal>& parts, bool positive) {
        std::vector<Body> sum;
        for (const gdl::Literal& part : parts) {
            std::vector<Body> alternatives = expand(part, positive);
            if (sum.size() + alternatives.size() > max_clauses_per_rule) overflow = true;
            if (overflow) return {};
            std::move(alternatives.begin(), alternatives.end(), std::back_inserter(sum));
        }
        return sum;
    }
};

}  // namespace

namespace {

void collect_variables(const gdl::Literal& literal, const gdl::TermPool& terms, Variables& variables) {
    if (literal.parts.empty()) ground::collect_variables(terms, literal.atom, variables);
    for (const gdl::Literal& part : literal.parts) collect_variables(part, terms, variables);
}

// Whether `body` stands on its own: its positive conditions bind `wanted` and all variables of its other conditions.
bool binds(const Body& body, const gdl::TermPool& terms, Variables wanted) {
    Variables bound;
    for (const ClauseLiteral& literal : body) {
        const bool positive = literal.kind == ClauseLiteral::Kind::positive;
        ground::collect_variables(terms, literal.atom, positive ? bound : wanted);
    }
    return includes(bound, wanted);
}

// Turns the disjunction at `position` of the body into a relation of its own, if its alternatives are safe.
bool separate(const gdl::Rule& rule, std::size_t position, gdl::TermPool& terms, std::vector<Clause>& clauses,
              gdl::Literal& replacement) {
    Variables outside = variables_of(terms, rule.head);
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        if (i != position) collect_variables(rule.body[i], terms, outside);
    }
    Variables inside;
    collect_variables(rule.body[position], terms, inside);
    Variables shared;
    std::set_intersection(inside.begin(), inside.end(), outside.begin(), outside.end(),
                          std::inserter(shared, shared.begin()));
    Expander expander;
    std::vector<Body> bodies = expander.conjunction({rule.body[position]}, true);
    const bool safe = !expander.overflow && std::all_of(bodies.begin(), bodies.end(),
                                                        [&](const Body& body) { return binds(body, terms, shared); });
    if (!safe) return false;
    std::vector<gdl::Term> arguments;
    for (const gdl::Symbol variable : shared) arguments.push_back(terms.variable(variable));
    const std::string name = fmt::format("{}{}", either_prefix, clauses.size());
    const gdl::Term atom = terms.compound(terms.symbols().intern(name), arguments);
    for (Body& body : bodies) clauses.push_back({atom, std::move(body)});
    replacement = gdl::Literal{};
    replacement.atom = atom;
    return true;
}

}  // namespace

bool to_clauses(const gdl::Rule& rule, gdl::TermPool& terms, std::vector<Clause>& clauses) {
    gdl::Rule simpler = rule;
    for (std::size_t i = 0; i < rule.body.size() && rule.body.size() > 1; ++i) {
        if (rule.body[i].kind == Kind::disjunction) separate(simpler, i, terms, clauses, simpler.body[i]);
    }
    Expander expander;
    std::vector<Body> bodies = expander.conjunction(simpler.body, true);
    if (expander.overflow) return false;
    for (Body& body : bodies) clauses.push_back({rule.head, std::move(body)});
    return true;
}

}  // namespace stratagem::ground
