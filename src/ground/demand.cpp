#include "ground/demand.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ground/made_names.h"
#include "ground/predicate_graph.h"
#include "ground/variables.h"

namespace stratagem::ground {

using gdl::Term;

namespace {

using Mask = std::vector<bool>;

class Demander {
  public:
    Demander(std::vector<Clause>& clauses, gdl::TermPool& terms, const std::set<PredicateKey>& wanted, Effort& effort)
        : clauses_(clauses), terms_(terms), graph_(clauses, terms), effort_(effort) {
        for (const PredicateKey& key : wanted) masks_.emplace(key, Mask(key.second, true));
    }

    bool binds_everything() {
        while (shrink_masks()) {
        }
        const Mask& mask = masks_.begin()->second;
        return std::all_of(mask.begin(), mask.end(), [](bool bound) { return bound; });
    }

    void run() {
        while (shrink_masks()) {
        }
        std::erase_if(masks_, [](const auto& entry) {
            return std::none_of(entry.second.begin(), entry.second.end(), [](bool bound) { return bound; });
        });
        std::vector<Clause> result;
        for (const Clause& clause : clauses_) {
            for (std::size_t i = 0; i < clause.body.size(); ++i) {
                if (is_demanded(clause.body[i].atom)) result.push_back(demand_clause(clause, i));
            }
        }
        for (Clause& clause : clauses_) {
            if (is_demanded(clause.head)) {
                clause.body.insert(clause.body.begin(), {ClauseLiteral::Kind::positive, demand_atom(clause.head)});
            }
            result.push_back(std::move(clause));
        }
        clauses_ = std::move(result);
    }

  private:
    PredicateKey key(Term atom) const { return {terms_.symbol(atom), terms_.arity(atom)}; }
    bool is_demanded(Term atom) const { return masks_.contains(key(atom)); }

    // What a user has bound when it asks the literal at `position`: its other positive conditions, and the demand for
    // its own head. Conditions on demanded relations do not count, so that demand does not wait for its own answers.
    Variables bound_by_others(const Clause& clause, std::size_t position) const {
        Variables bound;
        effort_.spend(clause.body.size() + 1);
        for (std::size_t i = 0; i < clause.body.size(); ++i) {
            const ClauseLiteral& literal = clause.body[i];
            if (i == position || literal.kind != ClauseLiteral::Kind::positive || is_demanded(literal.atom)) continue;
            collect_variables(terms_, literal.atom, bound);
        }
        const auto own = masks_.find(key(clause.head));
        if (own == masks_.end()) return bound;
        for (std::uint32_t i = 0; i < own->second.size(); ++i) {
            if (own->second[i]) collect_variables(terms_, terms_.argument(clause.head, i), bound);
        }
        return bound;
    }

    // Only arguments that every user binds can restrict.
    bool shrink_masks() {
        bool changed = false;
        for (const Clause& clause : clauses_) {
            effort_.spend(clause.body.size() + 1);
            for (std::size_t i = 0; i < clause.body.size(); ++i) {
                const auto mask = masks_.find(key(clause.body[i].atom));
                if (mask == masks_.end()) continue;
                const Variables bound = bound_by_others(clause, i);
                for (std::uint32_t a = 0; a < mask->second.size(); ++a) {
                    if (!mask->second[a]) continue;
                    if (includes(bound, variables_of(terms_, terms_.argument(clause.body[i].atom, a)))) continue;
                    mask->second[a] = false;
                    changed = true;
                }
            }
        }
        return changed;
    }

    Term demand_atom(Term atom) {
        const Mask& mask = masks_.at(key(atom));
        std::vector<Term> arguments;
        for (std::uint32_t i = 0; i < mask.size(); ++i) {
            if (mask[i]) arguments.push_back(terms_.argument(atom, i));
        }
        const std::string name =
            fmt::format("{}{}/{}", demand_prefix, terms_.symbols().name(terms_.symbol(atom)), terms_.arity(atom));
        return terms_.compound(terms_.symbols().intern(name), arguments);
    }

    Clause demand_clause(const Clause& clause, std::size_t position) {
        Clause result;
        result.head = demand_atom(clause.body[position].atom);
        if (is_demanded(clause.head)) {
            result.body.push_back({ClauseLiteral::Kind::positive, demand_atom(clause.head)});
        }
        Variables bound = bound_by_others(clause, position);
        for (std::size_t i = 0; i < clause.body.size(); ++i) {
            const ClauseLiteral& literal = clause.body[i];
            if (i == position || is_demanded(literal.atom)) continue;
            const bool filter = literal.kind != ClauseLiteral::Kind::positive;
            if (filter && !includes(bound, variables_of(terms_, literal.atom))) continue;
            // A negated condition on the state may hold or not: the demand must not depend on it.
            if (literal.kind == ClauseLiteral::Kind::negative && graph_.is_state_dependent(graph_.of(literal.atom))) {
                continue;
            }
            result.body.push_back(literal);
        }
        return result;
    }

    std::vector<Clause>& clauses_;
    gdl::TermPool& terms_;
    PredicateGraph graph_;
    std::map<PredicateKey, Mask> masks_;
    Effort& effort_;
};

}  // namespace

std::set<PredicateKey> find_always_bound(const std::vector<Clause>& clauses, gdl::TermPool& terms,
                                         const std::set<PredicateKey>& relations, Effort& effort) {
    std::map<PredicateKey, std::vector<const Clause*>> users;
    for (const Clause& clause : clauses) {
        std::set<PredicateKey> used;
        for (const ClauseLiteral& literal : clause.body) {
            const PredicateKey key{terms.symbol(literal.atom), terms.arity(literal.atom)};
            if (relations.contains(key) && used.insert(key).second) users[key].push_back(&clause);
        }
        effort.spend(clause.body.size() + 1);
    }
    std::set<PredicateKey> found;
    for (const PredicateKey& relation : relations) {
        std::vector<Clause> asking;
        for (const Clause* clause : users[relation]) {
            effort.spend(clause->body.size() + 1);
            asking.push_back(*clause);
        }
        if (Demander(asking, terms, {relation}, effort).binds_everything()) found.insert(relation);
    }
    return found;
}

void add_demand(std::vector<Clause>& clauses, gdl::TermPool& terms, const std::set<PredicateKey>& wanted,
                Effort& effort) {
    if (!wanted.empty()) Demander(clauses, terms, wanted, effort).run();
}

}  // namespace stratagem::ground
