// The evaluator `fuzzy` and its options.
#pragma once

#include "evaluate/registry.h"

namespace stratagem::evaluate {

extern const EvaluatorEntry fuzzy_entry;

}  // namespace stratagem::evaluate
