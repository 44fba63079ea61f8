// Which relation is defined by which: the dependency graph of the specification (definition 10).
//
// A node is a relation, that is a name with a number of arguments; an edge leads from the head of a rule to a
// relation of its body and is negative when the condition stands under a negation. `true` and `next` are different
// relations: what holds in one step does not depend, within that step, on what will hold in the following one.
// Definitions of true and does, and conditions on init and next, are errors of their own and give no edges.
// All of it is linear in the size of the rules; nothing recurses along chains of relations.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "gdl/description.h"
#include "util/contract.h"
#include "util/strongly_connected.h"

namespace stratagem::gdl::passes {

using RelationId = std::uint32_t;
inline constexpr std::uint32_t nothing = 0xFFFFFFFFU;

struct Relation {
    Symbol name{};
    std::uint32_t arity = 0;
    std::uint32_t definitions = 0;       // rules and facts with it in the head
    std::uint32_t uses = 0;              // conditions with it
    Node first_definition = Node::none;  // the head
    Node first_use = Node::none;         // the condition
    std::uint32_t component = 0;
};

struct Dependency {
    RelationId from = 0;
    RelationId to = 0;
    std::uint32_t rule = 0;  // its place in description.rules
    const Literal* condition = nullptr;
    bool negative = false;
};

class DependencyGraph {
  public:
    explicit DependencyGraph(const Description& description);

    std::span<const Relation> relations() const { return relations_; }
    // Ordered by where they start, then as in the text.
    std::span<const Dependency> dependencies() const { return dependencies_; }
    std::span<const Dependency> dependencies(RelationId from) const;
    // The relation of an atom, or `nothing` if no rule mentions it.
    RelationId find(Symbol name, std::uint32_t arity) const;
    RelationId find(const TermPool& terms, Term atom) const { return find(terms.symbol(atom), terms.arity(atom)); }
    bool same_cycle(const Dependency& edge) const {
        return relations_[edge.from].component == relations_[edge.to].component;
    }

  private:
    RelationId intern(Symbol name, std::uint32_t arity);

    std::vector<Relation> relations_;
    std::vector<Dependency> dependencies_;
    std::vector<std::uint32_t> first_;  // of each relation, in dependencies_
    std::unordered_map<std::uint64_t, RelationId> ids_;
};

// Shortest ways through the graph to one of some goals: found once for all relations, followed step by step.
class Ways {
  public:
    Ways(const DependencyGraph& graph, std::span<const RelationId> goals);

    bool leads(RelationId relation) const { return distance_[relation] != nothing; }
    std::uint32_t distance(RelationId relation) const { return distance_[relation]; }
    // The first edge of the way, and the edge that enters the goal. Pre: leads(relation), distance(relation) > 0.
    const Dependency& first_step(RelationId relation) const {
        STRATAGEM_EXPECTS(leads(relation) && distance(relation) > 0);
        return graph_->dependencies()[next_[relation]];
    }
    const Dependency& last_step(RelationId relation) const {
        STRATAGEM_EXPECTS(leads(relation) && distance(relation) > 0);
        return graph_->dependencies()[last_[relation]];
    }

  private:
    const DependencyGraph* graph_;
    std::vector<std::uint32_t> distance_;
    std::vector<std::uint32_t> next_;
    std::vector<std::uint32_t> last_;
};

}  // namespace stratagem::gdl::passes
