// The local transformation: weights are those of the parts, chosen by the neuron above them.
//
// Neurons are taken layer by layer, the widest first. One finds the least weight for its parts by which its own input
// tells true from false, and sets its bias in between. A part that several neurons share may have its weight raised by
// a later one; then the earlier ones, and all above them, are taken again. Weights only grow, and none has to grow
// beyond the bound of theorem 1, so that comes to an end; a neuron that was taken often asks for the bound at once.
// Those of one layer and width look before any of them raises a weight: whose turn it is would be a matter of numbers.
#include <algorithm>
#include <map>
#include <queue>
#include <tuple>

#include "evaluate/neural/transform.h"

namespace stratagem::evaluate::neural {

namespace {

using NeuronKind = Network::Kind;

Limits sum_of(const Limits& a, const Limits& b, double times) {
    return {a.lowest + times * b.lowest, a.low + times * b.low, a.high + times * b.high, a.highest + times * b.highest};
}

// Sums over parts, and the least steps between true and false: equation 3.3.1 of the thesis.
struct Mix {
    Limits sums{0, 0, 0, 0};
    double step_down = 3;  // least highest - low of a part
    double step_up = 3;    // least high - lowest

    void add(const Limits& part, double times) {
        sums = sum_of(sums, part, times);
        step_down = std::min(step_down, part.highest - part.low);
        step_up = std::min(step_up, part.high - part.lowest);
    }
    Limits result(bool disjunction) const {
        Limits limits = sums;
        if (disjunction) {
            limits.high = sums.lowest + step_up;
        } else {
            limits.low = sums.highest - step_down;
        }
        return limits;
    }
};

class LocalTransformation {
  public:
    LocalTransformation(const DomainTheory& theory, const LocalSettings& settings)
        : settings_(settings),
          network_(theory, NeuronKind::sigmoid, settings.features),
          height_(network_.size(), 0),
          taken_(network_.size(), 0),
          waiting_(network_.size(), false),
          parents_(network_.size()),
          asked_(network_.size(), 0) {}

    Network run() {
        for (std::uint32_t i = 0; i < network_.size(); ++i) prepare(i);
        while (!queue_.empty()) {
            if (settings_.stop.now()) throw DomainTheory::Interrupted{};
            take_next();
        }
        network_.set_answer_weight(1);
        return std::move(network_);
    }

  private:
    static constexpr std::uint32_t patience = 4;  // how often a neuron may look for the least weight

    // Parts that are alike, for the sake of wide neurons: most of their parts are.
    struct Class {
        Limits input;
        double weight = 1;
        bool weighted = false;
        bool negated = false;
        double count = 0;
    };

    void prepare(std::uint32_t number) {
        Network::Neuron& neuron = network_.neuron(number);
        if (neuron.first == neuron.end) {
            const Limits given = settings_.inputs.empty() ? Limits{} : settings_.inputs[number];
            neuron.input = neuron.output = given;
            if (given == Limits{}) return;
            neuron.squashed = true;
            neuron.output = Network::squashed(given, 1);
            return;
        }
        for (const Code part : network_.parts(neuron)) {
            height_[number] = std::max(height_[number], height_[node_of(part)] + 1);
            parents_[node_of(part)].push_back(number);
        }
        if (neuron.kind == NeuronKind::sigmoid) push(number);
        if (neuron.kind == NeuronKind::comparison && !settings_.sound) neuron.input = neuron.output = {};
        if ((neuron.kind == NeuronKind::comparison && settings_.sound) || neuron.kind == NeuronKind::counted) {
            neuron.squashed = true;
            neuron.output = Network::squashed(neuron.input, 1);
        }
    }

    void push(std::uint32_t number) {
        if (waiting_[number]) return;
        waiting_[number] = true;
        const Network::Neuron& neuron = network_.neuron(number);
        // Lowest layers first, in them the widest neurons; then any order that is always the same.
        queue_.emplace(-static_cast<std::int64_t>(height_[number]), neuron.end - neuron.first, number);
    }

    std::vector<Class> classes_of(const Network::Neuron& neuron) const {
        std::map<std::tuple<double, double, double, double, double, bool, bool>, Class> found;
        for (const Code part : network_.parts(neuron)) {
            const Network::Neuron& from = network_.neuron(node_of(part));
            const bool weighted = from.kind == NeuronKind::sigmoid || from.squashed;
            const Limits& input = from.input;
            Class& one =
                found[{input.lowest, input.low, input.high, input.highest, from.weight, weighted, negated(part)}];
            one.input = input;
            one.weight = from.weight;
            one.weighted = weighted;
            one.negated = negated(part);
            one.count += 1;
        }
        std::vector<Class> result;
        for (const auto& [key, one] : found) result.push_back(one);
        return result;
    }

    static Limits sums(const std::vector<Class>& classes, bool disjunction, double weight) {
        Mix mix;
        for (const Class& one : classes) {
            const Limits output = one.weighted ? Network::squashed(one.input, std::max(one.weight, weight)) : one.input;
            mix.add(one.negated ? -output : output, one.count);
        }
        return mix.result(disjunction);
    }

    // The least weight by which the parts are distinct (theorem 1 gives the most there has to be).
    double least_weight(const std::vector<Class>& classes, bool disjunction, bool at_once) const {
        double weakest = 1, parts = 0;
        for (const Class& one : classes) {
            if (one.weighted) weakest = std::min({weakest, one.input.high, -one.input.low});
            parts += one.count;
        }
        const double delta = settings_.difference;
        const auto distinct = [&](double weight) {
            const Limits limits = sums(classes, disjunction, weight);
            return limits.high >= limits.low + delta;
        };
        if (distinct(1)) return 1;
        double least = 1, most = std::max(1.0, -std::log((2 - delta) / (delta + 2 * parts)) / weakest);
        while (!distinct(most) && most < 1e6) most *= 1.5;  // for what rounding takes away
        for (int i = 0; i < 50 && !at_once; ++i) {
            const double middle = (least + most) / 2;
            (distinct(middle) ? most : least) = middle;
        }
        return most;
    }

    // What a neuron wants to be, as it sees its parts.
    struct Look {
        std::uint32_t number = 0;
        double weight = 1;
        double bias = 0;
        Limits input;
    };

    Look look_at(std::uint32_t number) {
        const Network::Neuron& neuron = network_.neuron(number);
        const std::vector<Class> classes = classes_of(neuron);
        const double weight = least_weight(classes, neuron.disjunction, ++taken_[number] > patience);
        const Limits sum = sums(classes, neuron.disjunction, weight);
        const double bias = -(sum.low + sum.high) / 2;
        return {number, weight, bias, sum_of(sum, {bias, bias, bias, bias}, 1)};
    }

    void take_next() {
        const auto alike = [](const Place& a, const Place& b) {
            return std::get<0>(a) == std::get<0>(b) && std::get<1>(a) == std::get<1>(b);
        };
        std::vector<Look> looks;
        for (const Place first = queue_.top(); !queue_.empty() && alike(queue_.top(), first); queue_.pop()) {
            const std::uint32_t number = std::get<2>(queue_.top());
            waiting_[number] = false;
            looks.push_back(look_at(number));
            asked_[number] = looks.back().weight;
        }
        raised_.clear();
        for (const Look& one : looks) {
            for (const Code part : network_.parts(network_.neuron(one.number))) raise(node_of(part), one.weight);
        }
        for (const auto& [number, before] : raised_) reconsider_parents(number, before);
        for (const Look& one : looks) {
            asked_[one.number] = 0;
            settle(one);
        }
    }

    void raise(std::uint32_t number, double weight) {
        Network::Neuron& neuron = network_.neuron(number);
        const bool weighted = neuron.kind == NeuronKind::sigmoid || neuron.squashed;
        if (!weighted || neuron.weight >= weight) return;
        raised_.emplace(number, neuron.weight);  // the first time
        neuron.weight = weight;
        neuron.output = Network::squashed(neuron.input, weight);
    }

    // Those that took the part for lighter than it is now.
    void reconsider_parents(std::uint32_t number, double before) {
        for (const std::uint32_t parent : parents_[number]) {
            if (network_.neuron(parent).kind != NeuronKind::sigmoid) continue;
            if (network_.neuron(number).weight > std::max(before, asked_[parent])) push(parent);
        }
    }

    void settle(const Look& look) {
        Network::Neuron& neuron = network_.neuron(look.number);
        neuron.bias = look.bias;
        if (look.input == neuron.input) return;
        neuron.input = look.input;
        neuron.output = Network::squashed(look.input, neuron.weight);
        // Those above were taken with other limits.
        for (const std::uint32_t parent : parents_[look.number]) {
            if (network_.neuron(parent).kind == NeuronKind::sigmoid) push(parent);
        }
    }

    using Place = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;  // less its layer, its width, its number

    LocalSettings settings_;
    Network network_;
    std::vector<std::uint32_t> height_;  // by neuron: layers below it
    std::vector<std::uint32_t> taken_;   // by neuron: how often
    std::vector<bool> waiting_;          // by neuron
    std::vector<std::vector<std::uint32_t>> parents_;
    std::priority_queue<Place> queue_;
    std::vector<double> asked_;               // by neuron that is being taken: the weight of its parts; else 0
    std::map<std::uint32_t, double> raised_;  // by part: its weight before
};

}  // namespace

Limits input_limits(const Network& network, std::uint32_t number) {
    const Network::Neuron& neuron = network.neuron(number);
    Mix mix;
    for (const Code part : network.parts(neuron)) {
        const Limits& output = network.neuron(node_of(part)).output;
        mix.add(negated(part) ? -output : output, 1);
    }
    return mix.result(neuron.disjunction);
}

Network transform_locally(const DomainTheory& theory, const LocalSettings& settings) {
    return LocalTransformation(theory, settings).run();
}

}  // namespace stratagem::evaluate::neural
