// Features of conditions that hold in one of several ways: how many ways there are, how far the nearest one has come,
// and how far two things are apart that are to meet (thesis, sections 4.3.2 and 4.3.3).
//
// The thesis finds them on expressions with variables. Ours are ground: what was one rule with variables is a
// disjunction of parts that are built alike, and its solutions are the parts that hold.
//   solution cardinality   alternatives that are fluents, or beyond the limit of what is graded: once one holds, how
//                          many do, compared with the first state
//   partial solutions      alternatives beyond the limit: while none holds, how many conditions of the nearest one do,
//                          and of how many others as well. Conditions count in any order, not from left to right.
//   variable distance      alternatives of two fluents of a family each, as in "both stand on the same cell": while
//   none
//                          holds, how far the two are from each other along the orders of their arguments
// What a feature says moves its neuron within the limits that it has anyway, so that nothing above it can be wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/argument_distances.h"
#include "evaluate/feature/feature_counts.h"
#include "evaluate/feature/leaf_features.h"
#include "evaluate/neural/domain_theory.h"

namespace stratagem::evaluate::neural {

struct NodeFeature {
    std::uint32_t node = 0;
    bool solutions = false;
    bool partial = false;
    double at_first = 1;  // solutions in the first state, at least 1

    // Of variable distance: pairs of leaves that are to hold together, and how near one of the first is to one of the
    // second, by place of both; empty without. As with leaves, nearness is d^-p of the distance d in (0, 1].
    std::vector<std::uint32_t> first, second;
    std::vector<double> nearness;
    double power = 2;  // p
};

class NodeFeatures {
  public:
    NodeFeatures() = default;
    // `distances` may be null: then there are no variable distances.
    NodeFeatures(const DomainTheory& theory, const analysis::Findings& analysis,
                 const analysis::ArgumentDistances* distances, const feature::FeatureSettings& settings,
                 const machine::Stop& stop);

    // Ascending by node.
    std::vector<NodeFeature>& all() { return all_; }
    const std::vector<NodeFeature>& all() const { return all_; }
    const feature::FeatureCounts& counts() const { return counts_; }

  private:
    bool find_meeting(const DomainTheory& theory, const DomainTheory::Node& node, const analysis::Findings& analysis,
                      const analysis::ArgumentDistances& distances, const feature::FeatureSettings& settings,
                      NodeFeature& found);

    std::vector<NodeFeature> all_;
    feature::FeatureCounts counts_;
};

}  // namespace stratagem::evaluate::neural
