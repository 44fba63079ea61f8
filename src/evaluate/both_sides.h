// What a state is worth where one player gets what the other loses: the mean of what the evaluator says of his own
// goals and of what it says of the other's.
//
// Goals of one role often speak of that role's success alone (100 if it arrives, 0 if it does not), and then an
// evaluator that looks at these goals sees nothing of what the other one is about to do.
#pragma once

#include <array>
#include <memory>

#include "evaluate/evaluator.h"

namespace stratagem::evaluate {

// `sum`: what both always get together. Other roles are worth what the evaluator says.
std::shared_ptr<const Evaluator> both_sides(std::shared_ptr<const Evaluator> evaluator,
                                            std::array<machine::Role, 2> players, double sum);

}  // namespace stratagem::evaluate
