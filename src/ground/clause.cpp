#include "ground/clause.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_set>
#include <utility>

#include "ground/made_names.h"
#include "ground/variables.h"

namespace stratagem::ground {

namespace {

using Body = std::vector<ClauseLiteral>;
using Kind = gdl::Literal::Kind;

// The first of each literal, in their order.
void remove_repeated(Body& body) {
    constexpr std::size_t few = 16;
    if (body.size() <= few) {
        std::size_t kept = 0;
        for (const ClauseLiteral literal : body) {
            const auto end = body.begin() + static_cast<std::ptrdiff_t>(kept);
            if (std::find(body.begin(), end, literal) == end) body[kept++] = literal;
        }
        body.resize(kept);
        return;
    }
    std::unordered_set<std::uint64_t> seen;
    std::erase_if(body, [&](const ClauseLiteral& literal) {
        return !seen.insert(std::uint64_t{gdl::index(literal.atom)} << 8U | static_cast<std::uint64_t>(literal.kind))
                    .second;
    });
}

// The alternatives of a formula: a disjunction of conjunctions. Empty: never holds. Too many: `overflow`.
// A literal may stand several times in an alternative.
class Expander {
  public:
    explicit Expander(Effort& effort) : effort_(effort) {}

    std::vector<Body> conjunction(const std::vector<gdl::Literal>& parts, bool positive) {
        std::vector<Body> product{Body{}};
        std::size_t literals = 0;  // of all bodies of the product
        for (const gdl::Literal& part : parts) {
            const std::vector<Body> alternatives = expand(part, positive);
            if (overflow) return {};
            std::size_t added = 0;
            for (const Body& body : alternatives) added += body.size();
            literals = literals * alternatives.size() + added * product.size();
            if (product.size() * alternatives.size() > max_clauses_per_rule || literals > max_literals_per_rule) {
                overflow = true;
                return {};
            }
            effort_.spend(alternatives.size() == 1 ? added * product.size() + 1 : literals + 1);
            multiply(product, alternatives);
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

    static void multiply(std::vector<Body>& product, const std::vector<Body>& alternatives) {
        // Most parts have one alternative: bodies grow in place.
        if (alternatives.size() == 1) {
            const Body& more = alternatives.front();
            for (Body& body : product) body.insert(body.end(), more.begin(), more.end());
            return;
        }
        std::vector<Body> combined;
        combined.reserve(product.size() * alternatives.size());
        for (const Body& left : product) {
            for (const Body& right : alternatives) {
                Body& body = combined.emplace_back(left);
                body.insert(body.end(), right.begin(), right.end());
            }
        }
        product = std::move(combined);
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

    Effort& effort_;
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

// A rule on its way to clauses.
class RuleExpander {
  public:
    RuleExpander(const gdl::Rule& rule, gdl::TermPool& terms, std::vector<Clause>& clauses, Effort& effort)
        : rule_(rule), body_(rule.body), terms_(terms), clauses_(clauses), effort_(effort) {}

    bool run() {
        const bool several = body_.size() > 1;
        const auto is_either = [](const gdl::Literal& literal) { return literal.kind == Kind::disjunction; };
        if (several && std::any_of(body_.begin(), body_.end(), is_either)) separate_all();
        Expander expander(effort_);
        std::vector<Body> bodies = expander.conjunction(body_, true);
        if (expander.overflow) return false;
        for (Body& body : bodies) {
            remove_repeated(body);
            clauses_.push_back({rule_.head, std::move(body)});
        }
        return true;
    }

  private:
    void separate_all() {
        // In how many parts of the rule, the head included, a variable occurs.
        std::map<gdl::Symbol, std::size_t> parts_with;
        for (const gdl::Symbol variable : variables_of(terms_, rule_.head)) ++parts_with[variable];
        for (const gdl::Literal& literal : body_) {
            Variables inside;
            collect_variables(literal, terms_, inside);
            for (const gdl::Symbol variable : inside) ++parts_with[variable];
            effort_.spend(inside.size() + 1);
        }
        for (gdl::Literal& literal : body_) {
            if (literal.kind == Kind::disjunction) separate(literal, parts_with);
        }
    }

    // Turns a disjunction into a relation of its own, if its alternatives are safe.
    void separate(gdl::Literal& literal, const std::map<gdl::Symbol, std::size_t>& parts_with) {
        Variables inside;
        collect_variables(literal, terms_, inside);
        Variables shared;
        for (const gdl::Symbol variable : inside) {
            if (parts_with.at(variable) > 1) shared.insert(variable);
        }
        Expander expander(effort_);
        std::vector<Body> bodies = expander.conjunction({literal}, true);
        const bool safe = !expander.overflow && std::all_of(bodies.begin(), bodies.end(), [&](const Body& body) {
            return binds(body, terms_, shared);
        });
        if (!safe) return;
        std::vector<gdl::Term> arguments;
        for (const gdl::Symbol variable : shared) arguments.push_back(terms_.variable(variable));
        const std::string name = fmt::format("{}{}", either_prefix, clauses_.size());
        const gdl::Term atom = terms_.compound(terms_.symbols().intern(name), arguments);
        for (Body& body : bodies) {
            remove_repeated(body);
            clauses_.push_back({atom, std::move(body)});
        }
        literal = gdl::Literal{};
        literal.atom = atom;
    }

    const gdl::Rule& rule_;
    std::vector<gdl::Literal> body_;
    gdl::TermPool& terms_;
    std::vector<Clause>& clauses_;
    Effort& effort_;
};

}  // namespace

bool to_clauses(const gdl::Rule& rule, gdl::TermPool& terms, std::vector<Clause>& clauses, Effort& effort) {
    return RuleExpander(rule, terms, clauses, effort).run();
}

}  // namespace stratagem::ground
