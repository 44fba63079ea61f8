// A state somebody means: by the fluents that hold, or by the moves that lead to it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"

namespace stratagem::cli {

// What is wrong with what was given, and where.
struct PositionError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// "(cell 1 1 x) (control o)", in any case and spacing, with or without a list around it and `true` around each.
machine::State state_of_fluents(machine::Machine& machine, std::string_view text);

// "(mark 2 2) (mark 1 1)", from the initial state: for each step the move of the one role that has a choice, or one for
// every role. Semicolons between steps may help people to read.
machine::State state_after_moves(machine::Machine& machine, std::string_view text);
// The same moves, one for every role in each step.
std::vector<std::vector<std::string>> joint_moves(machine::Machine& machine, std::string_view text);

}  // namespace stratagem::cli
