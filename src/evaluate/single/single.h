// The evaluator that goes by one feature, among the others; and the features of a game, for those who list them.
#pragma once

#include "evaluate/registry.h"
#include "evaluate/single/single_evaluator.h"

namespace stratagem::evaluate {

extern const EvaluatorEntry single_feature_entry;

namespace single {

// Null where there are none; the log says why.
std::shared_ptr<const FeatureSet> make_feature_set(const Material& material, bool by_templates);

}  // namespace single

}  // namespace stratagem::evaluate
