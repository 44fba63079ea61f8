// What the goals of a game say, as one graph of conjunctions, disjunctions and negations over fluents: the "domain
// theory" that networks are made of (Michulke's thesis, section 3.2).
//
// One node for what is the same, whichever goals and roles it belongs to; static conditions are gone. The rules are
// ground, so nothing has to be instantiated, but a graph may still be larger than is worth grading. Nodes are therefore
// taken in breadth first from the goals, and what is left beyond the limit is crisp: true or false and nothing in
// between. So are relations that depend on themselves; they are leaves, answered by their least model.
//
// Where comparisons of numbers were taken out of the rules, they are nodes of their own: their parts say what the
// numbers are, and are crisp too unless something else depends on them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/formula.h"
#include "evaluate/comparisons.h"
#include "machine/state.h"
#include "machine/stop.h"

namespace stratagem::evaluate::neural {

using ground::Atom;
using ground::Fluent;

// A node or its negation.
using Code = stratagem::Literal<std::uint32_t>;
constexpr std::uint32_t node_of(Code of) { return of.node(); }
constexpr bool negated(Code of) { return of.negated(); }

class DomainTheory {
  public:
    enum class Kind : std::uint8_t { constant, fluent, recursive, comparison, conjunction, disjunction };

    struct Node {
        Kind kind = Kind::constant;
        bool crisp = false;  // beyond the limit, or only part of what says a number
        std::uint32_t first = 0;
        std::uint32_t end = 0;
        Atom atom = Atom::none;  // of a leaf; of others the relation it stands for, if any
    };
    struct Goal {
        machine::Role role{};
        int value = 0;
        Code condition;
    };
    struct Settings {
        std::size_t most_graded = 100'000;  // connections of graded nodes
        bool goals = true;
        bool end = false;                                   // the condition of the end
        std::optional<double> left_out = {};                // goals of this value
        std::shared_ptr<const Rewritten> comparisons = {};  // of the same rules; may be null
    };

    struct Interrupted {};
    // Throws Interrupted when told to stop. The index is not needed afterwards.
    DomainTheory(const analysis::RuleIndex& index, const Settings& settings, const machine::Stop& stop = {});

    // Null where nothing is compared.
    const std::shared_ptr<const Rewritten>& comparisons() const { return comparisons_; }
    // Pre: the node is one. Its inputs are the parts of the node, in this order, then the conditions of both chains.
    const Comparison& comparison(const Node& node) const;

    // Every node comes after its parts.
    std::size_t size() const { return nodes_.size(); }
    const Node& node(std::uint32_t number) const { return nodes_[number]; }
    std::span<const Code> parts(const Node& node) const {
        return std::span(parts_).subspan(node.first, node.end - node.first);
    }
    std::size_t part_count() const { return parts_.size(); }
    std::size_t crisp_count() const;
    bool leaf(std::uint32_t number) const { return nodes_[number].kind <= Kind::recursive; }

    // By role, ascending values within.
    std::span<const Goal> goals() const { return goals_; }
    // Never, unless it was asked for.
    Code end() const { return end_; }

    // Whether a condition holds in a state given as the truth of leaves, by node: for tests, and as what networks have
    // to agree with. Fills in the truth of all nodes.
    void settle(std::vector<bool>& truth) const;
    static bool holds(const std::vector<bool>& truth, Code of) { return truth[node_of(of)] != negated(of); }

    // Whole-object audit: parts come first, leaves have none, others at least two.
    bool is_consistent() const;

  private:
    using Graph = analysis::FormulaGraph;

    // What a node depends on.
    std::vector<Graph::Edge> edges_of(Graph& graph, std::uint32_t number) const;
    const Comparison* find_comparison(const Graph::Node& node) const;
    std::vector<std::uint32_t> needed_nodes(Graph& graph, std::span<const Graph::Edge> roots) const;
    void take_over(Graph& graph, std::span<const Graph::Edge> roots);
    bool settle_comparison(const Node& node, const std::vector<bool>& truth) const;
    void choose_crisp(std::size_t most_graded);

    std::shared_ptr<const Rewritten> comparisons_;
    std::uint32_t atoms_ = 0;  // of the rules as they were
    std::vector<Node> nodes_;
    std::vector<Code> parts_;
    std::vector<Goal> goals_;
    Code end_{0, true};
};

// By code: the conditions, and negations of conditions, that one depends on.
std::vector<bool> reached_from(const DomainTheory& theory, Code root);

}  // namespace stratagem::evaluate::neural
