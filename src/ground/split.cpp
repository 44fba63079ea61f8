#include "ground/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ground/made_names.h"
#include "ground/predicate_graph.h"
#include "ground/variables.h"

namespace stratagem::ground {

using gdl::Symbol;
using gdl::Term;

namespace {

class Splitter {
  public:
    Splitter(Database& database, const PredicateGraph& graph, std::size_t first_name)
        : database_(database), terms_(database.terms()), graph_(graph), first_name_(first_name) {}

    void run(Clause clause) {
        // Rules longer than this come from generators and have few variables; quadratic work on them is not worth it.
        constexpr std::size_t longest = 200;
        while (clause.body.size() <= longest) {
            const std::optional<Part> part = best_part(clause);
            if (!part) break;
            cut(clause, *part);
        }
        result.push_back(std::move(clause));
    }

    std::vector<Clause> result;

  private:
    struct Part {
        std::vector<std::size_t> literals;  // moved to the new rule
        std::vector<std::size_t> copies;    // also used there, but kept: they only restrict
        Variables variables;
    };

    // `given` together determine `result`.
    struct Dependency {
        Variables given;
        Symbol result{};
    };

    bool is_static(const ClauseLiteral& literal) const {
        const auto name = terms_.symbols().name(terms_.symbol(literal.atom));
        // Parts and demand are known only after this; taking them as not static is safe.
        return !is_part_name(name) && !is_demand_name(name) && !graph_.is_state_dependent(graph_.of(literal.atom));
    }

    // The part with the fewest free variables around variables that the head does not mention, if cutting it out
    // leaves fewer for the rule.
    std::optional<Part> best_part(const Clause& clause) {
        const Variables head = variables_of(terms_, clause.head);
        Variables all = head;
        std::vector<Variables> of_literal;
        for (const ClauseLiteral& literal : clause.body) {
            of_literal.push_back(variables_of(terms_, literal.atom));
            all.insert(of_literal.back().begin(), of_literal.back().end());
        }
        const std::vector<Dependency> dependencies = find_dependencies(clause);
        const std::size_t whole = rank(all, dependencies);
        std::optional<Part> best;
        std::size_t best_rank = whole;
        for (const Symbol seed : all) {
            if (head.contains(seed)) continue;
            database_.tick(all.size() * (clause.body.size() + dependencies.size()));
            // One variable alone may be determined by its neighbours: sum(A, B, C) has to lose A and B together.
            Part part = part_around({seed}, of_literal);
            Variables inside{seed};
            for (std::size_t grown = 0; grown <= most_joined; ++grown) {
                database_.tick(all.size() * (clause.body.size() + dependencies.size()));
                Part safe = part;
                const bool good = make_safe(clause, of_literal, safe);
                const std::size_t own_rank = rank(safe.variables, dependencies);
                if (own_rank >= best_rank) break;
                if (good && rank(remaining_variables(of_literal, safe, head), dependencies) < whole) {
                    best_rank = own_rank;
                    best = std::move(safe);
                    break;
                }
                if (!grow(part, inside, of_literal, head, dependencies)) break;
            }
        }
        if (best) add_filters(clause, of_literal, *best);
        return best;
    }

    static constexpr std::size_t most_joined = 4;

    static Part part_around(const Variables& inside, const std::vector<Variables>& of_literal) {
        Part part;
        for (std::size_t i = 0; i < of_literal.size(); ++i) {
            const bool touches = std::any_of(inside.begin(), inside.end(),
                                             [&](Symbol variable) { return of_literal[i].contains(variable); });
            if (!touches) continue;
            part.literals.push_back(i);
            part.variables.insert(of_literal[i].begin(), of_literal[i].end());
        }
        return part;
    }

    // Takes in the neighbouring variable that adds least; false when there is none.
    static bool grow(Part& part, Variables& inside, const std::vector<Variables>& of_literal, const Variables& head,
                     const std::vector<Dependency>& dependencies) {
        std::optional<Part> best;
        Symbol joined{};
        std::size_t best_rank = 0;
        for (const Symbol variable : part.variables) {
            if (inside.contains(variable) || head.contains(variable)) continue;
            Variables larger = inside;
            larger.insert(variable);
            Part candidate = part_around(larger, of_literal);
            const std::size_t own_rank = rank(candidate.variables, dependencies);
            if (best && own_rank >= best_rank) continue;
            best_rank = own_rank;
            best = std::move(candidate);
            joined = variable;
        }
        if (!best) return false;
        part = std::move(*best);
        inside.insert(joined);
        return true;
    }

    // Those of the rule after the part has been cut out.
    static Variables remaining_variables(const std::vector<Variables>& of_literal, const Part& part,
                                         Variables variables) {
        for (std::size_t i = 0; i < of_literal.size(); ++i) {
            if (std::find(part.literals.begin(), part.literals.end(), i) != part.literals.end()) continue;
            variables.insert(of_literal[i].begin(), of_literal[i].end());
        }
        return variables;
    }

    std::vector<Dependency> find_dependencies(const Clause& clause) {
        std::vector<Dependency> found;
        std::vector<Term> arguments;
        for (const ClauseLiteral& literal : clause.body) {
            if (literal.kind != ClauseLiteral::Kind::positive || !is_static(literal)) continue;
            const RelationId relation = database_.resolve(literal.atom, arguments);
            for (std::uint32_t column = 0; column < arguments.size(); ++column) {
                if (!terms_.is_variable(arguments[column]) || !is_function(relation, column)) continue;
                Dependency dependency;
                dependency.result = terms_.symbol(arguments[column]);
                for (std::uint32_t other = 0; other < arguments.size(); ++other) {
                    if (other != column) collect_variables(terms_, arguments[other], dependency.given);
                }
                if (!dependency.given.contains(dependency.result)) found.push_back(std::move(dependency));
            }
        }
        return found;
    }

    // Whether the argument is determined by the others in the tuples there are.
    bool is_function(RelationId relation, std::uint32_t column) {
        const auto [known, added] = functions_.try_emplace({index(relation), column}, false);
        if (!added) return known->second;
        const Relation& tuples = database_[relation].relation;
        std::set<std::vector<Term>> rest;
        for (const Relation::Row row : tuples.active()) {
            database_.tick(20);  // looking a tuple up in a set
            std::vector<Term> tuple(tuples.tuple(row).begin(), tuples.tuple(row).end());
            tuple.erase(tuple.begin() + static_cast<std::ptrdiff_t>(column));
            rest.insert(std::move(tuple));
        }
        known->second = tuples.active_rows() > 0 && rest.size() == tuples.active_rows();
        return known->second;
    }

    // How many of the variables can be chosen freely.
    static std::size_t rank(const Variables& variables, const std::vector<Dependency>& dependencies) {
        Variables basis = variables;
        for (const Symbol variable : variables) {
            Variables closed = basis;
            closed.erase(variable);
            for (bool grown = true; grown && !closed.contains(variable);) {
                grown = false;
                for (const Dependency& dependency : dependencies) {
                    if (closed.contains(dependency.result) || !includes(closed, dependency.given)) continue;
                    if (!variables.contains(dependency.result)) continue;
                    closed.insert(dependency.result);
                    grown = true;
                }
            }
            if (closed.contains(variable)) basis.erase(variable);
        }
        return basis.size();
    }

    // Variables of negations and of distinct must be bound by positive conditions of the part; static ones of the
    // rule may be copied for that.
    bool make_safe(const Clause& clause, const std::vector<Variables>& of_literal, Part& part) const {
        Variables bound;
        Variables wanted;
        for (const std::size_t i : part.literals) {
            const bool positive = clause.body[i].kind == ClauseLiteral::Kind::positive;
            (positive ? bound : wanted).insert(of_literal[i].begin(), of_literal[i].end());
        }
        for (std::size_t i = 0; i < clause.body.size() && !includes(bound, wanted); ++i) {
            if (clause.body[i].kind != ClauseLiteral::Kind::positive || !is_static(clause.body[i])) continue;
            if (std::find(part.literals.begin(), part.literals.end(), i) != part.literals.end()) continue;
            const bool helps = std::any_of(of_literal[i].begin(), of_literal[i].end(), [&](Symbol variable) {
                return wanted.contains(variable) && !bound.contains(variable);
            });
            if (!helps) continue;
            part.copies.push_back(i);
            bound.insert(of_literal[i].begin(), of_literal[i].end());
            part.variables.insert(of_literal[i].begin(), of_literal[i].end());
        }
        return includes(bound, wanted);
    }

    // Static conditions over the same variables cost nothing and keep the new relation small.
    void add_filters(const Clause& clause, const std::vector<Variables>& of_literal, Part& part) const {
        for (std::size_t i = 0; i < clause.body.size(); ++i) {
            if (of_literal[i].empty() || !includes(part.variables, of_literal[i])) continue;
            if (std::find(part.literals.begin(), part.literals.end(), i) != part.literals.end()) continue;
            if (std::find(part.copies.begin(), part.copies.end(), i) != part.copies.end()) continue;
            const ClauseLiteral& literal = clause.body[i];
            if (literal.kind == ClauseLiteral::Kind::distinct ||
                (literal.kind == ClauseLiteral::Kind::positive && is_static(literal))) {
                // A copied distinct needs its variables bound inside the part.
                if (literal.kind == ClauseLiteral::Kind::distinct && !bound_inside(clause, of_literal, part, i))
                    continue;
                part.copies.push_back(i);
            }
        }
    }

    bool bound_inside(const Clause& clause, const std::vector<Variables>& of_literal, const Part& part,
                      std::size_t literal) const {
        Variables bound;
        for (const auto& list : {part.literals, part.copies}) {
            for (const std::size_t i : list) {
                if (clause.body[i].kind == ClauseLiteral::Kind::positive) {
                    bound.insert(of_literal[i].begin(), of_literal[i].end());
                }
            }
        }
        return includes(bound, of_literal[literal]);
    }

    void cut(Clause& clause, const Part& part) {
        Variables outside = variables_of(terms_, clause.head);
        Clause remaining;
        remaining.head = clause.head;
        for (std::size_t i = 0; i < clause.body.size(); ++i) {
            if (std::find(part.literals.begin(), part.literals.end(), i) != part.literals.end()) continue;
            remaining.body.push_back(clause.body[i]);
            collect_variables(terms_, clause.body[i].atom, outside);
        }
        Clause piece;
        for (const auto& list : {part.literals, part.copies}) {
            for (const std::size_t i : list) piece.body.push_back(clause.body[i]);
        }
        std::vector<Term> shared;
        for (const Symbol variable : part.variables) {
            if (outside.contains(variable)) shared.push_back(terms_.variable(variable));
        }
        const Symbol name = name_of(piece.body, shared);
        piece.head = terms_.compound(name, shared);
        remaining.body.push_back({ClauseLiteral::Kind::positive, piece.head});
        if (fresh_) run(std::move(piece));
        clause = std::move(remaining);
    }

    // The same conditions cut from several rules share one relation: names of variables do not matter.
    Symbol name_of(const std::vector<ClauseLiteral>& body, std::vector<Term>& shared) {
        std::map<Symbol, Term> canonical;
        std::vector<std::uint32_t> key;
        for (const ClauseLiteral& literal : body) {
            key.push_back(static_cast<std::uint32_t>(literal.kind));
            key.push_back(gdl::index(rename(literal.atom, canonical)));
        }
        // Arguments in canonical order, so that equal keys mean equal relations.
        std::sort(shared.begin(), shared.end(), [&](Term a, Term b) {
            return gdl::index(canonical.at(terms_.symbol(a))) < gdl::index(canonical.at(terms_.symbol(b)));
        });
        for (const Term term : shared) key.push_back(gdl::index(canonical.at(terms_.symbol(term))));
        const auto [found, added] = names_.try_emplace(std::move(key));
        fresh_ = added;
        if (added)
            found->second = terms_.symbols().intern(fmt::format("{}{}", part_prefix, first_name_ + names_.size()));
        return found->second;
    }

    Term rename(Term term, std::map<Symbol, Term>& canonical) {
        if (terms_.is_ground(term)) return term;
        if (terms_.is_variable(term)) {
            const auto found = canonical.find(terms_.symbol(term));
            if (found != canonical.end()) return found->second;
            const Symbol name = terms_.symbols().intern(fmt::format("variable {}", canonical.size()));
            return canonical.emplace(terms_.symbol(term), terms_.variable(name)).first->second;
        }
        std::vector<Term> arguments;
        for (std::uint32_t i = 0; i < terms_.arity(term); ++i) {
            arguments.push_back(rename(terms_.argument(term, i), canonical));
        }
        return terms_.compound(terms_.symbol(term), arguments);
    }

    Database& database_;
    gdl::TermPool& terms_;
    const PredicateGraph& graph_;
    std::size_t first_name_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> functions_;  // by relation and argument
    std::map<std::vector<std::uint32_t>, Symbol> names_;
    bool fresh_ = false;
};

}  // namespace

void split_clauses(std::vector<Clause>& clauses, Database& database) {
    const PredicateGraph graph(clauses, database.terms());
    // The number of terms is different at each call, so that names of two calls never meet.
    Splitter splitter(database, graph, database.terms().size());
    for (Clause& clause : clauses) splitter.run(std::move(clause));
    clauses = std::move(splitter.result);
}

}  // namespace stratagem::ground
