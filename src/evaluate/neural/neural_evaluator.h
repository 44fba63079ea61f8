// Nexplayer's evaluation function: how much of each goal is reached, by networks made from the rules of the goals
// (Michulke's thesis, chapter 3; Michulke 2011).
//
// One network answers for all goals of all roles. Each goal pulls the value of a state towards its own, as far as the
// network says that it is reached: away from the goal that holds (ladder.h), or from what is expected without knowing
// better (the sum of the thesis). With features there is a second network that says how near the end is: then the
// values of leaves, and with them all others, move outwards.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evaluate/evaluator.h"
#include "evaluate/feature/class_features.h"
#include "evaluate/feature/leaf_features.h"
#include "evaluate/neural/graded_theory.h"
#include "evaluate/neural/ladder.h"

namespace stratagem::evaluate::neural {

struct Settings {
    enum class Aggregation : std::uint8_t { ladder, sum };

    TransformationSettings transformation;  // what leaves may be follows from the features
    // Of the local transformation, with features: weights by what leaves may be, so that signs are right; else by true
    // and false alone.
    bool sound_weights = true;
    double expected = 50;  // gamma: what is expected where nothing is known
    Aggregation aggregation = Aggregation::ladder;
    std::size_t most_graded = 100'000;    // connections
    std::size_t most_graded_end = 2'000;  // of the end: it only says how certain things are
    feature::FeatureSettings features;
    feature::ClassSettings classes;
};

class Work;

class NeuralEvaluator final : public Evaluator {
  public:
    // `analysis` may be null: then there are no features of rules. `circuit`, of the same program, is what features of
    // kinds of games need; it may be null as well. Throws DomainTheory::Interrupted when told to stop before the
    // network is there; features that are not found by then are left out.
    NeuralEvaluator(std::shared_ptr<const ground::Program> program, std::shared_ptr<const analysis::Findings> analysis,
                    const Settings& settings, const machine::Stop& stop = {},
                    std::shared_ptr<const machine::Circuit> circuit = {});

    double value(const machine::State& state, machine::Role role) const override;
    Explanation explain(const machine::State& state, machine::Role role) const override;
    std::unique_ptr<Evaluation> start() const override;

    const Settings& settings() const { return settings_; }
    const GradedTheory& goals() const { return goals_; }
    // Null without features.
    const feature::LeafFeatures* features() const { return features_ ? &*features_ : nullptr; }
    const feature::ClassFeatures* classes() const { return classes_ ? &*classes_ : nullptr; }
    // What was found where, and what was not used and why.
    feature::FeatureCounts feature_counts() const;
    std::size_t comparison_count() const { return comparisons_ ? comparisons_->comparisons.size() : 0; }

    // What the network consists of, as text, and back: for learning, and not while values are asked for. Returns an
    // empty string, or why the text does not fit.
    std::string weights() const;
    std::string set_weights(std::string_view text);

  private:
    friend class Work;
    friend class Explainer;

    FindNodeFeatures node_features(const machine::Stop& stop) const;
    void find_features(bool with_mobility, const machine::Stop& stop);
    std::vector<feature::Leaf> leaves() const;
    feature::Namings namings() const;
    // In [0, 100], by what the network answers.
    double value(const Work& work, machine::Role role) const;
    std::span<const DomainTheory::Goal> goals_of(machine::Role role) const;
    // In the last state: the place of the goal of the role that holds, or Ladder::none.
    std::size_t holding(const GradedTheory::Memory& memory, machine::Role role) const;
    // The value of a state before any goal pulls, and how far one does. `now` as above.
    double start_value(machine::Role role, std::size_t now) const;
    double pull(const GradedTheory::Memory& memory, machine::Role role, std::size_t now, std::size_t goal) const;

    std::shared_ptr<const ground::Program> program_;
    std::shared_ptr<const analysis::Findings> analysis_;
    Settings settings_;
    std::shared_ptr<const analysis::RuleIndex> rules_;
    std::shared_ptr<const Rewritten> comparisons_;                  // null without
    std::unique_ptr<const analysis::ArgumentDistances> distances_;  // while features are found
    GradedTheory goals_;
    std::optional<GradedTheory> end_;
    std::optional<feature::LeafFeatures> features_;
    std::optional<feature::ClassFeatures> classes_;
    std::optional<feature::Mobility> mobility_;  // where a feature wants it
    std::vector<std::uint32_t> first_goal_;      // by role, and one more
    std::vector<Ladder> ladders_;                // by role; empty where goals are summed up
    std::vector<Fluent> leaves_;                 // of both
};

// The values of one state after another, for one thread.
class Work final : public Evaluation {
  public:
    explicit Work(const NeuralEvaluator& evaluator);

    double value(const machine::State& state, machine::Role role) override;
    void begin_at(const machine::State& state) override;
    void move_to(const machine::State& state);
    const GradedTheory::Memory& goals() const { return goals_; }
    const feature::LeafFeatures::Memory& features() const { return features_; }
    // Of features of kinds of games, in points; 0 without.
    double bonus(machine::Role role) const;
    // How near the end is, in [0, 1); 0 without features.
    double end() const { return end_steps_ / steps_to_end; }

  private:
    // The nearness of the end is rounded down to such steps: leaves move with it, and with them everything else.
    static constexpr double steps_to_end = 16;

    // Of no state yet.
    void forget();
    void flip(Fluent fluent, bool holds);
    void count_moves(const machine::State& state);
    void judge_end(const machine::State& state);

    const NeuralEvaluator& evaluator_;
    GradedTheory::Memory goals_;
    std::optional<GradedTheory::Memory> end_;
    feature::LeafFeatures::Memory features_;
    feature::ClassFeatures::Sums classes_;
    feature::Mobility::Memory mobility_;
    std::vector<std::uint64_t> words_;  // of the state
    std::vector<Fluent> leaves_;        // that may still make a difference
    std::vector<Fluent> changed_;       // leaves to be judged anew
    double end_steps_ = 0;
};

}  // namespace stratagem::evaluate::neural
