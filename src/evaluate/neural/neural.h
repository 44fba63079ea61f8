// The evaluator `neural` and its options.
#pragma once

#include "evaluate/registry.h"

namespace stratagem::evaluate {

extern const EvaluatorEntry neural_entry;

}  // namespace stratagem::evaluate
