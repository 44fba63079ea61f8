#include <algorithm>

#include "evaluate/neural/transform.h"

namespace stratagem::evaluate::neural {

namespace {

// Means are monotone, so limits follow from those of the parts: all at one end, and for the worst of falsehood all at
// their best but one.
Limits soft_limits(const Network& network, const Network::Neuron& neuron) {
    const SoftMean& soft = network.soft();
    double worst = 0, least = 1, sure = 0, unsure = 0;
    const auto count = static_cast<double>(neuron.end - neuron.first);
    for (const Code part : network.parts(neuron)) {
        const Limits& output = network.neuron(node_of(part)).output;
        const Limits limits = negated(part) != neuron.disjunction ? -output : output;
        worst += soft.missing(limits.lowest);
        least = std::min(least, soft.missing(limits.low) - soft.missing(limits.highest));
        sure += soft.doubt(limits.highest);
        unsure += soft.doubt(limits.high);
    }
    double best = 0;
    for (const Code part : network.parts(neuron)) {
        const Limits& output = network.neuron(node_of(part)).output;
        best += soft.missing(negated(part) != neuron.disjunction ? -output.lowest : output.highest);
    }
    const Limits found{soft.when_false(worst / count), soft.when_false((best + least) / count),
                       soft.when_true(unsure / count), soft.when_true(sure / count)};
    return neuron.disjunction ? -found : found;
}

}  // namespace

Network transform_softly(const DomainTheory& theory, const SoftSettings& settings, std::span<const Limits> inputs,
                         std::span<const NodeFeature> features) {
    Network network(theory, Network::Kind::soft, features, settings);
    for (std::uint32_t i = 0; i < network.size(); ++i) {
        Network::Neuron& neuron = network.neuron(i);
        if (neuron.kind == Network::Kind::input && !inputs.empty()) neuron.output = inputs[i];
        if (neuron.kind == Network::Kind::soft) neuron.output = soft_limits(network, neuron);
        neuron.input = neuron.output;
    }
    return network;
}

}  // namespace stratagem::evaluate::neural
