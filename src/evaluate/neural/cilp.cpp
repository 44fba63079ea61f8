#include <algorithm>
#include <cmath>

#include "evaluate/neural/transform.h"

namespace stratagem::evaluate::neural {

namespace {

// By node: the most antecedents of a node (k_max) in the networks that it is part of. Each goal has a network of its
// own (thesis, section 3.2.2), although nodes are shared. What all networks above a node need is enough for it: the
// higher k_max, the nearer to -1 and 1 its outputs are.
std::vector<std::size_t> widest_by_node(const DomainTheory& theory) {
    std::vector<std::size_t> widest(theory.size(), 2);
    const auto add_network = [&](Code root) {
        const std::vector<bool> reached = reached_from(theory, root);
        std::size_t most = 2;
        const auto is_part = [&](std::uint32_t i) {
            return reached[Code(i, false).code()] || reached[Code(i, true).code()];
        };
        for (std::uint32_t i = 0; i < theory.size(); ++i) {
            if (is_part(i) && !theory.node(i).crisp) most = std::max(most, theory.parts(theory.node(i)).size());
        }
        for (std::uint32_t i = 0; i < theory.size(); ++i) {
            if (is_part(i)) widest[i] = std::max(widest[i], most);
        }
    };
    for (const DomainTheory::Goal& goal : theory.goals()) add_network(goal.condition);
    add_network(theory.end());
    return widest;
}

}  // namespace

Network transform_by_cilp(const DomainTheory& theory, const CilpSettings& settings) {
    const std::vector<std::size_t> widest = widest_by_node(theory);
    Network network(theory, Network::Kind::sigmoid);
    for (std::uint32_t i = 0; i < network.size(); ++i) {
        Network::Neuron& neuron = network.neuron(i);
        if (neuron.kind != Network::Kind::sigmoid) continue;
        const auto k = static_cast<double>(widest[i]);
        // The least A_min that is correct, moved by a fifth towards 1: there W is lowest.
        const double truth = settings.truth > 0 ? settings.truth : 0.8 * (k - 1) / (k + 1) + 0.2;
        const double least = 2 * (std::log(1 + truth) - std::log(1 - truth)) / (k * (truth - 1) + truth + 1);
        const double weight = settings.weight > 0 ? settings.weight : least;
        const auto parts = static_cast<double>(neuron.end - neuron.first);
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
