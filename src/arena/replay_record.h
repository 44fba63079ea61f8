// A recorded match played again by the rules, with everything compared that was written down.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "arena/record.h"
#include "machine/machine.h"
#include "machine/tools/replay.h"

namespace stratagem::arena {

// The facts of a state of a record, as machines write and sort them. What is no term stays as it is.
std::vector<std::string> facts_in(std::string_view state);

// Compares roles, every state, whether each move was legal, how many there were to choose from, the end and the goals,
// as far as recorded. After an illegal move or a wrong state the rest is left out, as it would only repeat the fault.
// `number` is what the match is called in the result. Throws what machines throw where a limit is hit.
machine::ReplayResult replay(machine::Machine& machine, const MatchRecord& record, std::size_t number,
                             std::size_t max_steps = std::numeric_limits<std::size_t>::max());

}  // namespace stratagem::arena
