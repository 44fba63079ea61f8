#include "ground/join.h"

#include <algorithm>
#include <limits>

#include "ground/made_names.h"

namespace stratagem::ground {

using gdl::Term;

JoinClause::JoinClause(const Clause& clause, Database& database) : clause_(clause) {
    const gdl::TermPool& terms = database.terms();
    std::vector<Term> arguments;
    head_is_next_ = terms.symbol(clause.head) == gdl::keyword::next && terms.arity(clause.head) == 1;
    head_relation_ = head_is_next_ ? database.resolve_fluent(terms.argument(clause.head, 0), arguments)
                                   : database.resolve(clause.head, arguments);
    for (const Term argument : arguments) head_.push_back(compile(argument, terms));
    for (const ClauseLiteral& literal : clause.body) {
        JoinLiteral joined;
        const bool is_distinct = terms.symbol(literal.atom) == gdl::keyword::distinct && terms.arity(literal.atom) == 2;
        if (is_distinct) {
            joined.kind =
                literal.kind == ClauseLiteral::Kind::distinct ? JoinLiteral::Kind::distinct : JoinLiteral::Kind::equal;
            const auto sides = terms.arguments(literal.atom);
            arguments.assign(sides.begin(), sides.end());
        } else {
            joined.kind = literal.kind == ClauseLiteral::Kind::positive ? JoinLiteral::Kind::positive
                                                                        : JoinLiteral::Kind::negative;
            joined.relation = database.resolve(literal.atom, arguments);
            joined.kept = !is_demand_name(terms.symbols().name(terms.symbol(literal.atom)));
        }
        for (const Term argument : arguments) joined.arguments.push_back(compile(argument, terms));
        literals_.push_back(std::move(joined));
    }
    values_.resize(variables_.size());
    plans_.resize(literals_.size() + 1);
}

Pattern JoinClause::compile(Term term, const gdl::TermPool& terms) {
    Pattern pattern;
    if (terms.is_ground(term)) {
        pattern.term = term;
    } else if (terms.is_variable(term)) {
        pattern.kind = Pattern::Kind::variable;
        const auto found = std::find(variables_.begin(), variables_.end(), terms.symbol(term));
        pattern.variable = static_cast<std::uint32_t>(found - variables_.begin());
        if (found == variables_.end()) variables_.push_back(terms.symbol(term));
    } else {
        pattern.kind = Pattern::Kind::compound;
        pattern.functor = terms.symbol(term);
        for (std::uint32_t i = 0; i < terms.arity(term); ++i) {
            pattern.arguments.push_back(compile(terms.argument(term, i), terms));
        }
    }
    return pattern;
}

namespace {

bool is_bound(const Pattern& pattern, const std::vector<bool>& bound) {
    switch (pattern.kind) {
        case Pattern::Kind::constant:
            return true;
        case Pattern::Kind::variable:
            return bound[pattern.variable];
        case Pattern::Kind::compound:
            return std::all_of(pattern.arguments.begin(), pattern.arguments.end(),
                               [&](const Pattern& argument) { return is_bound(argument, bound); });
    }
    return false;
}

void bind(const Pattern& pattern, std::vector<bool>& bound) {
    if (pattern.kind == Pattern::Kind::variable) bound[pattern.variable] = true;
    for (const Pattern& argument : pattern.arguments) bind(argument, bound);
}

// Variables inside compounds of these arguments that are bound.
void collect_bound(const Pattern& pattern, const std::vector<bool>& bound, std::vector<std::uint32_t>& variables) {
    if (pattern.kind == Pattern::Kind::variable && bound[pattern.variable]) variables.push_back(pattern.variable);
    for (const Pattern& argument : pattern.arguments) collect_bound(argument, bound, variables);
}

// Rows expected to match when the arguments in `bound` have values. Independent columns are assumed.
double expected_rows(const JoinLiteral& literal, RelationInfo& info, const std::vector<bool>& bound) {
    auto rows = static_cast<double>(info.relation.active_rows());
    for (std::uint32_t column = 0; column < literal.arguments.size(); ++column) {
        if (is_bound(literal.arguments[column], bound)) {
            rows /= static_cast<double>(info.relation.distinct(column));
        }
    }
    return rows;
}

}  // namespace

void JoinClause::make_plan(Plan& plan, Database& database, std::size_t position) {
    plan = Plan{};
    plan.made = true;
    plan.size_when_made = total_size(database);
    std::vector<bool> bound(variables_.size(), false);
    std::vector<bool> done(literals_.size(), false);
    if (position != from_nothing) {
        done[position] = true;
        for (const Pattern& argument : literals_[position].arguments) bind(argument, bound);
    }
    const auto fully_bound = [&](const JoinLiteral& literal) {
        return std::all_of(literal.arguments.begin(), literal.arguments.end(),
                           [&](const Pattern& argument) { return is_bound(argument, bound); });
    };
    for (std::size_t left = literals_.size() - (position != from_nothing ? 1 : 0); left > 0; --left) {
        std::size_t best = literals_.size();
        double best_cost = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < literals_.size(); ++i) {
            if (done[i]) continue;
            const JoinLiteral& literal = literals_[i];
            double cost = 0;
            if (fully_bound(literal)) {
                // A test never adds rows: filters first, then what only has to be noted.
                cost = literal.complete || literal.kind == JoinLiteral::Kind::distinct ? -2 : -1;
            } else if (literal.kind == JoinLiteral::Kind::equal) {
                const bool one_side = is_bound(literal.arguments[0], bound) || is_bound(literal.arguments[1], bound);
                cost = one_side ? -2 : 1e300;
            } else if (literal.kind != JoinLiteral::Kind::positive) {
                continue;  // not bound yet
            } else {
                cost = expected_rows(literal, database[literal.relation], bound);
            }
            if (cost < best_cost) {
                best_cost = cost;
                best = i;
            }
        }
        // Only filters with unbound variables are left: the rule is unsafe. The check refuses such rules, so this
        // cannot happen for a checked description; treating the filter as the end of the plan keeps it harmless.
        if (best == literals_.size()) break;
        done[best] = true;
        const JoinLiteral& literal = literals_[best];
        Step step;
        step.literal = static_cast<std::uint32_t>(best);
        step.all_bound = fully_bound(literal);
        if (literal.kind == JoinLiteral::Kind::positive && !step.all_bound) {
            std::vector<bool> now = bound;
            for (std::uint32_t column = 0; column < literal.arguments.size(); ++column) {
                const Pattern& argument = literal.arguments[column];
                ArgumentUse use;
                use.column = column;
                if (column < 64 && is_bound(argument, bound)) {
                    step.mask |= Relation::Mask{1} << column;
                    continue;
                }
                if (argument.kind == Pattern::Kind::variable && !now[argument.variable]) {
                    use.kind = ArgumentUse::Kind::bind;
                } else if (is_bound(argument, now)) {
                    use.kind = ArgumentUse::Kind::compare;
                } else {
                    use.kind = ArgumentUse::Kind::match;
                }
                if (use.kind == ArgumentUse::Kind::match) collect_bound(argument, now, step.keep);
                bind(argument, now);
                step.rest.push_back(use);
            }
            if (step.mask != 0) step.index = &database[literal.relation].relation.index(step.mask);
        }
        if (literal.kind == JoinLiteral::Kind::equal && !step.all_bound) {
            step.known_side = is_bound(literal.arguments[0], bound) ? 0 : 1;
            collect_bound(literal.arguments[1 - step.known_side], bound, step.keep);
        }
        for (const Pattern& argument : literal.arguments) bind(argument, bound);
        plan.steps.push_back(std::move(step));
    }
}

std::size_t JoinClause::total_size(const Database& database) const {
    std::size_t total = 0;
    for (const JoinLiteral& literal : literals_) {
        if (literal.kind == JoinLiteral::Kind::positive) total += database[literal.relation].relation.active_rows();
    }
    return total;
}

Term JoinClause::build_compound(Database& database, const Pattern& pattern) const {
    std::vector<Term> arguments;
    arguments.reserve(pattern.arguments.size());
    for (const Pattern& argument : pattern.arguments) arguments.push_back(build(database, argument));
    return database.terms().compound(pattern.functor, arguments);
}

std::span<const Term> JoinClause::head_tuple(Database& database) {
    head_tuple_.clear();
    for (const Pattern& argument : head_) head_tuple_.push_back(build(database, argument));
    return head_tuple_;
}

// Binds the variables of a compound pattern, or compares where the plan knows them bound: both are an assignment
// followed by a comparison of the rebuilt term, so that no record of what is bound is needed.
bool JoinClause::match(Database& database, const Pattern& pattern, Term term) {
    const gdl::TermPool& terms = database.terms();
    if (pattern.kind == Pattern::Kind::constant) return pattern.term == term;
    if (pattern.kind == Pattern::Kind::variable) {
        values_[pattern.variable] = term;
        return true;
    }
    if (terms.is_variable(term) || terms.symbol(term) != pattern.functor ||
        terms.arity(term) != pattern.arguments.size()) {
        return false;
    }
    for (std::uint32_t i = 0; i < pattern.arguments.size(); ++i) {
        if (!match(database, pattern.arguments[i], terms.argument(term, i))) return false;
    }
    return true;
}

void JoinClause::run(Database& database, std::size_t position, Relation::Row row, EmitFunction emit, void* context) {
    Plan& plan = plans_[position == from_nothing ? literals_.size() : position];
    // Sizes change while grounding; a plan is made again when they have doubled.
    if (!plan.made || total_size(database) > plan.size_when_made * 2 + 16) make_plan(plan, database, position);
    start_position_ = position;
    emit_ = emit;
    context_ = context;
    body_.positive.clear();
    body_.negative.clear();
    if (position == from_nothing) {
        step(database, plan, 0);
        return;
    }
    const JoinLiteral& literal = literals_[position];
    RelationInfo& info = database[literal.relation];
    for (std::uint32_t column = 0; column < literal.arguments.size(); ++column) {
        if (!match(database, literal.arguments[column], info.relation.at(row, column))) return;
    }
    // A variable may stand at several places: the last assignment must fit all of them.
    for (std::uint32_t column = 0; column < literal.arguments.size(); ++column) {
        if (build(database, literal.arguments[column]) != info.relation.at(row, column)) return;
    }
    start_atom_ = info.atoms[row];
    if (literal.kept) body_.positive.push_back(start_atom_);
    step(database, plan, 0);
}

void JoinClause::step(Database& database, const Plan& plan, std::size_t at) {
    if (at == plan.steps.size()) {
        emit_(context_, body_);
        return;
    }
    const Step& current = plan.steps[at];
    const JoinLiteral& literal = literals_[current.literal];
    switch (literal.kind) {
        case JoinLiteral::Kind::distinct:
            if (build(database, literal.arguments[0]) != build(database, literal.arguments[1]))
                step(database, plan, at + 1);
            return;
        case JoinLiteral::Kind::equal: {
            if (current.all_bound) {
                if (build(database, literal.arguments[0]) == build(database, literal.arguments[1]))
                    step(database, plan, at + 1);
                return;
            }
            // One side has a value: take it apart with the other.
            const std::vector<Term> saved = values_;
            const Term value = build(database, literal.arguments[current.known_side]);
            if (match(database, literal.arguments[1 - current.known_side], value) && kept(current, saved) &&
                build(database, literal.arguments[1 - current.known_side]) == value) {
                step(database, plan, at + 1);
            }
            values_ = saved;
            return;
        }
        case JoinLiteral::Kind::negative:
        case JoinLiteral::Kind::positive:
            if (current.all_bound) {
                test_all_bound(database, plan, at);
            } else {
                walk(database, plan, at);
            }
            return;
    }
}

void JoinClause::test_all_bound(Database& database, const Plan& plan, std::size_t at) {
    const Step& current = plan.steps[at];
    const JoinLiteral& literal = literals_[current.literal];
    const std::size_t base = key_.size();
    for (const Pattern& argument : literal.arguments) key_.push_back(build(database, argument));
    const std::span<const Term> tuple = std::span(key_).subspan(base);
    if (literal.kind == JoinLiteral::Kind::negative && !literal.complete) {
        // Whether it can hold may not be known yet: the atom is noted, and judged when grounding has ended.
        const WorkAtom atom = database.intern(literal.relation, tuple);
        key_.resize(base);
        body_.negative.push_back(atom);
        step(database, plan, at + 1);
        body_.negative.pop_back();
        return;
    }
    RelationInfo& info = database[literal.relation];
    const Relation::Row row = info.relation.find(tuple);
    key_.resize(base);
    const bool holds = row != Relation::no_row && info.relation.is_active(row);
    if (literal.kind == JoinLiteral::Kind::negative) {
        if (!holds) step(database, plan, at + 1);
        return;
    }
    if (!holds) return;
    if (literal.complete) {
        step(database, plan, at + 1);
        return;
    }
    if (use_row(database, current, row)) {
        if (literal.kept) body_.positive.push_back(info.atoms[row]);
        step(database, plan, at + 1);
        if (literal.kept) body_.positive.pop_back();
    }
}

// Binds and compares the arguments outside the key; false when the row does not fit or must not be used.
bool JoinClause::use_row(Database& database, const Step& current, Relation::Row row) {
    const JoinLiteral& literal = literals_[current.literal];
    // The starting atom may stand at several literals (by name, or as a whole term): only at the first of them.
    if (start_position_ != from_nothing && current.literal < start_position_ &&
        database[literal.relation].atoms[row] == start_atom_) {
        return false;
    }
    const Relation& relation = database[literal.relation].relation;
    for (const ArgumentUse& use : current.rest) {
        const Pattern& pattern = literal.arguments[use.column];
        const Term term = relation.at(row, use.column);
        if (use.kind == ArgumentUse::Kind::bind) {
            values_[pattern.variable] = term;
        } else if (use.kind == ArgumentUse::Kind::compare) {
            if (build(database, pattern) != term) return false;
        } else {
            if (!match(database, pattern, term)) return false;
        }
    }
    // A match may have given a variable two values; comparing all of them once more settles it.
    for (const ArgumentUse& use : current.rest) {
        if (use.kind != ArgumentUse::Kind::match) continue;
        for (std::uint32_t column = 0; column < literal.arguments.size(); ++column) {
            if (build(database, literal.arguments[column]) != relation.at(row, column)) return false;
        }
        break;
    }
    return true;
}

bool JoinClause::kept(const Step& current, const std::vector<Term>& saved) const {
    return std::all_of(current.keep.begin(), current.keep.end(),
                       [&](std::uint32_t variable) { return values_[variable] == saved[variable]; });
}

void JoinClause::walk(Database& database, const Plan& plan, std::size_t at) {
    const Step& current = plan.steps[at];
    const JoinLiteral& literal = literals_[current.literal];
    const RelationId id = literal.relation;
    // Taking a compound apart assigns all its variables; those that had a value must not have changed.
    const bool may_overwrite = std::any_of(current.rest.begin(), current.rest.end(),
                                           [](const ArgumentUse& use) { return use.kind == ArgumentUse::Kind::match; });
    const std::vector<Term> saved = may_overwrite ? values_ : std::vector<Term>{};
    const auto visit = [&](Relation::Row row) {
        database.tick();
        if (use_row(database, current, row) && (!may_overwrite || kept(current, saved))) {
            const bool kept_in_body = literal.kept && !literal.complete;
            if (kept_in_body) body_.positive.push_back(database[id].atoms[row]);
            step(database, plan, at + 1);
            if (kept_in_body) body_.positive.pop_back();
        }
        if (may_overwrite) values_ = saved;
    };
    if (current.mask == 0) {
        // New rows are only activated between joins, so the list does not change here.
        for (std::size_t i = 0; i < database[id].relation.active().size(); ++i) {
            visit(database[id].relation.active()[i]);
        }
        return;
    }
    const std::size_t base = key_.size();
    for (std::uint32_t column = 0; column < literal.arguments.size() && column < 64; ++column) {
        if ((current.mask >> column & 1U) != 0) key_.push_back(build(database, literal.arguments[column]));
    }
    Relation::Row row = current.index->first(database[id].relation, std::span(key_).subspan(base));
    key_.resize(base);
    for (; row != Relation::no_row; row = current.index->next(row)) {
        visit(row);
    }
}

}  // namespace stratagem::ground
