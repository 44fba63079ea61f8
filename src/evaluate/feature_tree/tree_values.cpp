#include "evaluate/feature_tree/tree_values.h"

namespace stratagem::evaluate::feature_tree {

std::vector<std::vector<machine::Fluent>> filter_down(const FeatureTree& tree, const Literals& literals,
                                                      const std::vector<machine::Fluent>& fluents,
                                                      const machine::Stop& stop) {
    std::vector<std::vector<machine::Fluent>> arrived(tree.nodes().size());
    arrived.front() = fluents;
    for (std::size_t i = 1; i < arrived.size(); ++i) {
        const Node& node = tree.nodes()[i];
        const Literals::Matcher matches(literals, node.qualifier);
        if (i % 16 == 0 && stop.now()) return {};
        for (const machine::Fluent fluent : arrived[node.parent]) {
            if (matches(fluent)) arrived[i].push_back(fluent);
        }
    }
    return arrived;
}

std::vector<std::int64_t> tree_values(const FeatureTree& tree, const Literals& literals, const machine::State& state) {
    std::vector<machine::Fluent> holding;
    state.for_each([&](machine::Fluent fluent) { holding.push_back(fluent); });
    const std::vector<std::vector<machine::Fluent>> arrived = filter_down(tree, literals, holding);
    std::vector<std::int64_t> values;
    for (const Feature& feature : tree.features()) {
        std::int64_t value = 0;
        for (const machine::Fluent fluent : arrived[feature.node]) {
            value += feature.aggregator.kind == Aggregator::Kind::count
                         ? 1
                         : literals.place(fluent, feature.aggregator.argument).value_or(0);
        }
        values.push_back(value);
    }
    return values;
}

}  // namespace stratagem::evaluate::feature_tree
