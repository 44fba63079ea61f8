// Opinions for searches that keep them as scores (score.h): whole numbers, to which some evaluators' values are all
// one.
#pragma once

#include <memory>

#include "search/registry.h"

namespace stratagem::search {

// The problem's evaluator, or where rounding its values to scores would make different states equal, one that says them
// spread out (evaluate/spread.h). Only where players take turns: where they move at once, means are taken of values,
// and more than their order matters. Ends by SearchSettings::stop.
std::shared_ptr<const evaluate::Evaluator> evaluator_for_scores(const Problem& problem, const SearchSettings& settings);

}  // namespace stratagem::search
