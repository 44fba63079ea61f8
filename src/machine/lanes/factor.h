// Conjunctions with two inputs in common share them: the pair that occurs most often becomes a gate of its own, again
// and again. The circuit machine must not do this (a change would pass through more gates); for lanes, which compute
// every gate in every step, fewer and smaller gates are all that counts.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/circuit/gate_graph.h"
#include "util/deadline.h"

namespace stratagem::machine::lanes {

// Gates by node; those added have numbers from graph.nodes.size() on. Nodes that are not gates have no inputs.
using GateInputs = std::vector<std::vector<Signal>>;

// Only gates that are needed for `roots` are looked at; the others come out empty.
GateInputs factor(const GateGraph& graph, const std::vector<bool>& needed, const Deadline& deadline);

}  // namespace stratagem::machine::lanes
