// A tree of all features there are for a game (section 7.2.1), down to single fluents.
//
// Every node is expanded by every qualifier that lets through some of the fluents that can be there, and not all. A set
// of fluents is kept once, in the node that is found first, nearest to the root: the thesis keeps every path, which
// makes one feature many. Negations are expanded for corners and edges only, as in its figure 7.1, unless all are
// wanted: what ~ leaves of n values is one of 2ⁿ sets. Every node has #, and O[i] for each argument with an order, but
// where all its fluents have one place there (it would be a multiple of #).
#pragma once

#include <cstdint>

#include "evaluate/feature_tree/literals.h"
#include "machine/stop.h"

namespace stratagem::evaluate::feature_tree {

struct GrowthLimits {
    std::size_t nodes = 2'000;
    std::size_t parts = 2'000'000;  // fluents of nodes, added up; a few times as many may be looked at
    bool negations = false;         // of functors and arguments too
};

struct Growth {
    FeatureTree tree;
    bool complete = false;  // no limit ended it
};

Growth grow(const Literals& literals, const GrowthLimits& limits, const machine::Stop& stop);

}  // namespace stratagem::evaluate::feature_tree
