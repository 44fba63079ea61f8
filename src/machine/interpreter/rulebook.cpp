#include "machine/interpreter/rulebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "machine/limits.h"
#include "util/strongly_connected.h"

namespace stratagem::machine::interpreter {

using gdl::Literal;
using gdl::Symbol;
using gdl::Term;
namespace keyword = gdl::keyword;

namespace {

// Up to this many facts beside rules stay clauses (a comparison each); more go to a relation with an index.
constexpr std::size_t max_fact_clauses = 4;

// The relations a game is asked for. They are derived even when they have only facts, so that asking is one thing.
constexpr std::pair<Symbol, std::uint32_t> asked_for[] = {
    {keyword::init, 1}, {keyword::next, 1},     {keyword::legal, 2},
    {keyword::goal, 2}, {keyword::terminal, 0}, {keyword::sees, 2},
};

}  // namespace

Rulebook::Rulebook(const gdl::Description& description, gdl::TermPool& terms) : terms_(terms) {
    all_fluents_ = add_predicate("true/1", 1, true);
    known_[{keyword::true_, 1, false}] = all_fluents_;
    does_ = add_predicate("does/2", 2, true);
    known_[{keyword::does, 2, false}] = does_;
    for (const auto& [symbol, arity] : asked_for) {
        const Predicate derived = predicate({symbol, arity, false});
        predicates_[index(derived)].stored = false;
    }
    add_rules(description);
    analyse();
}

Predicate Rulebook::keyword(Symbol symbol) const {
    const auto* found = std::ranges::find(asked_for, symbol, &std::pair<Symbol, std::uint32_t>::first);
    return known_.at({symbol, found->second, false});
}

bool Rulebook::find_fluent_predicate(Symbol functor, std::uint32_t arity, Predicate& found) const {
    const auto entry = known_.find({functor, arity, true});
    if (entry == known_.end()) return false;
    found = entry->second;
    return true;
}

// Predicates start out stored and empty; the first clause makes them derived.
Predicate Rulebook::predicate(const Key& key) {
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    std::string name = fmt::format("{}/{}", terms_.symbols().name(key.symbol), key.arity);
    const Predicate added = add_predicate(std::move(name), key.arity, true);
    predicates_[index(added)].in_state = key.in_state;
    known_[key] = added;
    return added;
}

Predicate Rulebook::add_predicate(std::string name, std::uint32_t arity, bool stored) {
    PredicateInfo info;
    info.name = std::move(name);
    info.arity = arity;
    info.stored = stored;
    info.relation = static_cast<std::uint32_t>(relations_.size());
    // Ids of components are given by analyse(); later predicates stand alone, above all others.
    info.component = static_cast<std::uint32_t>(predicates_.size());
    relations_.emplace_back(arity);
    predicates_.push_back(std::move(info));
    return Predicate{static_cast<std::uint32_t>(predicates_.size() - 1)};
}

void Rulebook::add_clause(Predicate head, std::vector<Term> arguments, std::vector<Goal> body) {
    PredicateInfo& info = predicates_[index(head)];
    info.stored = false;
    info.clauses.push_back(static_cast<std::uint32_t>(clauses_.size()));
    clauses_.push_back({head, std::move(arguments), std::move(body)});
}

void Rulebook::add_rules(const gdl::Description& description) {
    std::map<Predicate, std::vector<Term>> facts;
    for (const gdl::Rule& rule : description.rules) {
        const Symbol symbol = terms_.symbol(rule.head);
        if (terms_.is_variable(rule.head) || symbol == keyword::true_ || symbol == keyword::does ||
            symbol == keyword::distinct || gdl::is_connective(symbol)) {
            throw InvalidRules(fmt::format("a rule cannot define '{}'", terms_.symbols().name(symbol)));
        }
        const Predicate head = predicate({symbol, terms_.arity(rule.head), false});
        if (rule.body.empty() && terms_.is_ground(rule.head)) {
            facts[head].push_back(rule.head);
            continue;
        }
        std::vector<Goal> body;
        for (const Literal& literal : rule.body) normalise(literal, body);
        const auto arguments = terms_.arguments(rule.head);
        add_clause(head, {arguments.begin(), arguments.end()}, std::move(body));
    }
    for (const auto& [head, list] : facts) add_facts(head, list);
}

void Rulebook::add_facts(Predicate head, const std::vector<Term>& facts) {
    Relation& relation = relations_[predicates_[index(head)].relation];
    for (const Term fact : facts) {
        if (!relation.contains(terms_.arguments(fact))) relation.add(terms_.arguments(fact));
    }
    if (predicates_[index(head)].stored) return;
    const PredicateInfo info = predicates_[index(head)];  // a copy: predicates are added below
    if (relation.size() <= max_fact_clauses) {
        for (std::uint32_t row = 0; row < relation.size(); ++row) {
            add_clause(head, {relation.row(row), relation.row(row) + info.arity}, {});
        }
        return;
    }
    // p(x, y) <= facts_of_p(x, y), whose relation is the one filled above.
    const Predicate store = add_predicate("facts of " + info.name, info.arity, true);
    std::swap(predicates_[index(store)].relation, predicates_[index(head)].relation);
    std::vector<Term> columns;
    for (std::uint32_t i = 0; i < info.arity; ++i) {
        columns.push_back(terms_.variable(terms_.symbols().intern(fmt::format("column{}", i))));
    }
    Goal call;
    call.predicate = store;
    call.arguments = columns;
    add_clause(head, columns, {std::move(call)});
}

void Rulebook::normalise(const Literal& literal, std::vector<Goal>& out) {
    switch (literal.kind) {
        case Literal::Kind::atom: {
            const Symbol symbol = terms_.symbol(literal.atom);
            if (terms_.is_variable(literal.atom) || gdl::is_connective(symbol)) {
                throw InvalidRules(fmt::format("'{}' is no relation", terms_.symbols().name(symbol)));
            }
            Goal goal;
            Term atom = literal.atom;
            Key key{symbol, terms_.arity(atom), false};
            if (symbol == keyword::true_ && key.arity == 1 && !terms_.is_variable(terms_.argument(atom, 0))) {
                atom = terms_.argument(atom, 0);
                key = {terms_.symbol(atom), terms_.arity(atom), true};
            }
            goal.predicate = predicate(key);
            const auto arguments = terms_.arguments(atom);
            goal.arguments.assign(arguments.begin(), arguments.end());
            out.push_back(std::move(goal));
            return;
        }
        case Literal::Kind::distinct: {
            Goal goal;
            goal.kind = Goal::Kind::distinct;
            const auto arguments = terms_.arguments(literal.atom);
            if (arguments.size() != 2) throw InvalidRules("'distinct' needs two terms");
            goal.arguments.assign(arguments.begin(), arguments.end());
            out.push_back(std::move(goal));
            return;
        }
        case Literal::Kind::conjunction:
            for (const Literal& part : literal.parts) normalise(part, out);
            return;
        case Literal::Kind::negation: {
            Literal inner;
            if (literal.parts.size() == 1) {
                normalise_negated(literal.parts.front(), out);
            } else {
                inner.kind = Literal::Kind::conjunction;
                inner.parts = literal.parts;
                normalise_negated(inner, out);
            }
            return;
        }
        case Literal::Kind::disjunction: {
            if (literal.parts.size() == 1) return normalise(literal.parts.front(), out);
            Goal goal;
            goal.kind = Goal::Kind::disjunction;
            for (const Literal& part : literal.parts) normalise(part, goal.branches.emplace_back());
            out.push_back(std::move(goal));
            return;
        }
    }
}

// Appends goals that together mean (not literal).
void Rulebook::normalise_negated(const Literal& literal, std::vector<Goal>& out) {
    if (literal.kind == Literal::Kind::negation && literal.parts.size() == 1) {
        return normalise(literal.parts.front(), out);
    }
    if (literal.kind == Literal::Kind::disjunction) {
        for (const Literal& part : literal.parts) normalise_negated(part, out);
        return;
    }
    Goal goal;
    goal.kind = Goal::Kind::negation;
    normalise(literal, goal.branches.emplace_back());
    out.push_back(std::move(goal));
}

// Components and levels, from the dependency graph of the predicates.
void Rulebook::analyse() {
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> targets;
    for (const PredicateInfo& info : predicates_) {
        for (const std::uint32_t number : info.clauses) {
            for_each_call(clauses_[number].body, [&](const Goal& call) { targets.push_back(index(call.predicate)); });
        }
        first.push_back(static_cast<std::uint32_t>(targets.size()));
    }
    const auto count = static_cast<std::uint32_t>(predicates_.size());
    const std::vector<std::uint32_t> components = strongly_connected(count, first, targets);
    std::vector<std::vector<std::uint32_t>> members(count);  // by component
    for (std::uint32_t p = 0; p < count; ++p) members[components[p]].push_back(p);
    std::vector<Level> levels(count, Level::fixed);
    // Components are numbered so that what one depends on comes before it.
    for (std::uint32_t c = 0; c < count; ++c) {
        for (const std::uint32_t p : members[c]) {
            PredicateInfo& info = predicates_[p];
            info.component = c;
            info.recursive = members[c].size() > 1;
            if (info.in_state || Predicate{p} == all_fluents_) levels[c] = std::max(levels[c], Level::state);
            if (Predicate{p} == does_) levels[c] = Level::move;
            for (std::uint32_t i = first[p]; i < first[p + 1]; ++i) {
                info.recursive = info.recursive || targets[i] == p;
                levels[c] = std::max(levels[c], levels[components[targets[i]]]);
            }
        }
        for (const std::uint32_t p : members[c]) predicates_[p].level = levels[c];
    }
}

Predicate Rulebook::add_query(const std::vector<Literal>& body, std::vector<Term> head, std::size_t& new_fluents) {
    const std::size_t before = predicates_.size();
    std::vector<Goal> goals;
    for (const Literal& literal : body) normalise(literal, goals);
    new_fluents = 0;
    for (std::size_t p = before; p < predicates_.size(); ++p) {
        if (!predicates_[p].in_state) continue;
        predicates_[p].level = Level::state;
        ++new_fluents;
    }
    const Predicate query = add_predicate("query", static_cast<std::uint32_t>(head.size()), false);
    Level level = Level::fixed;
    for_each_call(goals, [&](const Goal& call) { level = std::max(level, (*this)[call.predicate].level); });
    predicates_[index(query)].level = level;
    add_clause(query, std::move(head), std::move(goals));
    return query;
}

}  // namespace stratagem::machine::interpreter
