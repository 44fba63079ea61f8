// Values by a tree with weights: whatever the tree, one weight for each fluent and role.
#pragma once

#include "evaluate/evaluator.h"
#include "evaluate/feature_tree/sums.h"
#include "evaluate/feature_tree/tree_model.h"

namespace stratagem::evaluate::feature_tree {

class TreeEvaluator final : public Evaluator {
  public:
    // Pre: a seat for each role of the game.
    TreeEvaluator(TreeModel model, const Literals& literals);

    double value(const machine::State& state, machine::Role role) const override;
    // The features that carry the value, in logits.
    Explanation explain(const machine::State& state, machine::Role role) const override;
    std::unique_ptr<Evaluation> start() const override;

    const TreeModel& model() const { return model_; }
    std::span<const std::int64_t> weights() const { return weights_; }  // by fluent, then role
    double value_of(std::int64_t sum, machine::Role role) const;

  private:
    std::shared_ptr<const ground::Program> program_;
    TreeModel model_;
    Sums sums_;
    std::vector<std::int64_t> weights_;
};

}  // namespace stratagem::evaluate::feature_tree
