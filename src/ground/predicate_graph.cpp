#include "ground/predicate_graph.h"

#include "util/strongly_connected.h"

namespace stratagem::ground {

using gdl::Symbol;
using gdl::Term;
namespace keyword = gdl::keyword;

namespace {

// What a running game is asked for.
bool is_asked_for(Symbol symbol) {
    return symbol == keyword::role || symbol == keyword::init || symbol == keyword::next || symbol == keyword::legal ||
           symbol == keyword::goal || symbol == keyword::terminal || symbol == keyword::sees;
}

// Of these, what changes with the state. Counted as state-dependent even where the rules do not look at the state,
// so that their atoms appear in the program.
bool is_asked_in_play(Symbol symbol) {
    return is_asked_for(symbol) && symbol != keyword::role && symbol != keyword::init;
}

}  // namespace

PredicateGraph::PredicateGraph(const std::vector<Clause>& clauses, const gdl::TermPool& terms) : terms_(terms) {
    for (const Clause& clause : clauses) {
        const Predicate head = add(clause.head);
        for (const ClauseLiteral& literal : clause.body) {
            const Predicate used = add(literal.atom);
            uses_[head].push_back(used);
        }
    }
    find_needed();
    find_state_dependent();
    find_components();
}

std::uint64_t PredicateGraph::key(Term atom) const {
    return std::uint64_t{gdl::index(terms_.symbol(atom))} << 32 | terms_.arity(atom);
}

PredicateGraph::Predicate PredicateGraph::of(Term atom) const { return by_key_.at(key(atom)); }

PredicateGraph::Predicate PredicateGraph::add(Term atom) {
    const auto [found, added] = by_key_.try_emplace(key(atom), static_cast<Predicate>(symbols_.size()));
    if (added) {
        symbols_.push_back(terms_.symbol(atom));
        uses_.emplace_back();
    }
    return found->second;
}

void PredicateGraph::find_needed() {
    needed_.assign(symbols_.size(), false);
    std::vector<Predicate> open;
    for (Predicate predicate = 0; predicate < symbols_.size(); ++predicate) {
        if (is_asked_for(symbols_[predicate])) open.push_back(predicate);
    }
    while (!open.empty()) {
        const Predicate predicate = open.back();
        open.pop_back();
        if (needed_[predicate]) continue;
        needed_[predicate] = true;
        open.insert(open.end(), uses_[predicate].begin(), uses_[predicate].end());
    }
}

void PredicateGraph::find_state_dependent() {
    std::vector<std::vector<Predicate>> used_by(symbols_.size());
    std::vector<Predicate> open;
    for (Predicate predicate = 0; predicate < symbols_.size(); ++predicate) {
        for (const Predicate used : uses_[predicate]) used_by[used].push_back(predicate);
        const Symbol symbol = symbols_[predicate];
        if (symbol == keyword::true_ || symbol == keyword::does || is_asked_in_play(symbol)) open.push_back(predicate);
    }
    state_dependent_.assign(symbols_.size(), false);
    while (!open.empty()) {
        const Predicate predicate = open.back();
        open.pop_back();
        if (state_dependent_[predicate]) continue;
        state_dependent_[predicate] = true;
        open.insert(open.end(), used_by[predicate].begin(), used_by[predicate].end());
    }
}

void PredicateGraph::find_components() {
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> targets;
    for (const std::vector<Predicate>& used : uses_) {
        targets.insert(targets.end(), used.begin(), used.end());
        first.push_back(static_cast<std::uint32_t>(targets.size()));
    }
    component_of_ = strongly_connected(static_cast<std::uint32_t>(symbols_.size()), first, targets);
    for (Predicate predicate = 0; predicate < symbols_.size(); ++predicate) {
        if (components_.size() <= component_of_[predicate]) components_.resize(component_of_[predicate] + 1);
        components_[component_of_[predicate]].push_back(predicate);
    }
}

}  // namespace stratagem::ground
