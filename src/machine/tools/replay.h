// Recorded matches played again on a machine, with everything compared.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "machine/text_machine.h"
#include "machine/tools/trace.h"

namespace stratagem::machine {

struct Mismatch {
    std::size_t match = 0;
    std::size_t step = 0;
    std::string what;      // roles, state, terminal, legal ROLE, goal ROLE, moves, machines disagree: QUESTION
    std::string expected;  // of lists only what is missing from `got`, and the other way round
    std::string got;
};

struct ReplayResult {
    std::size_t steps = 0;  // states compared
    std::vector<Mismatch> mismatches;
};

// For messages that stay readable: the first few of a list, and how many more there are.
std::string first_of(std::vector<std::string> names);
// The same of what `from` has and `without` lacks. Pre: both are sorted.
std::string difference(const std::vector<std::string>& from, const std::vector<std::string>& without);

// Plays the moves of the trace and compares state, terminal, legal moves and goals of each state, as far as recorded.
// After a wrong state the rest of the match is left out, as it would only repeat the fault. So it is after a move that
// is not legal, and after a difference between the two halves of a CheckMachine.
ReplayResult replay(TextMachine& machine, const Trace& trace,
                    std::size_t max_steps = std::numeric_limits<std::size_t>::max());

}  // namespace stratagem::machine
