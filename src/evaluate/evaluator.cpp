#include "evaluate/evaluator.h"

namespace stratagem::evaluate {

namespace {

// Of evaluators that remember nothing.
class PlainEvaluation final : public Evaluation {
  public:
    explicit PlainEvaluation(const Evaluator& evaluator) : evaluator_(evaluator) {}
    double value(const machine::State& state, machine::Role role) override { return evaluator_.value(state, role); }

  private:
    const Evaluator& evaluator_;
};

}  // namespace

std::unique_ptr<Evaluation> Evaluator::start() const { return std::make_unique<PlainEvaluation>(*this); }

}  // namespace stratagem::evaluate
