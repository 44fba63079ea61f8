#include "evaluate/feature_tree/sums.h"

#include "evaluate/feature_tree/tree_values.h"
#include "util/contract.h"

namespace stratagem::evaluate::feature_tree {

Sums::Sums(const FeatureTree& tree, const Literals& literals, const machine::Stop& stop) : fluents_(literals.size()) {
    std::vector<machine::Fluent> all;
    for (std::uint32_t i = 0; i < literals.size(); ++i) all.push_back(machine::Fluent{i});
    const std::vector<std::vector<machine::Fluent>> arrived = filter_down(tree, literals, all, stop);
    is_complete_ = !arrived.empty();
    for (const Feature& feature : tree.features()) {
        if (!is_complete_) {
            first_.push_back(0);
            continue;
        }
        for (const machine::Fluent fluent : arrived[feature.node]) {
            const std::uint32_t times = feature.aggregator.kind == Aggregator::Kind::count
                                            ? 1
                                            : literals.place(fluent, feature.aggregator.argument).value_or(0);
            if (times > 0) parts_.push_back({fluent, times});
        }
        first_.push_back(parts_.size());
    }
}

std::int64_t Sums::value(std::size_t feature, const machine::State& state) const {
    std::int64_t value = 0;
    for (const Part& part : of(feature)) value += state.holds(part.fluent) ? part.times : 0;
    return value;
}

std::vector<double> Sums::collapse(std::span<const double> weights) const {
    STRATAGEM_EXPECTS(weights.size() == features());
    std::vector<double> result(fluents_, 0);
    for (std::size_t feature = 0; feature < weights.size(); ++feature) {
        if (weights[feature] == 0) continue;
        for (const Part& part : of(feature)) result[ground::index(part.fluent)] += weights[feature] * part.times;
    }
    return result;
}

}  // namespace stratagem::evaluate::feature_tree
