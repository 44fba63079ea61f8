// Weights of features fitted to what came of random games: the logistic regression of a role's share of its goal
// values, with a ridge, by stochastic gradient steps over features made alike in mean and spread.
//
// The thesis chooses features by matches; a match says little, and it takes one for every feature and sign. What random
// games say of all of them is there at once, but it is what random players make of a state.
#pragma once

#include <vector>

#include "evaluate/feature_tree/outcomes.h"
#include "evaluate/feature_tree/sums.h"

namespace stratagem::evaluate::feature_tree {

struct RegressionSettings {
    double ridge = 0.001;     // for each state, on weights of features with spread 1
    std::size_t rounds = 10;  // over all states
    double step = 0.5;        // at the beginning, shared by all features of a state
    std::uint64_t seed = 1;
};

struct Regression {
    double bias = 0;
    std::vector<double> weights;  // by feature; 0 for those that are not asked for, or do not vary in these states
    double error = 0;             // mean square of what is left unexplained, in shares of the goal values
    double spread = 0;            // the same without features
};

// Games without a goal value of the role say nothing. Pre: `wanted` has one for each feature; least < most.
Regression fit_outcomes(const Sums& sums, const std::vector<bool>& wanted, const Outcomes& outcomes, machine::Role role,
                        double least, double most, const RegressionSettings& settings, const machine::Stop& stop);

// Mean and spread of features over states, as many as there is time for.
struct Spread {
    std::vector<double> mean, deviation;  // by feature
};
Spread spread_of(const Sums& sums, const Outcomes& outcomes, const machine::Stop& stop = {});

}  // namespace stratagem::evaluate::feature_tree
