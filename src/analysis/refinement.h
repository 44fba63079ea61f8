// What it takes to tell the nodes of a coloured graph apart by their neighbours, again and again until nothing new
// comes of it: the first thing a search for automorphisms does, and one it cannot be stopped in.
#pragma once

#include <cstddef>

#include "analysis/automorphisms.h"
#include "machine/stop.h"

namespace stratagem::analysis {

struct Refinement {
    bool done = false;      // false: it would take more than `most`, or time was up
    bool discrete = false;  // no two nodes are alike: there is no automorphism
    std::size_t work = 0;   // sum of the sizes of all sets at the time a part of them was told apart
};

// Once from the colours, and once more with one of the nodes that are still alike taken as different.
Refinement refine(const ColouredGraph& graph, std::size_t most, const machine::Stop& stop);

}  // namespace stratagem::analysis
