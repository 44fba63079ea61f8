// Conditions of a game as a graph of conjunctions, disjunctions and negations over fluents (and moves).
//
// One node for what is the same, however often it is used. Conjunctions inside of conjunctions are one, so that a node
// depends on what a condition says and not on how many relations the rules spread it over; likewise disjunctions.
// Recursive relations are not unrolled: they are leaves, with a definition that can be asked for.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/frame.h"
#include "machine/stop.h"
#include "util/literal.h"

namespace stratagem::analysis {

class FormulaGraph {
  public:
    enum class Kind : std::uint8_t { constant, fluent, move, recursive, conjunction, disjunction };

    // A node, negated or not.
    using Edge = stratagem::Literal<std::uint32_t>;

    struct Node {
        Kind kind = Kind::constant;
        std::uint32_t first = 0;  // of its edges
        std::uint32_t count = 0;
        Atom atom = Atom::none;  // of a leaf; of others the relation it stands for, if any
    };

    struct Limits {
        std::size_t flattened = 64;  // an inner node of more parts than this stays a node of its own
        std::size_t edges = std::numeric_limits<std::size_t>::max();
        machine::Stop stop;
    };

    // Node 0 is true.
    explicit FormulaGraph(const HeadIndex& index) : FormulaGraph(index, Limits()) {}
    FormulaGraph(const HeadIndex& index, const Limits& limits);

    // Time is up or the graph has grown too large: what was added since means nothing.
    bool cut_short() const { return cut_short_; }

    // The condition for an atom; false for Atom::none.
    Edge add(Atom atom);
    // What a recursive atom follows from: the disjunction of the bodies of its rules.
    // Pre: it is recursive.
    Edge define(Atom atom);

    std::size_t size() const { return nodes_.size(); }
    std::size_t edge_count() const { return edges_.size(); }
    // Every node comes after those it depends on.
    const Node& node(std::uint32_t number) const { return nodes_[number]; }
    std::span<const Edge> edges(const Node& node) const { return std::span(edges_).subspan(node.first, node.count); }
    bool has_recursion() const { return recursion_; }

  private:
    Edge known(Atom atom) const;
    bool push_needed(Atom atom, std::vector<Atom>& stack) const;
    void push_bodies(Atom atom, std::vector<Atom>& stack) const;
    void settle(std::vector<Atom>& stack);
    Edge make(Atom atom);
    Edge from_rules(Atom atom, Atom name);
    Edge leaf(Kind kind, Atom atom);
    Edge combine(Kind kind, const std::vector<Edge>& parts, Atom atom);
    void flatten(Kind kind, Edge part, std::vector<Edge>& into) const;
    std::uint32_t find_or_add(Kind kind, const std::vector<Edge>& parts, Atom atom);
    bool over_limits();

    const HeadIndex& index_;
    Limits limits_;
    bool cut_short_ = false;
    std::uint32_t looks_ = 0;  // the clock is asked now and then
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::vector<std::int64_t> by_atom_;                           // code of the edge, or -1
    std::unordered_multimap<std::size_t, std::uint32_t> shared_;  // by a hash of kind and edges
    bool recursion_ = false;
};

}  // namespace stratagem::analysis
