// How an answer of a network depends on its parameters and inputs: back-propagation, for learning and explanations.
#pragma once

#include <vector>

#include "evaluate/neural/network.h"

namespace stratagem::evaluate::neural {

// Derivatives of an answer. Crisp neurons, and such as follow their features, pass nothing on.
struct Gradient {
    std::vector<double> output;    // by neuron: by its output; of squashed inputs by what was set
    std::vector<double> weight;    // by sigmoid neuron or squashed input
    std::vector<double> bias;      // by sigmoid neuron
    std::vector<double> strength;  // by connection
};

// Pre: the values are worked out.
Gradient gradient(const Network& network, const Network::Values& values, Code answer);

}  // namespace stratagem::evaluate::neural
