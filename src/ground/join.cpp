#include "ground/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <queue>

#include "ground/made_names.h"
#include "util/contract.h"

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
    numbers_ = {};
}

Pattern JoinClause::compile(Term term, const gdl::TermPool& terms) {
    Pattern pattern;
    if (terms.is_ground(term)) {
        pattern.term = term;
    } else if (terms.is_variable(term)) {
        pattern.kind = Pattern::Kind::variable;
        const auto [found, added] =
            numbers_.try_emplace(terms.symbol(term), static_cast<std::uint32_t>(variables_.size()));
        pattern.variable = found->second;
        if (added) variables_.push_back(terms.symbol(term));
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

// What is known of the literals while a plan is made.
class JoinClause::Planner {
  public:
    Planner(const JoinClause& clause, Database& database)
        : literals_(clause.literals_),
          database_(database),
          bound_(clause.variables_.size(), false),
          uses_(clause.variables_.size()),
          open_(literals_.size(), 0),
          done_(literals_.size(), false) {
        for (std::uint32_t i = 0; i < literals_.size(); ++i) {
            for (const Pattern& argument : literals_[i].arguments) note(argument, i);
            if (open_[i] == 0) add_ready(i);
            if (literals_[i].kind == JoinLiteral::Kind::equal) equalities_.push_back(i);
            database_.tick(literals_[i].arguments.size() + 1);
        }
    }

    const std::vector<bool>& bound() const { return bound_; }  // by variable

    // The literal to look up next, nothing when only filters are left whose variables get no value: the rule is
    // unsafe. The check refuses such rules, so this cannot happen for a checked description; treating the filter as
    // the end of the plan keeps it harmless.
    std::optional<std::uint32_t> next() {
        // A test never adds rows: filters first, then what only has to be noted.
        if (const auto filter = pop(filters_)) return filter;
        if (const auto equality = one_sided_equality()) return equality;
        if (const auto note = pop(notes_)) return note;
        return best_generator();
    }

    // The literal has its place in the plan; its variables have values from now on.
    void take(std::uint32_t literal) {
        done_[literal] = true;
        for (const Pattern& argument : literals_[literal].arguments) bind_all(argument);
    }

  private:
    // Of conjunctions without end the best of the first so many is taken: comparing all takes the square.
    static constexpr std::size_t most_compared = 2000;

    void note(const Pattern& pattern, std::uint32_t literal) {
        if (pattern.kind == Pattern::Kind::variable) {
            std::vector<std::uint32_t>& uses = uses_[pattern.variable];
            if (!uses.empty() && uses.back() == literal) return;
            uses.push_back(literal);
            ++open_[literal];
        }
        for (const Pattern& argument : pattern.arguments) note(argument, literal);
    }

    void bind_all(const Pattern& pattern) {
        if (pattern.kind == Pattern::Kind::variable && !bound_[pattern.variable]) {
            bound_[pattern.variable] = true;
            for (const std::uint32_t literal : uses_[pattern.variable]) {
                if (--open_[literal] == 0) add_ready(literal);
            }
            database_.tick(uses_[pattern.variable].size());
        }
        for (const Pattern& argument : pattern.arguments) bind_all(argument);
    }

    void add_ready(std::uint32_t number) {
        const JoinLiteral& literal = literals_[number];
        const bool filter = literal.complete || literal.kind == JoinLiteral::Kind::distinct;
        (filter ? filters_ : notes_).push(number);
    }

    using Ready = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;

    std::optional<std::uint32_t> pop(Ready& ready) {
        while (!ready.empty()) {
            const std::uint32_t literal = ready.top();
            ready.pop();
            if (!done_[literal]) return literal;
        }
        return {};
    }

    std::optional<std::uint32_t> one_sided_equality() {
        for (const std::uint32_t i : equalities_) {
            if (done_[i] || open_[i] == 0) continue;
            database_.tick();
            if (is_bound(literals_[i].arguments[0], bound_) || is_bound(literals_[i].arguments[1], bound_)) return i;
        }
        return {};
    }

    std::optional<std::uint32_t> best_generator() {
        while (first_ < literals_.size() && done_[first_]) ++first_;
        std::optional<std::uint32_t> best;
        double best_cost = std::numeric_limits<double>::infinity();
        std::size_t compared = 0;
        for (std::uint32_t i = first_; i < literals_.size() && compared < most_compared; ++i) {
            if (done_[i]) continue;
            const JoinLiteral& literal = literals_[i];
            database_.tick(literal.arguments.size() + 1);
            if (literal.kind == JoinLiteral::Kind::distinct || literal.kind == JoinLiteral::Kind::negative) continue;
            const double cost = literal.kind == JoinLiteral::Kind::positive
                                    ? expected_rows(literal, database_[literal.relation], bound_)
                                    : 1e300;
            ++compared;
            if (cost < best_cost) {
                best_cost = cost;
                best = i;
            }
        }
        return best;
    }

    const std::vector<JoinLiteral>& literals_;
    Database& database_;
    std::vector<bool> bound_;
    std::vector<std::vector<std::uint32_t>> uses_;  // by variable: literals that have it
    std::vector<std::uint32_t> open_;               // by literal: its variables without a value
    std::vector<bool> done_;
    std::uint32_t first_ = 0;  // literals before it are done
    // Literals whose variables all have values, the first of the rule on top.
    Ready filters_;
    Ready notes_;
    std::vector<std::uint32_t> equalities_;
};

void JoinClause::make_plan(Plan& plan, Database& database, std::size_t position) {
    plan = Plan{};
    plan.made = true;
    plan.size_when_made = total_size(database);
    Planner planner(*this, database);
    const std::vector<bool>& bound = planner.bound();
    if (position != from_nothing) planner.take(static_cast<std::uint32_t>(position));
    std::size_t branching = 0;
    while (const std::optional<std::uint32_t> best = planner.next()) {
        const JoinLiteral& literal = literals_[*best];
        Step step;
        step.literal = *best;
        step.all_bound = std::all_of(literal.arguments.begin(), literal.arguments.end(),
                                     [&](const Pattern& argument) { return is_bound(argument, bound); });
        if (!step.all_bound && ++branching > most_branching) {
            throw GroundFailure(fmt::format("a rule has more than {} conditions that bind variables", most_branching),
                                true);
        }
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
        planner.take(*best);
        plan.steps.push_back(std::move(step));
    }
}

std::size_t JoinClause::total_size(Database& database) const {
    std::size_t total = 0;
    database.tick(literals_.size());
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
    STRATAGEM_EXPECTS(emitting_);
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
    const std::size_t positive = body_.positive.size();
    const std::size_t negative = body_.negative.size();
    run_from(database, plan, at);
    body_.positive.resize(positive);
    body_.negative.resize(negative);
}

// Tests one after the other in a loop; only what may have several matches goes on by recursion (see most_branching).
void JoinClause::run_from(Database& database, const Plan& plan, std::size_t at) {
    for (; at < plan.steps.size() && plan.steps[at].all_bound; ++at) {
        database.tick();
        if (!test(database, plan.steps[at])) return;
    }
    if (at == plan.steps.size()) {
        emitting_ = true;
        emit_(context_, body_);
        emitting_ = false;
        return;
    }
    const Step& current = plan.steps[at];
    const JoinLiteral& literal = literals_[current.literal];
    if (literal.kind != JoinLiteral::Kind::equal) {
        walk(database, plan, at);
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
}

// Whether a condition with all its values holds, or may hold; then its atom is part of the instance.
bool JoinClause::test(Database& database, const Step& current) {
    const JoinLiteral& literal = literals_[current.literal];
    const bool compares = literal.kind == JoinLiteral::Kind::distinct || literal.kind == JoinLiteral::Kind::equal;
    if (!compares) return test_all_bound(database, current);
    const bool same = build(database, literal.arguments[0]) == build(database, literal.arguments[1]);
    return same == (literal.kind == JoinLiteral::Kind::equal);
}

bool JoinClause::test_all_bound(Database& database, const Step& current) {
    const JoinLiteral& literal = literals_[current.literal];
    const std::size_t base = key_.size();
    for (const Pattern& argument : literal.arguments) key_.push_back(build(database, argument));
    const std::span<const Term> tuple = std::span(key_).subspan(base);
    if (literal.kind == JoinLiteral::Kind::negative && !literal.complete) {
        // Whether it can hold may not be known yet: the atom is noted, and judged when grounding has ended.
        const WorkAtom atom = database.intern(literal.relation, tuple);
        key_.resize(base);
        body_.negative.push_back(atom);
        return true;
    }
    RelationInfo& info = database[literal.relation];
    const Relation::Row row = info.relation.find(tuple);
    key_.resize(base);
    const bool holds = row != Relation::no_row && info.relation.is_active(row);
    if (literal.kind == JoinLiteral::Kind::negative) return !holds;
    if (!holds || literal.complete) return holds;
    if (!use_row(database, current, row)) return false;
    if (literal.kept) body_.positive.push_back(info.atoms[row]);
    return true;
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
