// The linear evaluator among the others.
#pragma once

#include "evaluate/registry.h"

namespace stratagem::evaluate {

extern const EvaluatorEntry linear_entry;

}  // namespace stratagem::evaluate
