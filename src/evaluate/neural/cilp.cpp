#include <algorithm>
#include <cmath>

#include "evaluate/neural/transform.h"

namespace stratagem::evaluate::neural {

Network transform_by_cilp(const DomainTheory& theory, const CilpSettings& settings) {
    std::size_t widest = 2;
    for (std::uint32_t i = 0; i < theory.size(); ++i) {
        if (!theory.node(i).crisp) widest = std::max(widest, theory.parts(theory.node(i)).size());
    }
    const auto k = static_cast<double>(widest);
    // The least A_min that is correct, moved by a fifth towards 1: there W is lowest.
    const double truth = settings.truth > 0 ? settings.truth : 0.8 * (k - 1) / (k + 1) + 0.2;
    const double weight = settings.weight > 0
                              ? settings.weight
                              : 2 * (std::log(1 + truth) - std::log(1 - truth)) / (k * (truth - 1) + truth + 1);
    Network network(theory, Network::Kind::sigmoid);
    for (std::uint32_t i = 0; i < network.size(); ++i) {
        Network::Neuron& neuron = network.neuron(i);
        if (neuron.kind != Network::Kind::sigmoid) continue;
        const double parts = static_cast<double>(neuron.end - neuron.first);
        const double threshold = (1 + truth) * (1 - parts) / 2;
        neuron.weight = weight;
        neuron.bias = neuron.disjunction ? -threshold : threshold;
        const Limits sum = input_limits(network, i);
        neuron.input = {sum.lowest + neuron.bias, sum.low + neuron.bias, sum.high + neuron.bias,
                        sum.highest + neuron.bias};
        neuron.output = Network::squashed(neuron.input, weight);
    }
    return network;
}

}  // namespace stratagem::evaluate::neural
