#include "analysis/formula.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "util/contract.h"

namespace stratagem::analysis {

FormulaGraph::FormulaGraph(const HeadIndex& index, const Limits& limits)
    : index_(index), limits_(limits), by_atom_(index.numbers().count, -1) {
    nodes_.emplace_back();  // true
}

FormulaGraph::Edge FormulaGraph::known(Atom atom) const {
    return Edge::from_code(static_cast<std::uint32_t>(by_atom_[ground::index(atom)]));
}

FormulaGraph::Edge FormulaGraph::add(Atom atom) {
    if (atom == Atom::none) return {0, true};
    std::vector<Atom> stack{atom};
    settle(stack);
    return cut_short_ ? Edge(0, true) : known(atom);
}

FormulaGraph::Edge FormulaGraph::define(Atom atom) {
    STRATAGEM_EXPECTS(index_.recursive(atom));
    std::vector<Atom> stack;
    push_bodies(atom, stack);
    settle(stack);
    return from_rules(atom, Atom::none);
}

bool FormulaGraph::over_limits() {
    constexpr std::uint32_t between_looks = 256;
    if (edges_.size() > limits_.edges) cut_short_ = true;
    if (looks_++ % between_looks == 0 && limits_.stop.now()) cut_short_ = true;
    return cut_short_;
}

// Makes nodes for all of the stack, and before them for what they depend on.
void FormulaGraph::settle(std::vector<Atom>& stack) {
    while (!stack.empty() && !over_limits()) {
        const Atom top = stack.back();
        if (by_atom_[ground::index(top)] < 0 && push_needed(top, stack)) continue;
        if (by_atom_[ground::index(top)] < 0) {
            const Edge edge = make(top);
            if (cut_short_) return;
            by_atom_[ground::index(top)] = edge.code();
        }
        stack.pop_back();
    }
}

bool FormulaGraph::push_needed(Atom atom, std::vector<Atom>& stack) const {
    if (ground::index(atom) < index_.numbers().first_derived || index_.recursive(atom)) return false;
    const std::size_t before = stack.size();
    push_bodies(atom, stack);
    return stack.size() > before;
}

void FormulaGraph::push_bodies(Atom atom, std::vector<Atom>& stack) const {
    for (const std::uint32_t rule : index_.rules(atom)) {
        for (const ground::Condition condition : index_.all().body(rule)) {
            if (by_atom_[ground::index(condition.atom())] < 0) stack.push_back(condition.atom());
        }
    }
}

FormulaGraph::Edge FormulaGraph::make(Atom atom) {
    const ground::AtomNumbers& numbers = index_.numbers();
    if (ground::index(atom) < numbers.first_move) return leaf(Kind::fluent, atom);
    if (ground::index(atom) < numbers.first_derived) return leaf(Kind::move, atom);
    if (index_.recursive(atom)) {
        recursion_ = true;
        return leaf(Kind::recursive, atom);
    }
    return from_rules(atom, atom);
}

// Pre: there are nodes for all that the rules of the atom mention.
FormulaGraph::Edge FormulaGraph::from_rules(Atom atom, Atom name) {
    std::vector<Edge> bodies, parts;
    for (const std::uint32_t rule : index_.rules(atom)) {
        if (over_limits()) return {0, true};
        parts.clear();
        for (const ground::Condition condition : index_.all().body(rule)) {
            STRATAGEM_EXPECTS(by_atom_[ground::index(condition.atom())] >= 0);
            const Edge part = known(condition.atom());
            parts.push_back(condition.positive() ? part : !part);
        }
        bodies.push_back(combine(Kind::conjunction, parts, Atom::none));
    }
    return combine(Kind::disjunction, bodies, name);
}

FormulaGraph::Edge FormulaGraph::leaf(Kind kind, Atom atom) {
    nodes_.push_back({kind, 0, 0, atom});
    return {static_cast<std::uint32_t>(nodes_.size() - 1), false};
}

// Parts of an inner node of the same kind are parts of the outer one: also those of a negated node of the other kind.
void FormulaGraph::flatten(Kind kind, Edge part, std::vector<Edge>& into) const {
    const Node& inner = nodes_[part.node()];
    const Kind other = kind == Kind::conjunction ? Kind::disjunction : Kind::conjunction;
    const bool same = inner.kind == (part.negated() ? other : kind);
    if (!same || inner.count > limits_.flattened) {
        into.push_back(part);
        return;
    }
    for (const Edge edge : edges(inner)) into.push_back(part.negated() ? !edge : edge);
}

FormulaGraph::Edge FormulaGraph::combine(Kind kind, const std::vector<Edge>& parts, Atom atom) {
    const Edge neutral(0, kind == Kind::disjunction);  // true for a conjunction
    std::vector<Edge> flat;
    for (const Edge part : parts) flatten(kind, part, flat);
    std::ranges::sort(flat);
    flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
    std::erase(flat, neutral);
    if (std::ranges::find(flat, !neutral) != flat.end()) return !neutral;
    for (std::size_t i = 0; i + 1 < flat.size(); ++i) {
        if (flat[i] == !flat[i + 1]) return !neutral;  // something and its opposite
    }
    if (flat.empty()) return neutral;
    if (flat.size() == 1) return flat[0];
    return {find_or_add(kind, flat, atom), false};
}

std::uint32_t FormulaGraph::find_or_add(Kind kind, const std::vector<Edge>& parts, Atom atom) {
    const auto words = std::as_bytes(std::span(parts));
    const std::string_view bytes(reinterpret_cast<const char*>(words.data()), words.size());
    const std::size_t hash = std::hash<std::string_view>{}(bytes) ^ static_cast<std::size_t>(kind);
    const auto [begin, end] = shared_.equal_range(hash);
    for (auto place = begin; place != end; ++place) {
        const Node& node = nodes_[place->second];
        if (node.kind == kind && std::ranges::equal(edges(node), parts)) return place->second;
    }
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    const auto first = static_cast<std::uint32_t>(edges_.size());
    edges_.insert(edges_.end(), parts.begin(), parts.end());
    nodes_.push_back({kind, first, static_cast<std::uint32_t>(parts.size()), atom});
    shared_.emplace(hash, number);
    return number;
}

}  // namespace stratagem::analysis
