#include "ground/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "gdl/print.h"

namespace stratagem::ground {

namespace {

// Terms there are, nothing twice, moves grouped by role.
bool nouns_are_consistent(const Program& program) {
    const gdl::TermPool& terms = program.terms;
    const auto good = [&](gdl::Term term) { return gdl::index(term) < terms.size() && terms.is_ground(term); };
    if (!std::ranges::all_of(program.roles, good) || !std::ranges::all_of(program.fluents, good)) return false;
    if (!std::ranges::all_of(program.derived, good)) return false;
    if (std::set(program.fluents.begin(), program.fluents.end()).size() != program.fluents.size()) return false;
    std::set<std::pair<Role, gdl::Term>> seen;
    for (const GroundMove& move : program.moves) {
        if (index(move.role) >= program.roles.size() || !good(move.term)) return false;
        if (!seen.emplace(move.role, move.term).second) return false;
    }
    const auto by_role = [](const GroundMove& a, const GroundMove& b) { return a.role < b.role; };
    if (!std::is_sorted(program.moves.begin(), program.moves.end(), by_role)) return false;
    if (!std::is_sorted(program.initial.begin(), program.initial.end())) return false;
    return std::ranges::all_of(program.initial, [&](Fluent f) { return index(f) < program.fluents.size(); });
}

}  // namespace

std::string Program::name(Atom atom) const {
    const std::uint32_t number = index(atom);
    if (number < fluents.size()) return fmt::format("(true {})", gdl::to_kif(terms, fluents[number]));
    if (number < first_derived()) {
        const GroundMove& move = moves[number - fluents.size()];
        return fmt::format("(does {} {})", gdl::to_kif(terms, roles[index(move.role)]), gdl::to_kif(terms, move.term));
    }
    return gdl::to_kif(terms, derived[number - first_derived()]);
}

std::string Program::to_text() const {
    std::string text;
    for (const Fluent fluent : initial) text += fmt::format("(init {})\n", gdl::to_kif(terms, fluents[index(fluent)]));
    for (std::size_t rule = 0; rule < rule_count(); ++rule) {
        if (body(rule).empty()) {
            text += name(head(rule)) + "\n";
            continue;
        }
        text += "(<= " + name(head(rule));
        for (const Condition condition : body(rule)) {
            text +=
                condition.positive() ? " " + name(condition.atom()) : fmt::format(" (not {})", name(condition.atom()));
        }
        text += ")\n";
    }
    return text;
}

bool Program::is_consistent() const {
    if (!nouns_are_consistent(*this)) return false;
    const auto in_range = [this](Atom atom) { return index(atom) < atom_count(); };
    const auto range_or_none = [&](Atom atom) { return atom == Atom::none || in_range(atom); };
    if (next.size() != fluents.size() || legal.size() != moves.size()) return false;
    if (!std::all_of(next.begin(), next.end(), range_or_none)) return false;
    if (!std::all_of(legal.begin(), legal.end(), in_range) || !range_or_none(terminal)) return false;
    const auto goal_key = [](const GoalEntry& one) { return std::pair(one.role, one.value); };
    if (!std::ranges::is_sorted(goals, {}, goal_key)) return false;
    for (const GoalEntry& goal : goals) {
        if (index(goal.role) >= roles.size() || !in_range(goal.atom)) return false;
    }
    for (const PerceptEntry& percept : percepts) {
        if (index(percept.role) >= roles.size() || !in_range(percept.atom)) return false;
    }
    for (std::size_t rule = 0; rule < rule_count(); ++rule) {
        if (!in_range(head(rule)) || index(head(rule)) < first_derived()) return false;
        for (const Condition condition : body(rule)) {
            if (!in_range(condition.atom())) return false;
        }
    }
    return statics.is_consistent(terms);
}

}  // namespace stratagem::ground
