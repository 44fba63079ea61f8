#include "ground/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "gdl/print.h"

namespace stratagem::ground {

void Program::add_rule(Atom head, std::span<const Condition> body) {
    heads_.push_back(head);
    bodies_.insert(bodies_.end(), body.begin(), body.end());
    body_starts_.push_back(bodies_.size());
}

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
    const auto in_range = [this](Atom atom) { return index(atom) < atom_count(); };
    const auto range_or_none = [&](Atom atom) { return atom == Atom::none || in_range(atom); };
    if (next.size() != fluents.size() || legal.size() != moves.size()) return false;
    if (!std::is_sorted(initial.begin(), initial.end())) return false;
    if (!std::all_of(initial.begin(), initial.end(), [&](Fluent f) { return index(f) < fluents.size(); })) return false;
    const auto by_role = [](const GroundMove& a, const GroundMove& b) { return a.role < b.role; };
    if (!std::is_sorted(moves.begin(), moves.end(), by_role)) return false;
    if (!std::all_of(next.begin(), next.end(), range_or_none)) return false;
    if (!std::all_of(legal.begin(), legal.end(), in_range) || !range_or_none(terminal)) return false;
    for (std::size_t rule = 0; rule < rule_count(); ++rule) {
        if (!in_range(head(rule)) || index(head(rule)) < first_derived()) return false;
        for (const Condition condition : body(rule)) {
            if (!in_range(condition.atom())) return false;
        }
    }
    return statics.is_consistent(terms);
}

}  // namespace stratagem::ground
