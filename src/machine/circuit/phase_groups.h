// Phases of a game: groups of fluents of which exactly one may hold at a time, such as who is to move.
//
// Found by name and size alone; who uses a group checks that it is one (in each state, or by the rules).
#pragma once

#include <cstdint>
#include <vector>

#include "ground/program.h"
#include "machine/circuit/gate_graph.h"
#include "machine/state.h"

namespace stratagem::machine {

using PhaseGroup = std::vector<Fluent>;

// Fluents of one name, or of two, if they are few.
std::vector<PhaseGroup> phase_groups(const ground::Program& program);

bool exactly_one(const State& state, const PhaseGroup& group);

// That this one of the group holds and the others do not.
Assumption assume(const PhaseGroup& group, std::size_t which);

}  // namespace stratagem::machine
