#include "ground/grounder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "gdl/check.h"
#include "gdl/print.h"
#include "ground/copies.h"
#include "ground/made_names.h"
#include "ground/occurrences.h"
#include "ground/split.h"
#include "ground/unpack.h"
#include "util/contract.h"

namespace stratagem::ground {

using gdl::Symbol;
using gdl::Term;
namespace keyword = gdl::keyword;

// Plans keep pointers to indexes; those survive only if growing the list of relations moves them.
static_assert(std::is_nothrow_move_constructible_v<RelationInfo>);

Grounder::Grounder(const gdl::Description& description, const GroundLimits& limits, std::set<PredicateKey> demanded)
    : limits_(limits), terms_(description.terms), database_(terms_), demanded_(std::move(demanded)) {
    database_.effort = Effort(limits.deadline);
    make_clauses(description);
}

Grounder::Grounder(gdl::TermPool terms, std::vector<Clause> clauses, const GroundLimits& limits, std::size_t most_work)
    : limits_(limits), terms_(std::move(terms)), database_(terms_), static_clauses_(std::move(clauses)) {
    database_.effort = Effort(limits.deadline, most_work);
}

void Grounder::make_clauses(const gdl::Description& description) {
    std::vector<Clause> clauses;
    for (const gdl::Rule& rule : description.rules) {
        if (!to_clauses(rule, terms_, clauses, database_.effort)) {
            throw GroundFailure(fmt::format("the disjunctions of a rule for '{}' multiply to more than {} clauses",
                                            terms_.symbols().name(terms_.symbol(rule.head)), max_clauses_per_rule),
                                true);
        }
    }
    copy_for_init(clauses, terms_, database_.effort);
    copy_for_sees(clauses, terms_, database_.effort);
    const PredicateGraph all(clauses, terms_);
    unasked_ = unasked_clauses(clauses, terms_, all, database_.effort);
    std::erase_if(clauses, [&](const Clause& clause) { return !all.is_needed(all.of(clause.head)); });
    unpacked_ = unpack_arguments(clauses, terms_, database_.effort);
    // Few relations have so many arguments that their atoms could be too many.
    constexpr std::uint32_t many_arguments = 4;
    std::set<PredicateKey> wide;
    for (const Clause& clause : clauses) {
        const PredicateKey key{terms_.symbol(clause.head), terms_.arity(clause.head)};
        if (key.second < many_arguments || gdl::is_keyword(key.first) || demanded_.contains(key)) continue;
        wide.insert(key);
    }
    always_bound_ = find_always_bound(clauses, terms_, wide, database_.effort);
    add_demand(clauses, terms_, demanded_, database_.effort);
    const PredicateGraph graph(clauses, terms_);
    for (Clause& clause : clauses) {
        const bool dynamic = graph.is_state_dependent(graph.of(clause.head));
        (dynamic ? dynamic_clauses_ : static_clauses_).push_back(std::move(clause));
    }
}

// The pipeline: static relations first, since splitting the other rules well needs to know them.
Program Grounder::run() {
    split_clauses(static_clauses_, database_);
    evaluate_static(static_clauses_);
    const RelationId role = database_.plain(keyword::role, 1);
    for (const Relation::Row row : database_[role].relation.active()) {
        roles_.push_back(database_[role].relation.at(row, 0));
        is_role_.insert(roles_.back());
    }
    split_clauses(dynamic_clauses_, database_);
    set_caps(dynamic_clauses_);
    evaluate_static(dynamic_clauses_);  // parts that turned out static
    evaluate_dynamic(dynamic_clauses_);
    return make_program();
}

gdl::TermPool Grounder::run_statics(Statics& statics) {
    std::set<PredicateKey> wanted;
    for (const Clause& clause : static_clauses_) {
        wanted.emplace(terms_.symbol(clause.head), terms_.arity(clause.head));
    }
    try {
        split_clauses(static_clauses_, database_);
        evaluate_static(static_clauses_);
    } catch (const GroundFailure&) {
        // The game is grounded without them.
    }
    statics = merged(statics, make_statics(database_, settled_, unpacked_, statics, terms_));
    Statics unsettled;
    for (const auto& [symbol, arity] : wanted) {
        const bool known = settled_.contains({symbol, arity}) || statics.find(symbol, arity) != nullptr;
        const bool made = gdl::is_keyword(symbol) || is_made_name(terms_.symbols().name(symbol));
        if (!known && !made) unsettled.relation(symbol, arity).set_incomplete();
    }
    if (!unsettled.empty()) statics = merged(statics, unsettled);
    return std::move(terms_);
}

// Relations of the author that are not asked for in play can be grounded by demand when they become too large.
void Grounder::set_caps(const std::vector<Clause>& clauses) {
    constexpr std::size_t large = 150'000;         // where demand is sharp
    constexpr std::size_t very_large = 1'000'000;  // where it may help or not
    for (const Clause& clause : clauses) {
        const Symbol symbol = terms_.symbol(clause.head);
        const std::uint32_t arity = terms_.arity(clause.head);
        const std::string_view name = terms_.symbols().name(symbol);
        RelationInfo& info = database_[database_.plain(symbol, arity)];
        info.in_program = !is_demand_name(name);
        const bool may_be_demanded = !gdl::is_keyword(symbol) && !is_made_name(name);
        if (!may_be_demanded || demanded_.contains({symbol, arity})) continue;
        info.cap = always_bound_.contains({symbol, arity}) ? large : very_large;
    }
}

void Grounder::check_limits() {
    // Asked for every derived instance; the clock and the sizes are looked at now and then.
    if ((++ticks_ & 1023U) != 0) return;
    if (limits_.deadline.interrupted()) throw GroundFailure("interrupted", true);
    if (limits_.deadline.expired()) throw GroundFailure("time ran out", true);
    if ((ticks_ & 65535U) != 0) return;
    const std::size_t bytes = database_.bytes() + rules_.capacity() * sizeof(WorkRule) +
                              bodies_.capacity() * sizeof(WorkAtom) + terms_.size() * 24;
    peak_bytes_ = std::max(peak_bytes_, bytes);
    if (bytes > limits_.max_bytes) {
        throw GroundFailure(fmt::format("more than {} MB needed", limits_.max_bytes >> 20), true);
    }
}

void Grounder::check_depth(RelationId relation, std::span<const Term> tuple) {
    // Arguments have smaller numbers than the terms they stand in, so one pass over the new terms suffices.
    for (auto i = static_cast<std::uint32_t>(depth_.size()); i < terms_.size(); ++i) {
        std::uint16_t deepest = 0;
        for (const Term argument : terms_.arguments(Term{i})) deepest = std::max(deepest, depth_[gdl::index(argument)]);
        depth_.push_back(static_cast<std::uint16_t>(deepest + 1));
    }
    for (const Term term : tuple) {
        if (depth_[gdl::index(term)] < limits_.max_term_depth) continue;
        throw GroundFailure(
            fmt::format("the terms of '{}' grow without end (nested more than {} deep)",
                        author_name(terms_.symbols().name(database_[relation].symbol)), limits_.max_term_depth),
            true);
    }
}

void Grounder::make_possible(WorkAtom atom) {
    if (!database_.make_possible(atom)) return;
    queue_.push_back(atom);
    const RelationInfo& info = database_[database_.place(atom).relation];
    if (info.cap != 0 && info.possible > info.cap && info.state_dependent) {
        throw RelationTooLarge{{info.symbol, info.relation.arity()}};
    }
}

// Joins every new atom with what is there, until nothing new follows.
void Grounder::propagate(std::vector<JoinClause>& clauses) {
    Occurrences occurrences(clauses, database_);
    const auto join_from = [&](RelationId relation, Relation::Row row) {
        for (const Occurrence occurrence : occurrences.of(database_, relation, row)) {
            database_.tick();
            JoinClause& clause = clauses[occurrence.clause];
            clause.instantiate(database_, occurrence.literal, row,
                               [&](const InstanceBody& body) { derive(clause, body); });
        }
    };
    while (!queue_.empty()) {
        const WorkAtom atom = queue_.front();
        queue_.pop_front();
        database_.activate(atom);
        const AtomPlace place = database_.place(atom);
        join_from(place.relation, place.row);
        const RelationKind kind = database_[place.relation].kind;
        if (kind == RelationKind::fluent || kind == RelationKind::move) {
            const std::optional<AtomPlace> twin = database_.twin(atom);
            if (twin) join_from(twin->relation, twin->row);
        }
        check_limits();
    }
}

// Evaluates the clauses whose heads do not depend on the state, component by component.
void Grounder::evaluate_static(const std::vector<Clause>& clauses) {
    const PredicateGraph graph(clauses, terms_);
    std::vector<std::vector<const Clause*>> by_component(graph.components().size());
    for (const Clause& clause : clauses) {
        const auto head = graph.of(clause.head);
        if (!graph.is_state_dependent(head)) by_component[graph.component(head)].push_back(&clause);
    }
    for (std::size_t component = 0; component < by_component.size(); ++component) {
        if (by_component[component].empty()) continue;
        std::vector<JoinClause> joins;
        joins.reserve(by_component[component].size());
        for (const Clause* clause : by_component[component]) {
            JoinClause& join = joins.emplace_back(*clause, database_);
            for (std::size_t i = 0; i < join.literals().size(); ++i) {
                const auto used = graph.of(clause->body[i].atom);
                JoinLiteral& literal = join.literals()[i];
                literal.complete = graph.component(used) != component;
                if (literal.kind == JoinLiteral::Kind::negative && !literal.complete) {
                    throw GroundFailure(fmt::format("the static relation '{}' depends on its own negation",
                                                    terms_.symbols().name(terms_.symbol(clause->head))),
                                        false);
                }
            }
        }
        evaluate_component(joins);
        for (const Clause* clause : by_component[component]) {
            settled_.emplace(terms_.symbol(clause->head), terms_.arity(clause->head));
        }
    }
}

// Clauses without a condition still to come start the fixpoint; new atoms drive it.
void Grounder::evaluate_component(std::vector<JoinClause>& joins) {
    for (JoinClause& join : joins) {
        const bool waits = std::any_of(join.literals().begin(), join.literals().end(), [](const JoinLiteral& literal) {
            return literal.kind == JoinLiteral::Kind::positive && !literal.complete;
        });
        if (!waits) join.instantiate(database_, [&](const InstanceBody& body) { derive(join, body); });
    }
    propagate(joins);
}

void Grounder::evaluate_dynamic(const std::vector<Clause>& clauses) {
    const PredicateGraph graph(clauses, terms_);
    std::vector<JoinClause> joins;
    for (const Clause& clause : clauses) {
        if (!graph.is_state_dependent(graph.of(clause.head))) continue;
        database_[database_.plain(terms_.symbol(clause.head), terms_.arity(clause.head))].state_dependent = true;
        JoinClause& join = joins.emplace_back(clause, database_);
        for (std::size_t i = 0; i < join.literals().size(); ++i) {
            join.literals()[i].complete = !graph.is_state_dependent(graph.of(clause.body[i].atom));
        }
    }
    const RelationId init = database_.plain(keyword::init, 1);
    // A copy: making atoms may make relations, which moves those there are.
    const std::vector<Relation::Row> rows(database_[init].relation.active().begin(),
                                          database_[init].relation.active().end());
    for (const Relation::Row row : rows) {
        make_possible(database_.intern_fluent(database_[init].relation.at(row, 0)));
    }
    evaluate_component(joins);
}

void Grounder::derive(JoinClause& clause, const InstanceBody& body) {
    check_limits();
    const RelationId relation = clause.head_relation();
    const std::span<const Term> tuple = clause.head_tuple(database_);
    check_depth(relation, tuple);
    WorkRule rule;
    rule.is_next = clause.head_is_next();
    rule.head = database_.intern(relation, tuple);
    make_possible(rule.head);
    const RelationInfo& info = database_[relation];
    if (!rule.is_next && (!info.state_dependent || !info.in_program)) return;
    if (info.kind == RelationKind::plain && info.symbol == keyword::legal && tuple.size() == 2) {
        if (is_role_.contains(tuple[0])) {
            make_possible(database_.intern_move(tuple[0], tuple[1]));
        }
    }
    rule.body_begin = static_cast<std::uint32_t>(bodies_.size());
    rule.positive_count = static_cast<std::uint32_t>(body.positive.size());
    rule.negative_count = static_cast<std::uint32_t>(body.negative.size());
    bodies_.insert(bodies_.end(), body.positive.begin(), body.positive.end());
    bodies_.insert(bodies_.end(), body.negative.begin(), body.negative.end());
    rules_.push_back(rule);
}

std::string Grounder::largest_relation() const {
    const RelationInfo* largest = nullptr;
    for (std::uint32_t i = 0; i < database_.relation_count(); ++i) {
        const RelationInfo& info = database_[RelationId{i}];
        if (largest == nullptr || info.relation.rows() > largest->relation.rows()) largest = &info;
    }
    if (largest == nullptr) return "nothing";
    return fmt::format("'{}' with {} arguments and {} atoms", author_name(terms_.symbols().name(largest->symbol)),
                       largest->relation.arity(), largest->relation.rows());
}

namespace {

// Little beside what grounding may take, and counted instead of timed: the same rules give the same relations.
constexpr std::size_t work_for_unasked = 10'000'000;
constexpr std::size_t bytes_for_unasked = std::size_t{256} << 20;

void add_unasked(Program& program, const std::vector<Clause>& clauses, GroundLimits limits) {
    if (clauses.empty()) return;
    limits.max_bytes = std::min(limits.max_bytes, bytes_for_unasked);
    Grounder grounder(std::move(program.terms), clauses, limits, work_for_unasked);
    program.terms = grounder.run_statics(program.statics);
}

}  // namespace

GroundResult ground(const gdl::Description& description, const GroundLimits& limits) {
    STRATAGEM_EXPECTS(gdl::passes_check(description));
    GroundResult result;
    std::set<PredicateKey> demanded;
    for (;;) {
        std::optional<Grounder> grounder;
        try {
            grounder.emplace(description, limits, demanded);
            result.program = grounder->run();
            add_unasked(*result.program, grounder->unasked(), limits);
            STRATAGEM_ENSURES(result.program->is_consistent());
        } catch (const GroundFailure& failure) {
            result.failure = failure.what();
            result.limit_hit = failure.limit_hit;
            if (grounder) result.failure += fmt::format("; the largest relation is {}", grounder->largest_relation());
        } catch (const RelationTooLarge& large) {
            // Symbols of the description keep their numbers in each attempt, so the key stays good.
            demanded.insert(large.relation);
            continue;
        }
        if (grounder) result.peak_bytes = grounder->peak_bytes();
        return result;
    }
}

}  // namespace stratagem::ground
