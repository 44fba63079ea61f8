// What a state is worth to a role, worked out from the rules. One of the five nouns of the house.
//
// Evaluators know nothing of search, and search knows nothing of how a value comes about.
#pragma once

#include <string>

#include "machine/state.h"

namespace stratagem::evaluate {

class Evaluator {
  public:
    virtual ~Evaluator() = default;

    // In [0, 100], higher is better for the role. May be asked in any state that is not terminal, by several threads
    // at once.
    virtual double value(const machine::State& state, machine::Role role) const = 0;
    // Why, for people.
    virtual std::string explain(const machine::State& state, machine::Role role) const = 0;
};

// Knows nothing: every state is worth the same. What blind search uses.
class ConstantEvaluator final : public Evaluator {
  public:
    explicit ConstantEvaluator(double value = 50) : value_(value) {}

    double value(const machine::State&, machine::Role) const override { return value_; }
    std::string explain(const machine::State&, machine::Role) const override { return "every state is worth the same"; }

  private:
    double value_;
};

}  // namespace stratagem::evaluate
