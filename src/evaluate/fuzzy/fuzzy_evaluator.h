// Fluxplayer's evaluation function: how true the goals are, in fuzzy logic (Schiffel and Thielscher 2007).
//
// The conditions of all goals and of the end are one graph over fluents, for all roles. For each goal value the truth
// of its condition is combined with that of the end of the game: while the goal is not met, the end is to be avoided,
// and once it is, to be sought. The values of all goals are then put together.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "analysis/formula.h"
#include "evaluate/evaluator.h"
#include "evaluate/fuzzy/approach.h"
#include "evaluate/fuzzy/first_states.h"
#include "evaluate/fuzzy/nearness.h"
#include "evaluate/fuzzy/network.h"
#include "evaluate/least_model.h"

namespace stratagem::evaluate::fuzzy {

class Work;

class FuzzyEvaluator final : public Evaluator {
  public:
    // `analysis` may be null: then there are no structures. Throws Interrupted when told to stop.
    struct Interrupted {};
    FuzzyEvaluator(std::shared_ptr<const ground::Program> program, std::shared_ptr<const analysis::Findings> analysis,
                   const Settings& settings, const machine::Stop& stop = {});

    // Where the norms clip, chooses power and scale so that as many of these states as can be have a value of their own
    // (fit.cpp); those that are given stay. Afterwards settings() has what was chosen.
    // How many states to look at for this, so that it does not take long.
    std::size_t states_to_fit() const;
    void fit(const FirstStates& states, const std::optional<double>& power, const std::optional<double>& scale);

    // From nothing: what many states in a row are asked by is start().
    double value(const machine::State& state, machine::Role role) const override;
    Explanation explain(const machine::State& state, machine::Role role) const override;
    std::unique_ptr<Evaluation> start() const override;

    // How true the condition of each goal of the role is in the last state of the work, by ascending goal value.
    struct GoalTruth {
        int goal = 0;
        double truth = 0;
    };
    std::vector<GoalTruth> goal_truths(const Work& work, machine::Role role) const;
    // And that of the end.
    double terminal_truth(const Work& work) const;

    const Settings& settings() const { return settings_; }
    std::size_t node_count() const { return network_.size(); }
    std::size_t edge_count() const { return network_.edge_count(); }
    std::size_t recursive_rules() const { return recursion_->rule_count(); }
    std::size_t comparison_count() const { return rewritten_ ? rewritten_->comparisons.size() : 0; }
    std::size_t measured_events() const { return approach_ ? approach_->size() : 0; }
    std::size_t measured_groups() const { return nearness_ ? nearness_->group_count() : 0; }

  private:
    friend class Work;
    friend class Explainer;
    using Code = Network::Code;
    using Graph = analysis::FormulaGraph;

    struct Goal {
        int value = 0;
        Graph::Edge condition;
        Code code;
    };

    // A rung of the ladder of goal values: to get at least so much. It is reached if one of the goals from there on
    // holds, or if none of those below does.
    struct Rung {
        int value = 0;
        double weight = 0;               // what it adds to the value of a state
        bool avoids = false;             // none of those below, instead of one of those above
        std::size_t first = 0, end = 0;  // of the goals it looks at
        Code code;
    };

    void add_conditions();
    void add_comparisons();
    void build_network(const machine::Stop& stop);
    void build_ladder(const std::vector<Goal>& goals);
    void find_nearness(const machine::Stop& stop);
    void find_approach(const std::vector<bool>& in_goals, const machine::Stop& stop);
    std::uint32_t add_node(std::uint32_t number, bool crisp);
    Code code_of(Graph::Edge edge) const { return {image_[edge.node()], edge.negated()}; }
    const Comparison* comparison(const Graph::Node& node) const;
    template <typename Use>
    void for_each_part(std::uint32_t number, Use&& use) const;
    std::vector<bool> fuzzy_nodes(bool with_end) const;
    std::vector<std::uint32_t> needed_nodes() const;

    // Of the goal together with the end, in [0, 1].
    double prospect(const Network::Values& values, Code goal) const;
    double climb(const Network::Values& values, machine::Role role) const;
    double value(const Network::Values& values, machine::Role role) const;
    // Over all roles: different values of states that can be chosen between, one less than there are in each choice,
    // and states worth exactly 0 or 100.
    struct Told {
        std::size_t apart = 0, at_ends = 0;
    };
    Told told_apart(const FirstStates& states) const;

    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    std::shared_ptr<const ground::Program> program_;
    std::shared_ptr<const analysis::Findings> analysis_;
    Settings settings_;
    std::shared_ptr<const analysis::RuleIndex> rules_;
    std::unique_ptr<const Rewritten> rewritten_;                  // null without comparisons
    std::unique_ptr<const analysis::HeadIndex> rewritten_rules_;  // of it
    Graph graph_;
    std::vector<std::vector<Graph::Edge>> inputs_;  // by comparison
    std::vector<std::vector<Goal>> goals_;          // by role, ascending values
    std::vector<std::vector<Rung>> ladders_;        // by role
    Graph::Edge terminal_condition_;
    Code terminal_;
    Network network_;
    std::vector<std::uint32_t> image_;           // by node of the graph: its node in the network, or none
    std::vector<std::uint32_t> leaf_of_;         // by fluent: its node in the network, or none
    std::vector<std::uint32_t> recursive_leaf_;  // by place in recursion_
    std::vector<bool> watched_;                  // by fluent: recursion_ depends on it
    std::optional<LeastModel> recursion_;
    std::optional<Nearness> nearness_;
    std::optional<Approach> approach_;
};

// The values of one state after another, for one thread.
class Work final : public Evaluation {
  public:
    explicit Work(const FuzzyEvaluator& evaluator);

    double value(const machine::State& state, machine::Role role) override;
    void move_to(const machine::State& state);
    const Network::Values& values() const { return values_; }

  private:
    void flip(Fluent fluent, bool holds);

    const FuzzyEvaluator& evaluator_;
    Network::Values values_;
    LeastModel::Memory recursion_;
    Nearness::Memory nearness_;
    Approach::Memory approach_;
    std::vector<std::uint64_t> words_;  // of the state
    bool recursion_changed_ = true;
    bool fresh_ = true;
};

}  // namespace stratagem::evaluate::fuzzy
