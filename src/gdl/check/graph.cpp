#include "gdl/check/graph.h"

#include <algorithm>

#include "gdl/check/walk.h"

namespace stratagem::gdl::passes {

namespace {

// A rule that defines true or does, or asks for init or next, is reported as such (condition 2); edges from or to
// these would only make the other passes repeat that fault in their own words. Only sees may ask for next.
bool is_input(Symbol name) { return name == keyword::true_ || name == keyword::does; }
bool is_output(Symbol name) { return name == keyword::init || name == keyword::next; }

}  // namespace

DependencyGraph::DependencyGraph(const Description& description) {
    const TermPool& terms = description.terms;
    for (std::uint32_t i = 0; i < description.rules.size(); ++i) {
        const Rule& rule = description.rules[i];
        const RelationId from = intern(terms.symbol(rule.head), terms.arity(rule.head));
        if (relations_[from].definitions++ == 0) relations_[from].first_definition = rule.head_node;
        for_each_condition(rule, [&](const Literal& condition, bool negative) {
            if (condition.kind == Literal::Kind::distinct) return;
            const RelationId to = intern(terms.symbol(condition.atom), terms.arity(condition.atom));
            if (relations_[to].uses++ == 0) relations_[to].first_use = condition.node;
            const bool seen = relations_[from].name == keyword::sees && relations_[to].name == keyword::next;
            if (is_input(relations_[from].name) || (is_output(relations_[to].name) && !seen)) return;
            dependencies_.push_back({from, to, i, &condition, negative});
        });
    }
    std::stable_sort(dependencies_.begin(), dependencies_.end(),
                     [](const Dependency& a, const Dependency& b) { return a.from < b.from; });

    first_.assign(relations_.size() + 1, 0);
    for (const Dependency& edge : dependencies_) ++first_[edge.from + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];

    std::vector<std::uint32_t> targets(dependencies_.size());
    std::transform(dependencies_.begin(), dependencies_.end(), targets.begin(),
                   [](const Dependency& e) { return e.to; });
    const auto components = strongly_connected(static_cast<std::uint32_t>(relations_.size()), first_, targets);
    for (std::size_t i = 0; i < relations_.size(); ++i) relations_[i].component = components[i];
}

std::span<const Dependency> DependencyGraph::dependencies(RelationId from) const {
    return dependencies().subspan(first_[from], first_[from + 1] - first_[from]);
}

namespace {

std::uint64_t key(Symbol name, std::uint32_t arity) { return (std::uint64_t{index(name)} << 32U) | arity; }

}  // namespace

RelationId DependencyGraph::find(Symbol name, std::uint32_t arity) const {
    const auto found = ids_.find(key(name, arity));
    return found == ids_.end() ? nothing : found->second;
}

RelationId DependencyGraph::intern(Symbol name, std::uint32_t arity) {
    const auto [place, added] = ids_.try_emplace(key(name, arity), static_cast<RelationId>(relations_.size()));
    if (added) relations_.push_back({.name = name, .arity = arity});
    return place->second;
}

// Breadth first, backwards from the goals.
Ways::Ways(const DependencyGraph& graph, std::span<const RelationId> goals)
    : graph_(&graph),
      distance_(graph.relations().size(), nothing),
      next_(distance_.size(), nothing),
      last_(distance_.size(), nothing) {
    const auto edges = graph.dependencies();
    std::vector<std::uint32_t> first(distance_.size() + 1, 0);
    for (const Dependency& edge : edges) ++first[edge.to + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<std::uint32_t> incoming(edges.size());
    std::vector<std::uint32_t> free(first.begin(), first.end() - 1);
    for (std::uint32_t i = 0; i < edges.size(); ++i) incoming[free[edges[i].to]++] = i;

    std::vector<RelationId> queue;
    for (const RelationId goal : goals) {
        if (goal == nothing || distance_[goal] == 0) continue;
        distance_[goal] = 0;
        queue.push_back(goal);
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const RelationId to = queue[head];
        for (std::uint32_t i = first[to]; i < first[to + 1]; ++i) {
            const RelationId from = edges[incoming[i]].from;
            if (distance_[from] != nothing) continue;
            distance_[from] = distance_[to] + 1;
            next_[from] = incoming[i];
            last_[from] = distance_[to] == 0 ? incoming[i] : last_[to];
            queue.push_back(from);
        }
    }
}

}  // namespace stratagem::gdl::passes
