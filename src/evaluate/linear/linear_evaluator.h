// A linear evaluation: the logit of a value is the sum of one weight for each tuple (tuples.h), kept up to date by the
// few fluents a move changes. A sure loss is below, a sure win above every value (Kuhlmann's thesis, section 4.4).
#pragma once

#include "evaluate/evaluator.h"
#include "evaluate/linear/model.h"
#include "ground/program.h"

namespace stratagem::evaluate::linear {

class LinearEvaluator final : public Evaluator {
  public:
    LinearEvaluator(std::shared_ptr<const ground::Program> program, Model model);

    double value(const machine::State& state, machine::Role role) const override;
    // The tuples that carry the value, in logits.
    Explanation explain(const machine::State& state, machine::Role role) const override;
    std::unique_ptr<Evaluation> start() const override;

    const Model& model() const { return model_; }

  private:
    class Work;
    double value_of(std::int32_t sum, int sign, machine::Role role) const;

    std::shared_ptr<const ground::Program> program_;
    Model model_;
    std::vector<std::vector<std::int32_t>> fluents_;  // by view, then fluent and seat
    std::vector<std::vector<Model::Part>> parts_;     // by view, then role
};

}  // namespace stratagem::evaluate::linear
