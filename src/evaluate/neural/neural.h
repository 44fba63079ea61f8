// The evaluator `neural` and its options.
#pragma once

#include <memory>

#include "evaluate/neural/neural_evaluator.h"
#include "evaluate/registry.h"

namespace stratagem::evaluate {

extern const EvaluatorEntry neural_entry;

// As the entry makes it, for those who want to see the networks. Null where it cannot be made; the log says why.
std::shared_ptr<const neural::NeuralEvaluator> make_neural(const Material& material, const OptionValues& values);

}  // namespace stratagem::evaluate
