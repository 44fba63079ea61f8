// The evaluator of feature trees among the others.
#pragma once

#include "evaluate/registry.h"

namespace stratagem::evaluate {

extern const EvaluatorEntry tree_entry;

}  // namespace stratagem::evaluate
