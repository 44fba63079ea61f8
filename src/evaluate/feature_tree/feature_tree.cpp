#include "evaluate/feature_tree/feature_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "util/contract.h"

namespace stratagem::evaluate::feature_tree {

FeatureTree::FeatureTree(const std::vector<Node>& nodes) {
    STRATAGEM_EXPECTS(!nodes.empty() && nodes.front().parent == 0);
    std::vector<std::vector<std::uint32_t>> children(nodes.size());
    for (std::uint32_t i = 1; i < nodes.size(); ++i) {
        STRATAGEM_EXPECTS(nodes[i].parent < i);
        children[nodes[i].parent].push_back(i);
    }
    std::vector<std::uint32_t> open{0}, place(nodes.size(), 0);
    while (!open.empty()) {
        const std::uint32_t next = open.back();
        open.pop_back();
        place[next] = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back(nodes[next]);
        nodes_.back().parent = place[nodes[next].parent];
        open.insert(open.end(), children[next].rbegin(), children[next].rend());
    }
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
        for (const Aggregator& aggregator : nodes_[node].aggregators) features_.push_back({node, aggregator});
    }
    STRATAGEM_INVARIANT(is_consistent());
}

std::size_t FeatureTree::depth(std::uint32_t node) const {
    std::size_t depth = 0;
    for (; node != 0; node = nodes_[node].parent) ++depth;
    return depth;
}

std::string FeatureTree::name(const Feature& feature) const {
    std::string name = to_text(feature.aggregator);
    for (std::uint32_t node = feature.node; node != 0; node = nodes_[node].parent) {
        name.insert(0, to_text(nodes_[node].qualifier) + " ");
    }
    return name;
}

FeatureTree FeatureTree::pruned(const std::vector<bool>& keep) const {
    STRATAGEM_EXPECTS(keep.size() == features_.size());
    std::vector<std::vector<Aggregator>> kept(nodes_.size());
    std::vector<bool> is_needed(nodes_.size(), false);
    for (std::size_t i = 0; i < features_.size(); ++i) {
        if (!keep[i]) continue;
        kept[features_[i].node].push_back(features_[i].aggregator);
        is_needed[features_[i].node] = true;
    }
    for (std::size_t node = nodes_.size(); node-- > 1;) {
        if (is_needed[node]) is_needed[nodes_[node].parent] = true;
    }
    is_needed[0] = true;
    std::vector<Node> left;
    std::vector<std::uint32_t> place(nodes_.size(), 0);
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        if (!is_needed[node]) continue;
        place[node] = static_cast<std::uint32_t>(left.size());
        left.push_back({place[nodes_[node].parent], nodes_[node].qualifier, std::move(kept[node])});
    }
    return FeatureTree(left);
}

bool FeatureTree::is_consistent() const {
    if (nodes_.empty() || nodes_.front().parent != 0) return false;
    // Behind its parent with nothing but what comes from that parent in between.
    std::vector<std::uint32_t> way;
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
        while (!way.empty() && way.back() != nodes_[node].parent) way.pop_back();
        if (node > 0 && way.empty()) return false;
        way.push_back(node);
    }
    return true;
}

std::string to_text(const Qualifier& qualifier) {
    std::string text = qualifier.negated ? "~" : "";
    switch (qualifier.kind) {
        case Qualifier::Kind::functor:
            return text + "F:" + qualifier.atom;
        case Qualifier::Kind::argument:
            return text + fmt::format("T[{}]:{}", fmt::join(qualifier.path, "."), qualifier.atom);
        case Qualifier::Kind::corner:
            return text + fmt::format("C[{}]", fmt::join(qualifier.path, "."));
        case Qualifier::Kind::edge:
            return text + fmt::format("E[{}]", fmt::join(qualifier.path, "."));
    }
    return text;
}

std::string to_text(const Aggregator& aggregator) {
    return aggregator.kind == Aggregator::Kind::count ? "#" : fmt::format("O[{}]", aggregator.argument);
}

}  // namespace stratagem::evaluate::feature_tree
