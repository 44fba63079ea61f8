#include "evaluate/neural/node_features.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace stratagem::evaluate::neural {

namespace {

using feature::Feature;
using Kind = DomainTheory::Kind;

// Numbers for how nodes are built: the same for those that differ in arguments only.
class Shapes {
  public:
    Shapes(const DomainTheory& theory, const analysis::Findings& analysis)
        : theory_(theory), family_(analysis.program()->fluents.size(), 0) {
        for (std::uint32_t f = 0; f < analysis.families().size(); ++f) {
            for (const Fluent fluent : analysis.families()[f].members) family_[ground::index(fluent)] = f;
        }
    }

    std::uint32_t family(std::uint32_t leaf) const { return family_[ground::index(theory_.node(leaf).atom)]; }

    // Of the parts of a node, if they are all built alike. Parts are looked at two levels deep: there are few
    // conditions of rules that are deeper, and these are not alike by chance.
    std::optional<std::vector<std::uint32_t>> common(const DomainTheory::Node& node) const {
        std::optional<std::vector<std::uint32_t>> shape;
        for (const Code part : theory_.parts(node)) {
            std::vector<std::uint32_t> one = shape_of(part);
            if (shape && *shape != one) return std::nullopt;
            shape = std::move(one);
        }
        return shape;
    }

  private:
    std::uint32_t sign(Code of) const {
        const DomainTheory::Node& node = theory_.node(node_of(of));
        std::uint32_t number = node.kind == Kind::fluent ? family(node_of(of)) : 0;
        if (node.kind > Kind::fluent) number = node.end - node.first;
        return (number * 8 + static_cast<std::uint32_t>(node.kind)) * 2 + (negated(of) ? 1U : 0U);
    }
    std::vector<std::uint32_t> shape_of(Code of) const {
        const DomainTheory::Node& node = theory_.node(node_of(of));
        std::vector<std::uint32_t> shape;
        if (node.kind >= Kind::conjunction) {
            for (const Code part : theory_.parts(node)) shape.push_back(sign(part));
            std::ranges::sort(shape);
        }
        shape.push_back(sign(of));
        return shape;
    }

    const DomainTheory& theory_;
    std::vector<std::uint32_t> family_;  // by fluent
};

}  // namespace

NodeFeatures::NodeFeatures(const DomainTheory& theory, const analysis::Findings& analysis,
                           const analysis::ArgumentDistances* distances, const feature::FeatureSettings& settings,
                           const machine::Stop& stop) {
    if (!settings.solutions && !settings.partial && !settings.variable) return;
    const Shapes shapes(theory, analysis);
    for (std::uint32_t i = 0; i < theory.size(); ++i) {
        const DomainTheory::Node& node = theory.node(i);
        if (node.kind != Kind::disjunction) continue;
        if (i % 64 == 0 && stop.now()) {
            if (settings.solutions) counts_.skip(Feature::solution_cardinality, "no time");
            if (settings.partial) counts_.skip(Feature::partial_solution_cardinality, "no time");
            if (settings.variable) counts_.skip(Feature::variable_distance, "no time");
            return;
        }
        if (!shapes.common(node)) continue;
        const Code first = theory.parts(node).front();
        const Kind of_parts = theory.node(node_of(first)).kind;
        const bool fluents = of_parts == Kind::fluent && !negated(first);
        const bool conjunctions = of_parts == Kind::conjunction && !negated(first);
        NodeFeature found;
        found.node = i;
        if (conjunctions && settings.variable && distances != nullptr && !node.crisp) {
            find_meeting(theory, node, analysis, *distances, settings, found);
        }
        if (settings.solutions && (fluents || conjunctions)) {
            found.solutions = fluents || node.crisp;
            if (found.solutions) {
                counts_.find(Feature::solution_cardinality);
            } else {
                counts_.skip(Feature::solution_cardinality, "graded part by part");
            }
        }
        if (settings.partial && conjunctions) {
            found.partial = node.crisp;
            if (found.partial) {
                counts_.find(Feature::partial_solution_cardinality);
            } else {
                counts_.skip(Feature::partial_solution_cardinality, "graded part by part");
            }
        }
        if (found.solutions || found.partial || !found.nearness.empty()) all_.push_back(std::move(found));
    }
}

// Both of a pair differ in the same way in every part, and in nothing that has distances: then the first of one pair
// can become the first of another one as far as they are apart, and so the second.
bool NodeFeatures::find_meeting(const DomainTheory& theory, const DomainTheory::Node& node,
                                const analysis::Findings& analysis, const analysis::ArgumentDistances& distances,
                                const feature::FeatureSettings& settings, NodeFeature& found) {
    const gdl::TermPool& terms = analysis.program()->terms;
    const auto fluent_of = [&](Code part) { return Fluent{ground::index(theory.node(node_of(part)).atom)}; };
    const auto arguments_of = [&](Fluent fluent) {
        return terms.arguments(analysis.program()->fluents[ground::index(fluent)]);
    };
    // What the first is that the second is not: by argument, nothing where they agree.
    using Difference = std::vector<std::pair<std::optional<gdl::Term>, std::optional<gdl::Term>>>;
    std::optional<Difference> common;
    std::vector<Fluent> firsts, seconds;
    std::vector<std::uint32_t> first_leaves, second_leaves;
    for (const Code part : theory.parts(node)) {
        const std::span<const Code> both = theory.parts(theory.node(node_of(part)));
        if (both.size() != 2) return false;
        for (const Code one : both) {
            if (negated(one) || theory.node(node_of(one)).kind != Kind::fluent) return false;
        }
        Fluent one = fluent_of(both[0]), other = fluent_of(both[1]);
        std::uint32_t leaf = node_of(both[0]), other_leaf = node_of(both[1]);
        if (terms.symbol(analysis.program()->fluents[ground::index(one)]) !=
                terms.symbol(analysis.program()->fluents[ground::index(other)]) ||
            arguments_of(one).size() != arguments_of(other).size()) {
            return false;
        }
        const auto difference = [&](Fluent a, Fluent b) {
            Difference made;
            for (std::size_t k = 0; k < arguments_of(a).size(); ++k) {
                const gdl::Term left = arguments_of(a)[k], right = arguments_of(b)[k];
                made.emplace_back();
                if (left != right) made.back() = {left, right};
            }
            return made;
        };
        if (!common) common = difference(one, other);
        if (difference(one, other) != *common) {
            std::swap(one, other);
            std::swap(leaf, other_leaf);
            if (difference(one, other) != *common) return false;
        }
        firsts.push_back(one);
        seconds.push_back(other);
        first_leaves.push_back(leaf);
        second_leaves.push_back(other_leaf);
    }
    constexpr std::size_t most_pairs = 2048;
    const auto give_up = [&](std::string_view why) {
        counts_.skip(Feature::variable_distance, why);
        return false;
    };
    if (firsts.size() > most_pairs) return give_up("too many places");
    std::uint32_t longest = 0;
    std::vector<std::uint32_t> steps;
    for (std::size_t a = 0; a < firsts.size(); ++a) {
        for (std::size_t b = 0; b < firsts.size(); ++b) {
            const auto there = distances.between(firsts[a], firsts[b]),
                       back = distances.between(seconds[a], seconds[b]);
            const std::uint32_t least = std::min(there.value_or(0xFFFFFFFFU), back.value_or(0xFFFFFFFFU));
            steps.push_back(least);
            if (least != 0xFFFFFFFFU) longest = std::max(longest, least);
        }
    }
    if (longest == 0) return give_up("no order of places");
    for (const std::uint32_t one : steps) {
        const double distance = std::max(one, 1U) / static_cast<double>(longest);
        found.nearness.push_back(one == 0xFFFFFFFFU ? 0 : std::pow(distance, -settings.power));
    }
    found.power = settings.power;
    found.first = std::move(first_leaves);
    found.second = std::move(second_leaves);
    counts_.find(Feature::variable_distance);
    return true;
}

}  // namespace stratagem::evaluate::neural
