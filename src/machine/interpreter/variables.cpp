#include "machine/interpreter/variables.h"

#include <algorithm>

namespace stratagem::machine::interpreter {

using gdl::Term;

namespace {

constexpr std::size_t fewest_worth_a_table = 32;

}  // namespace

Variables::Variables(const gdl::TermPool& terms, const Clause& clause) : terms_(terms) {
    for (const Term argument : clause.arguments) collect(argument);
    collect(clause.body);
}

void Variables::collect(Term pattern) {
    if (terms_.is_ground(pattern)) return;
    if (terms_.is_variable(pattern)) {
        const std::uint32_t known = number(pattern);
        if (known < names_.size()) return;
        names_.push_back(pattern);
        if (names_.size() < fewest_worth_a_table) return;
        if (numbers_.empty()) {
            for (std::uint32_t i = 0; i < known; ++i) numbers_.emplace(names_[i], i);
        }
        numbers_.emplace(pattern, known);
        return;
    }
    for (const Term argument : terms_.arguments(pattern)) collect(argument);
}

void Variables::collect(const std::vector<Goal>& goals) {
    for (const Goal& goal : goals) {
        for (const Term argument : goal.arguments) collect(argument);
        for (const std::vector<Goal>& branch : goal.branches) collect(branch);
    }
}

// The number of names when there is none such, as while they are collected.
std::uint32_t Variables::number(Term variable) const {
    if (!numbers_.empty()) {
        const auto found = numbers_.find(variable);
        return found == numbers_.end() ? count() : found->second;
    }
    return static_cast<std::uint32_t>(std::ranges::find(names_, variable) - names_.begin());
}

bool Variables::all_in(Term pattern, const VariableSet& set) const {
    if (terms_.is_ground(pattern)) return true;
    if (terms_.is_variable(pattern)) return set[number(pattern)];
    return std::ranges::all_of(terms_.arguments(pattern), [&](Term argument) { return all_in(argument, set); });
}

void Variables::add_term(Term pattern, VariableSet& set) const {
    if (terms_.is_ground(pattern)) return;
    if (terms_.is_variable(pattern)) {
        set[number(pattern)] = true;
        return;
    }
    for (const Term argument : terms_.arguments(pattern)) add_term(argument, set);
}

void Variables::add_goal(const Goal& goal, VariableSet& set) const {
    for (const Term argument : goal.arguments) add_term(argument, set);
    for (const std::vector<Goal>& branch : goal.branches) add_goals(branch, set);
}

void Variables::add_goals(const std::vector<Goal>& goals, VariableSet& set) const {
    for (const Goal& goal : goals) add_goal(goal, set);
}

void Variables::add_bound_by(const Goal& goal, VariableSet& set) const {
    if (goal.kind == Goal::Kind::call) {
        for (const Term argument : goal.arguments) add_term(argument, set);
    } else if (goal.kind == Goal::Kind::disjunction && !goal.branches.empty()) {
        VariableSet common(count(), true);
        for (const std::vector<Goal>& branch : goal.branches) {
            VariableSet bound = none();
            for (const Goal& inner : branch) add_bound_by(inner, bound);
            for (std::size_t v = 0; v < common.size(); ++v) common[v] = common[v] && bound[v];
        }
        for (std::size_t v = 0; v < common.size(); ++v) set[v] = set[v] || common[v];
    }
}

std::uint32_t Variables::occurrences(std::uint32_t variable, const std::vector<Term>& patterns) const {
    std::uint32_t found = 0;
    std::vector<Term> open(patterns.begin(), patterns.end());
    while (!open.empty()) {
        const Term pattern = open.back();
        open.pop_back();
        if (terms_.is_ground(pattern)) continue;
        if (terms_.is_variable(pattern)) {
            if (names_[variable] == pattern) ++found;
            continue;
        }
        for (const Term argument : terms_.arguments(pattern)) open.push_back(argument);
    }
    return found;
}

}  // namespace stratagem::machine::interpreter
