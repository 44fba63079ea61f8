#include "evaluate/neural/gradient.h"

#include <algorithm>

#include "util/contract.h"

namespace stratagem::evaluate::neural {

namespace {

using NeuronKind = Network::Kind;

class BackPropagation {
  public:
    BackPropagation(const Network& network, const Network::Values& values) : network_(network), values_(values) {
        STRATAGEM_EXPECTS(values.output.size() == network.size());
        STRATAGEM_EXPECTS(std::ranges::all_of(values.dirty, [](std::uint64_t word) { return word == 0; }));
        made_.output.assign(network.size(), 0);
        made_.weight.assign(network.size(), 0);
        made_.bias.assign(network.size(), 0);
        made_.strength.assign(network.connection_count(), 0);
    }

    Gradient run(Code answer) {
        const std::uint32_t root = node_of(answer);
        made_.output[root] = negated(answer) ? -1 : 1;
        for (std::uint32_t i = root + 1; i-- > 0;) {
            if (made_.output[i] == 0) continue;
            const Network::Neuron& neuron = network_.neuron(i);
            if (network_.by_feature(values_, i)) continue;
            if (neuron.kind == NeuronKind::sigmoid)
                through_sigmoid(i, i == root ? network_.answer_weight(i) : neuron.weight);
            if (neuron.squashed) through_input(i);
            if (neuron.kind == NeuronKind::soft) through_soft(i);
        }
        return std::move(made_);
    }

  private:
    // h' = (1 - h^2) / 2
    void through_sigmoid(std::uint32_t number, double weight) {
        const Network::Neuron& neuron = network_.neuron(number);
        const double output = squash(weight * values_.input[number]);
        const double slope = made_.output[number] * (1 - output * output) / 2;
        made_.weight[number] = slope * values_.input[number];
        made_.bias[number] = slope * weight;
        for (std::uint32_t p = neuron.first; p < neuron.end; ++p) {
            const Code part = network_.parts(neuron)[p - neuron.first];
            made_.strength[p] = slope * weight * network_.output(values_, part);
            made_.output[node_of(part)] += slope * weight * network_.strengths()[p] * (negated(part) ? -1 : 1);
        }
    }

    void through_input(std::uint32_t number) {
        const double output = values_.output[number];
        const double slope = made_.output[number] * (1 - output * output) / 2;
        made_.weight[number] = slope * values_.input[number];
        made_.output[number] = slope * network_.neuron(number).weight;
    }

    // A disjunction is a conjunction upside down: its parts and its value change their signs, so slopes by parts stay.
    void through_soft(std::uint32_t number) {
        const Network::Neuron& neuron = network_.neuron(number);
        const SoftMean& soft = network_.soft();
        const bool fails = values_.tally[number].fails > 0;
        const double turn = neuron.disjunction ? -1 : 1;
        double total = 0, mean = 0;
        for (std::uint32_t p = neuron.first; p < neuron.end; ++p) {
            const double x = turn * network_.output(values_, network_.parts(neuron)[p - neuron.first]);
            total += network_.strengths()[p];
            mean += network_.strengths()[p] * (fails ? soft.missing(x) : soft.doubt(x));
        }
        mean /= total;
        const double slope = made_.output[number] * (fails ? soft.when_false_slope(mean) : soft.when_true_slope(mean));
        for (std::uint32_t p = neuron.first; p < neuron.end; ++p) {
            const Code part = network_.parts(neuron)[p - neuron.first];
            const double x = turn * network_.output(values_, part);
            const double adds = fails ? soft.missing(x) : soft.doubt(x);
            const double by_part = fails ? soft.missing_slope(x) : soft.doubt_slope(x);
            made_.strength[p] = turn * slope * (adds - mean) / total;
            made_.output[node_of(part)] += slope * network_.strengths()[p] * by_part / total * (negated(part) ? -1 : 1);
        }
    }

    const Network& network_;
    const Network::Values& values_;
    Gradient made_;
};

}  // namespace

Gradient gradient(const Network& network, const Network::Values& values, Code answer) {
    return BackPropagation(network, values).run(answer);
}

}  // namespace stratagem::evaluate::neural
