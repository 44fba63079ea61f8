// Networks of neurons as flat arrays: one type for all transformations, worked out whole or where something changed.
//
// A neuron adds up what its parts say and squashes the sum. Sums are kept in fixed point: whole numbers add up to the
// same whatever the order, so that symmetric states have equal values to the last bit, and a change of one part is one
// addition, with the same result as starting anew.
//
// Kinds of neurons:
//   sigmoid  o = h(w (sum of s o' + bias)) with h(x) = 2 / (1 + e^-x) - 1 and s = -1 for negated parts
//   soft     see soft_mean.h: a count of what is missing while it does not hold, a soft minimum once it does
//   crisp    1 or -1
//   comparison  of numbers that its parts name, by how much one exceeds the other; where the rules say nothing of a
//               number that they count step by step, of how far the count gets
//   counted  as crisp, but with a value in between by its node feature
//
// What is certain to stay as it is to the end of the game makes others certain: a conjunction with a part that stays
// false, or with nothing but parts that stay true. Then the rest of its parts does not count, and it is worth 1 or -1.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "evaluate/neural/node_features.h"
#include "evaluate/neural/soft_mean.h"

namespace stratagem::evaluate::neural {

// The bipolar sigmoid, without its loss of digits near 0.
inline double squash(double x) { return std::tanh(x / 2); }

// What a value may be: false in [lowest, low], true in [high, highest] (o--, o-, o+, o++ of the thesis).
struct Limits {
    double lowest = -1, low = -1, high = 1, highest = 1;

    Limits operator-() const { return {-highest, -high, -low, -lowest}; }
    friend bool operator==(const Limits&, const Limits&) = default;
};

class Network {
  public:
    enum class Kind : std::uint8_t { input, comparison, sigmoid, soft, crisp, counted };

    struct Neuron {
        Kind kind = Kind::input;
        bool disjunction = false;
        bool squashed = false;    // of inputs, comparisons and counted ones: o = h(w x)
        std::uint32_t first = 0;  // of its connections
        std::uint32_t end = 0;
        double weight = 1;  // of its biased input
        double bias = 0;
        Limits input;   // biased
        Limits output;  // of it

        // How true or false its parts are counts, and not only which.
        bool adds_up() const { return kind == Kind::sigmoid || kind == Kind::soft; }
    };
    // What the parts of a neuron say, added up; or what one of them adds.
    struct Tally {
        std::int64_t sum = 0;     // in the unit of the neuron
        std::int64_t near = 0;    // of soft neurons, in their other unit: for the soft minimum
        std::uint32_t fails = 0;  // parts that speak against it
        std::uint32_t dead = 0;   // parts that certainly speak against it to the end
        std::uint32_t sure = 0;   // parts that certainly do not

        friend bool operator==(const Tally&, const Tally&) = default;
    };
    // Connections upwards, by the part they start from. Those to crisp neurons hear of signs only. Each group has those
    // whose share counts as it is before those where it counts upside down.
    struct Upwards {
        enum Group : std::uint32_t { graded, graded_flipped, crisp, crisp_flipped, groups };
        struct User {
            std::uint32_t neuron = 0;
            std::uint32_t place = 0;  // of the connection
        };
        std::vector<std::uint32_t> first;  // by neuron and group, and one more
        std::vector<User> users;

        bool leads_anywhere(std::uint32_t neuron) const {
            return first[std::size_t{neuron} * groups] < first[(std::size_t{neuron} + 1) * groups];
        }
    };
    struct Values {
        std::vector<double> output;        // by neuron
        std::vector<double> input;         // by neuron: biased, before the squash
        std::vector<Tally> tally;          // by neuron
        std::vector<std::int8_t> certain;  // by neuron: 1 true to the end, -1 false to the end, 0 neither
        std::vector<std::uint64_t> dirty;  // bit by neuron
        std::shared_ptr<const Upwards> upwards;
    };

    // With a neuron for every node of the theory, of the same number; parameters are for transformations to set.
    // Comparisons that just hold are worth `probable`.
    Network(const DomainTheory& theory, Kind inner, std::span<const NodeFeature> features = {},
            const SoftSettings& soft = {}, double probable = 0.5);

    std::size_t size() const { return neurons_.size(); }
    std::size_t connection_count() const { return parts_.size(); }
    const Neuron& neuron(std::uint32_t number) const { return neurons_[number]; }
    Neuron& neuron(std::uint32_t number) { return neurons_[number]; }
    std::span<const Code> parts(const Neuron& of) const {
        return std::span(parts_).subspan(of.first, of.end - of.first);
    }
    // How much each connection counts, by place among all: 1 until something is learned. Not negative.
    std::span<const double> strengths() const { return strengths_; }
    std::span<double> strengths() { return strengths_; }
    const SoftMean& soft() const { return soft_; }
    // What node features compare solutions with, by the values of the first state.
    void count_at_first(const Values& values);
    // To be called after the last change of strengths, before values are worked out.
    void finish();

    // Whole-object audit: every neuron comes after its parts, no connection speaks against what it is part of.
    bool is_consistent() const;

    // All inputs false, nothing else worked out.
    Values make_values() const;
    // In [-1, 1]: true or false by its sign. Certain: it will stay so.
    void set_input(Values& values, std::uint32_t number, double value, bool certain = false) const;
    // Works out every neuron. Pre: finish().
    void compute_all(Values& values) const;
    // Works out the neurons above inputs that were set since.
    void compute_changes(Values& values) const;

    // From now on what is certain stays so, and only the roots are asked for: connections that can no longer make a
    // difference to them are left out.
    void prune(Values& values, std::span<const Code> roots) const;

    double output(const Values& values, Code of) const {
        return negated(of) ? -values.output[node_of(of)] : values.output[node_of(of)];
    }
    // As output, but of a sigmoid neuron by the weight of answers, if one is set: what is asked of a network need not
    // be squashed as much as what others depend on.
    double answer(const Values& values, Code of) const;
    double answer_weight(std::uint32_t number) const {
        return answer_weight_ > 0 ? answer_weight_ : neurons_[number].weight;
    }
    void set_answer_weight(double weight) { answer_weight_ = weight; }
    // The numbers that a comparison is about: places in its order, or Comparison::none.
    struct CountedSides {
        std::uint32_t left = Comparison::none, right = Comparison::none;
        bool left_guessed = false, right_guessed = false;  // the rules do not say it, but count it step by step

        // There are two numbers, and not both by the rules.
        bool guessed() const {
            return left != Comparison::none && right != Comparison::none && (left_guessed || right_guessed);
        }
    };
    // Pre: the neuron is a comparison.
    CountedSides count_sides(const Values& values, std::uint32_t number) const;
    // What a neuron is worth follows from its feature and not from its parts.
    bool by_feature(const Values& values, std::uint32_t number) const;
    const NodeFeature* feature(std::uint32_t number) const {
        return feature_of_.empty() || feature_of_[number] == no_feature ? nullptr : &features_[feature_of_[number]];
    }
    // What an inner neuron makes of a weight.
    static Limits squashed(const Limits& input, double weight);

  private:
    // What a part adds where every connection counts 1, in the finest unit: most networks have not learned anything,
    // and then one part adds the same to all it is part of. Flipped: it counts upside down.
    Tally fine_share(bool flipped, double output, std::int8_t certain) const;
    Tally share(std::uint32_t number, std::size_t place, double output, std::int8_t certain) const;
    void add_up(Values& values, std::uint32_t number) const;
    void compute(Values& values, std::uint32_t number) const;
    double compare(const Values& values, std::uint32_t number) const;
    double guess(const Comparison& comparison, const CountedSides& sides) const;
    // How much there is of what the feature measures, in [0, 1]: solutions of what holds, distance of what does not.
    double measure(const Values& values, std::uint32_t number, const NodeFeature& of) const;
    double partial_solutions(const Values& values, const Neuron& neuron) const;
    double meeting(const Values& values, const NodeFeature& of) const;
    // Tells those that depend on it.
    void change(Values& values, std::uint32_t number, double output, std::int8_t certain) const;
    // Of connections to neurons that are wanted.
    std::shared_ptr<const Upwards> index_users(const std::vector<bool>& wanted) const;

    std::vector<Neuron> neurons_;
    std::vector<Code> parts_;
    std::vector<double> strengths_;
    SoftMean soft_;
    double answer_weight_ = 0;
    double probable_ = 0.5;
    static constexpr std::uint32_t no_feature = 0xFFFFFFFFU;
    std::vector<NodeFeature> features_;
    std::vector<std::uint32_t> feature_of_;  // by neuron, where there are any
    std::vector<bool> looked_into_;          // by neuron: a feature of a neuron above depends on its parts
    std::shared_ptr<const Rewritten> rewritten_;
    std::vector<const Comparison*> comparisons_;  // by neuron, where there are any; of rewritten_
    bool sigmoid_ = false;                        // what inner neurons are; else soft, or there are none
    bool equal_ = true;                           // all strengths are 1
    double fine_near_ = 1;                        // the finest unit of near
    std::vector<double> unit_, near_unit_;        // by neuron: how many make up 1
    struct Shift {
        std::uint8_t sum = 0, near = 0;
    };
    std::vector<Shift> shift_;   // by neuron: from the finest unit to its own
    std::vector<double> total_;  // by neuron: of its strengths
    std::shared_ptr<const Upwards> upwards_;
};

}  // namespace stratagem::evaluate::neural
