#include "evaluate/fuzzy/approach.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace stratagem::evaluate::fuzzy {

namespace {

constexpr std::uint32_t no_leaf = 0xFFFFFFFFU;
constexpr double sharpness = 4;  // of the mean over alternatives

}  // namespace

Approach::Approach(const analysis::RuleIndex& rules, const analysis::FluentGraph& graph, std::span<const Fluent> wanted,
                   Settings::Events how, const machine::Stop& stop)
    : how_(how),
      measured_(rules.program().fluents.size(), false),
      leaf_of_(rules.program().fluents.size(), no_leaf),
      ways_(rules.program().fluents.size()) {
    Graph formulas(rules, {.edges = most_nodes * 10, .stop = stop});
    nodes_.push_back({Kind::here, 0, 0});
    nodes_.push_back({Kind::never, 0, 0});
    for (const Fluent fluent : wanted) {
        if (rules.program().next[ground::index(fluent)] == ground::Atom::none) continue;
        add_event(formulas, fluent, rules.program());
        if (cut_short_ || formulas.cut_short()) {
            events_.clear();
            return;
        }
    }
    // What an event leaves behind is not brought about by itself.
    for (const Event& event : events_) {
        if (leaf_of_[ground::index(event.fluent)] != no_leaf) measured_[ground::index(event.fluent)] = true;
    }
    find_ways(graph);
    keep_far_ones();
    image_.clear();
}

void Approach::add_event(Graph& graph, Fluent fluent, const ground::Program& program) {
    const Graph::Edge condition = graph.add(program.next[ground::index(fluent)]);
    if (graph.cut_short()) return;
    Event event{fluent, {}, 1};
    const Graph::Node node = graph.node(condition.node());
    if (node.kind == Graph::Kind::disjunction && !condition.negated()) {
        const std::vector<Graph::Edge> edges(graph.edges(node).begin(), graph.edges(node).end());
        for (const Graph::Edge edge : edges) event.alternatives.push_back(add(graph, edge, program));
    } else {
        event.alternatives.push_back(add(graph, condition, program));
    }
    events_.push_back(std::move(event));
}

std::uint32_t Approach::add_leaf(Fluent fluent) {
    std::uint32_t& leaf = leaf_of_[ground::index(fluent)];
    if (leaf == no_leaf) {
        leaf = static_cast<std::uint32_t>(leaves_.size());
        leaves_.push_back({fluent, never, 0});
    }
    return leaf;
}

std::uint32_t Approach::add(Graph& graph, Graph::Edge edge, const ground::Program& program) {
    constexpr std::uint32_t here = 0, impossible = 1;
    const std::uint64_t code = std::uint64_t{edge.node()} << 1 | (edge.negated() ? 1U : 0U);
    if (const auto known = image_.find(code); known != image_.end()) return known->second;
    if (nodes_.size() >= most_nodes || parts_.size() >= 10 * most_nodes) cut_short_ = true;
    if (cut_short_ || graph.cut_short()) return here;
    const Graph::Node node = graph.node(edge.node());
    const auto keep = [&](std::uint32_t made) { return image_[code] = made; };
    const auto make = [&](Node one) {
        nodes_.push_back(one);
        return keep(static_cast<std::uint32_t>(nodes_.size() - 1));
    };
    switch (node.kind) {
        case Graph::Kind::constant:
            return keep(edge.negated() ? impossible : here);
        case Graph::Kind::recursive:
            return keep(here);
        case Graph::Kind::fluent: {
            const Fluent fluent{ground::index(node.atom)};
            if (edge.negated()) return make({Kind::absent, ground::index(fluent), 0});
            return make({Kind::holds, add_leaf(fluent), 0});
        }
        case Graph::Kind::move: {
            if (edge.negated()) return keep(here);
            const Graph::Edge legal = graph.add(program.legal[ground::index(node.atom) - program.first_move_atom()]);
            return graph.cut_short() ? here : keep(add(graph, legal, program));
        }
        case Graph::Kind::conjunction:
        case Graph::Kind::disjunction:
            break;
    }
    std::vector<std::uint32_t> parts;
    const std::vector<Graph::Edge> edges(graph.edges(node).begin(), graph.edges(node).end());
    for (const Graph::Edge part : edges) parts.push_back(add(graph, edge.negated() ? !part : part, program));
    std::ranges::sort(parts);
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    const bool all = (node.kind == Graph::Kind::conjunction) != edge.negated();
    Node made{all ? Kind::all : Kind::one, static_cast<std::uint32_t>(parts_.size()), 0};
    parts_.insert(parts_.end(), parts.begin(), parts.end());
    made.end = static_cast<std::uint32_t>(parts_.size());
    return make(made);
}

void Approach::find_ways(const analysis::FluentGraph& graph) {
    std::size_t distances = 0;
    for (std::uint32_t i = 0; i < leaves_.size(); ++i) {
        Leaf& leaf = leaves_[i];
        if (measured_[ground::index(leaf.fluent)]) {
            ways_[ground::index(leaf.fluent)].push_back({i, 0});
            continue;
        }
        const std::vector<std::uint16_t> table = graph.distances_to(leaf.fluent);
        if (table.back() != analysis::FluentGraph::never) leaf.otherwise = table.back();
        for (std::uint32_t fluent = 0; fluent < ways_.size(); ++fluent) {
            if (table[fluent] == analysis::FluentGraph::never || table[fluent] >= leaf.otherwise) continue;
            ways_[fluent].push_back({i, table[fluent]});
            leaf.farthest = std::max<std::uint32_t>(leaf.farthest, table[fluent]);
            ++distances;
        }
        if (leaf.otherwise != never) leaf.farthest = std::max(leaf.farthest, leaf.otherwise);
        if (distances > most_distances) {
            events_.clear();
            return;
        }
    }
}

// Where nothing has to come from two steps away, there is nothing to approach.
void Approach::keep_far_ones() {
    std::vector<std::uint32_t> farthest(nodes_.size(), 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].kind == Kind::holds) {
            const Leaf& leaf = leaves_[nodes_[i].first];
            farthest[i] = measured_[ground::index(leaf.fluent)] ? never : leaf.farthest;
        } else if (nodes_[i].kind == Kind::absent) {
            farthest[i] = 1;
        } else {
            combine(farthest, i);
        }
    }
    std::vector<Event> kept;
    measured_.assign(measured_.size(), false);
    for (Event& event : events_) {
        std::erase_if(event.alternatives, [&](std::uint32_t node) { return farthest[node] >= never; });
        const auto is_far = [&](std::uint32_t node) { return farthest[node] >= 2; };
        if (event.alternatives.empty() || !std::ranges::all_of(event.alternatives, is_far)) continue;
        event.farthest = nearness(event, farthest);
        measured_[ground::index(event.fluent)] = true;
        kept.push_back(std::move(event));
    }
    events_ = std::move(kept);
}

void Approach::combine(std::vector<std::uint32_t>& steps, std::size_t number) const {
    const Node& node = nodes_[number];
    std::uint32_t result = node.kind == Kind::one || node.kind == Kind::never ? never : 0;
    for (std::uint32_t p = node.first; p < node.end; ++p) {
        const std::uint32_t part = steps[parts_[p]];
        if (node.kind == Kind::one) {
            result = std::min(result, part);
        } else {
            result = how_ == Settings::Events::sum ? std::min(never, result + part) : std::max(result, part);
        }
    }
    steps[number] = result;
}

void Approach::find_steps(const machine::State& state, Memory& memory) const {
    memory.near.resize(leaves_.size());
    memory.steps.resize(nodes_.size());
    for (std::size_t i = 0; i < leaves_.size(); ++i) memory.near[i] = leaves_[i].otherwise;
    const std::span<const std::uint64_t> words = state.words();
    for (std::uint32_t w = 0; w < words.size(); ++w) {
        for (std::uint64_t left = words[w]; left != 0; left &= left - 1) {
            const std::uint32_t fluent = w * 64 + static_cast<std::uint32_t>(std::countr_zero(left));
            if (fluent >= ways_.size()) break;
            for (const Way& way : ways_[fluent]) memory.near[way.leaf] = std::min(memory.near[way.leaf], way.steps);
        }
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        if (node.kind == Kind::holds) {
            memory.steps[i] = memory.near[node.first];
        } else if (node.kind == Kind::absent) {
            memory.steps[i] = state.holds(Fluent{node.first}) ? 1 : 0;
        } else {
            combine(memory.steps, i);
        }
    }
}

double Approach::nearness(const Event& event, std::span<const std::uint32_t> steps) {
    double sum = 0;
    for (const std::uint32_t node : event.alternatives) {
        if (steps[node] < never) sum += std::pow(1.0 + steps[node], -sharpness);
    }
    return sum;
}

double Approach::distance(const Event& event, std::span<const std::uint32_t> steps) {
    const double near = nearness(event, steps);
    return near == 0 ? 1 : std::min(1.0, std::pow(event.farthest / near, 1 / sharpness));
}

std::optional<std::uint32_t> Approach::steps_to(const machine::State& state, Fluent fluent) const {
    if (!measures(fluent)) return std::nullopt;
    Memory memory;
    find_steps(state, memory);
    const Event& event = *std::ranges::find(events_, fluent, &Event::fluent);
    std::uint32_t least = never;
    for (const std::uint32_t node : event.alternatives) least = std::min(least, memory.steps[node]);
    return least == never ? std::nullopt : std::optional(least);
}

}  // namespace stratagem::evaluate::fuzzy
