// A grown tree with what random games showed of it: what weights are found for.
#pragma once

#include <memory>
#include <variant>

#include "evaluate/feature_tree/grow.h"
#include "evaluate/feature_tree/outcomes.h"
#include "evaluate/feature_tree/regression.h"
#include "evaluate/feature_tree/tree_model.h"
#include "evaluate/feature_tree/variation.h"

namespace stratagem::evaluate::feature_tree {

struct PrepareSettings {
    GrowthLimits growth;
    OutcomeSettings outcomes;
};

struct Prepared {
    FeatureTree tree;
    bool complete = false;  // as Growth
    std::unique_ptr<const Sums> sums;
    std::unique_ptr<Variation> variation;  // of `sums`, over all states of the random games
    Outcomes outcomes;
};

// Or why not, for people. Pre: `known` has the program of the circuit.
std::variant<Prepared, std::string> prepare(const std::shared_ptr<const machine::Circuit>& circuit,
                                            const Literals& literals, const analysis::Findings& known,
                                            const PrepareSettings& settings, const machine::Stop& stop);

struct Fitted {
    TreeModel model;
    double error = 0, spread = 0;  // of the first role that has an opinion
};
// Weights by regression for every role whose games ended differently; the others have none.
Fitted fit(const Prepared& prepared, const ground::Program& program, const RegressionSettings& settings,
           const machine::Stop& stop);

}  // namespace stratagem::evaluate::feature_tree
