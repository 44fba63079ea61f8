// What a tree makes of a state, as the thesis describes it: what holds is put in at the root and filtered down edge by
// edge. Slow, and the yardstick for sums.h.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluate/feature_tree/literals.h"
#include "machine/stop.h"

namespace stratagem::evaluate::feature_tree {

// By node: the fluents that arrive there, of those given, in their order. Nothing at all where time is up.
std::vector<std::vector<machine::Fluent>> filter_down(const FeatureTree& tree, const Literals& literals,
                                                      const std::vector<machine::Fluent>& fluents,
                                                      const machine::Stop& stop = {});

// By feature.
std::vector<std::int64_t> tree_values(const FeatureTree& tree, const Literals& literals, const machine::State& state);

}  // namespace stratagem::evaluate::feature_tree
