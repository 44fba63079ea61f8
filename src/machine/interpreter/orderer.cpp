#include "machine/interpreter/orderer.h"

#include <algorithm>
#include <cmath>

#include "machine/limits.h"

namespace stratagem::machine::interpreter {

using gdl::Term;

namespace {

constexpr double filter_fanout = 0.5;   // share of cases in which a test succeeds
constexpr double pattern_fanout = 0.3;  // share of rows that match a half-known function term
constexpr double unknown_rows = 16;     // in a relation of the state that is empty just now
constexpr double unknown_column = 4;    // different values in a column nothing is known about
constexpr double huge = 1e12;
constexpr int max_depth = 40;                     // of estimates that rest on estimates
constexpr std::size_t max_goals_estimated = 256;  // of a conjunction; what the others would change hardly matters
constexpr std::size_t max_candidates = 64;        // goals looked at for one decision, so that endless bodies stay cheap

double power(double base, std::size_t exponent) {
    return std::min(huge, std::pow(base, static_cast<double>(exponent)));
}

}  // namespace

void Orderer::tick(std::size_t work) {
    constexpr std::size_t work_between_looks_at_the_clock = 1'000'000;
    work_ += work;
    if (work_ < work_between_looks_at_the_clock) return;
    work_ = 0;
    if (!deadline_.expired()) return;
    throw LimitExceeded(deadline_.interrupted() ? "interrupted while ordering the conditions of a rule"
                                                : "the time limit was reached while ordering the conditions of a rule");
}

std::size_t Orderer::pick(const Variables& variables, const std::vector<const Goal*>& remaining,
                          const VariableSet& bound, const VariableSet& needed_after) {
    Estimate ignored;
    return pick(variables, remaining, bound, needed_after, ignored);
}

std::size_t Orderer::pick(const Variables& variables, const std::vector<const Goal*>& remaining,
                          const VariableSet& bound, const VariableSet& needed_after, Estimate& picked) {
    std::size_t best = stuck;
    double best_score = 0;
    std::size_t candidates = 0;
    for (std::size_t i = 0; i < remaining.size() && candidates < max_candidates; ++i) {
        tick(1 + remaining.size() + variables.count());
        if (!may_run(variables, remaining, i, bound, needed_after)) continue;
        ++candidates;
        const Estimate estimated = estimate(variables, *remaining[i], bound);
        // Filters have negative scores, generators positive ones.
        const double score = estimated.fanout < 1 ? (estimated.fanout - 1) / estimated.cost
                                                  : std::log2(estimated.fanout) + 0.25 * std::log2(estimated.cost);
        if (best == stuck || score < best_score) {
            best = i;
            best_score = score;
            picked = estimated;
        }
    }
    return best;
}

bool Orderer::may_run(const Variables& variables, const std::vector<const Goal*>& remaining, std::size_t candidate,
                      const VariableSet& bound, const VariableSet& needed_after) const {
    const Goal& goal = *remaining[candidate];
    if (goal.kind == Goal::Kind::call) return true;
    VariableSet open = variables.none();
    variables.add_goal(goal, open);
    bool any_open = false;
    for (std::size_t v = 0; v < open.size(); ++v) {
        open[v] = open[v] && !bound[v];
        any_open = any_open || open[v];
    }
    if (!any_open) return true;
    if (goal.kind == Goal::Kind::distinct) return false;

    VariableSet outside = needed_after;
    for (std::size_t i = 0; i < remaining.size(); ++i) {
        if (i == candidate) continue;
        if (goal.kind == Goal::Kind::negation) {
            variables.add_bound_by(*remaining[i], outside);
        } else {
            variables.add_goal(*remaining[i], outside);
        }
    }
    VariableSet provided = variables.none();
    variables.add_bound_by(goal, provided);
    for (std::size_t v = 0; v < open.size(); ++v) {
        if (open[v] && outside[v] && !provided[v]) return false;
    }
    return true;
}

Orderer::Estimate Orderer::estimate(const Variables& variables, const Goal& goal, const VariableSet& bound) {
    if (goal.kind == Goal::Kind::distinct) return {0.5, 0.8};
    if (goal.kind == Goal::Kind::negation) {
        const Estimate inner = estimate_conjunction(variables, goal.branches.front(), bound, variables.none());
        return {inner.cost, filter_fanout};
    }
    if (goal.kind == Goal::Kind::disjunction) {
        VariableSet provided = variables.none();
        variables.add_bound_by(goal, provided);
        bool generates = false;
        for (std::size_t v = 0; v < provided.size(); ++v) generates = generates || (provided[v] && !bound[v]);
        Estimate sum{1, 0};
        for (const std::vector<Goal>& branch : goal.branches) {
            const Estimate part = estimate_conjunction(variables, branch, bound, provided);
            sum.cost += part.cost;
            sum.fanout += part.fanout;
        }
        if (!generates) sum.fanout = std::min(sum.fanout, 0.7);
        return sum;
    }
    std::vector<bool> given;
    double share = 1;
    for (const Term argument : goal.arguments) {
        given.push_back(variables.all_in(argument, bound));
        if (!given.back() && !terms_.is_variable(argument)) share *= pattern_fanout;
    }
    const PredicateInfo& info = rulebook_[goal.predicate];
    Estimate result = info.stored ? estimate_stored(goal.predicate, given) : estimate_derived(goal.predicate, given);
    if (share < 1) result.fanout = std::max(result.fanout * share, std::min(result.fanout, 1.0));
    return result;
}

Orderer::Estimate Orderer::estimate_conjunction(const Variables& variables, const std::vector<Goal>& goals,
                                                VariableSet bound, const VariableSet& needed_after) {
    std::vector<const Goal*> remaining;
    for (const Goal& goal : goals) {
        if (remaining.size() == max_goals_estimated) break;
        remaining.push_back(&goal);
    }
    Estimate total{1, 1};
    while (!remaining.empty()) {
        Estimate part;
        std::size_t next = pick(variables, remaining, bound, needed_after, part);
        if (next == stuck) next = 0;
        total.cost = std::min(huge, total.cost + total.fanout * part.cost);
        total.fanout = std::min(huge, total.fanout * part.fanout);
        variables.add_bound_by(*remaining[next], bound);
        remaining.erase(remaining.begin() + static_cast<std::ptrdiff_t>(next));
    }
    return total;
}

Orderer::Estimate Orderer::estimate_stored(Predicate predicate, const std::vector<bool>& given) {
    std::vector<std::uint32_t> columns;
    for (std::uint32_t i = 0; i < given.size(); ++i) {
        if (given[i]) columns.push_back(i);
    }
    if (columns.size() == given.size()) return {1, filter_fanout};
    if (predicate == rulebook_.does()) {
        // One row for each role; how many roles there are does not change what is best.
        return given[0] ? Estimate{1, 1} : Estimate{2, 2};
    }
    Relation& relation = rulebook_.relation(predicate);
    const bool changes = rulebook_[predicate].level != Level::fixed;
    if (relation.size() == 0) {
        if (!changes) return {1, 0.01};
        const double rows = std::max(1.0, unknown_rows / power(unknown_column, columns.size()));
        return {1 + rows, rows};
    }
    const double keys = relation.distinct_keys(relation.index_on(columns));
    const double rows = relation.size() / keys;
    return {1 + rows, rows};
}

Orderer::Estimate Orderer::estimate_derived(Predicate predicate, const std::vector<bool>& given) {
    const auto key = std::pair{predicate, given};
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    const auto wanted = static_cast<std::size_t>(std::ranges::count(given, false));
    const double guess = wanted == 0 ? filter_fanout : power(unknown_column, wanted);
    const Estimate unknown{10 + 4 * guess, guess};
    if (depth_ >= max_depth) return unknown;

    known_[key] = unknown;  // what recursion sees
    ++depth_;
    Estimate total{1, 0};
    for (const std::uint32_t number : rulebook_[predicate].clauses) {
        const Clause& clause = rulebook_.clause(number);
        const Variables variables(terms_, clause);
        VariableSet bound = variables.none();
        VariableSet needed = variables.none();
        for (std::size_t i = 0; i < given.size(); ++i)
            variables.add_term(clause.arguments[i], given[i] ? bound : needed);
        const Estimate part = estimate_conjunction(variables, clause.body, bound, needed);
        double share = 1;  // of the calls whose given values match the constants of the head
        for (std::size_t i = 0; i < given.size(); ++i) {
            if (given[i] && !terms_.is_variable(clause.arguments[i])) share *= filter_fanout;
        }
        total.cost = std::min(huge, total.cost + share * part.cost);
        total.fanout = std::min(huge, total.fanout + share * part.fanout);
    }
    --depth_;
    if (wanted == 0) total.fanout = std::min(total.fanout, filter_fanout);
    known_[key] = total;
    return total;
}

}  // namespace stratagem::machine::interpreter
