// What a state is worth to a role, worked out from the rules. One of the six nouns of the house.
//
// Evaluators know nothing of search, and search knows nothing of how a value comes about.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "machine/state.h"

namespace stratagem::evaluate {

// Why a state is worth what it is, for people: a tree, the most influential parts first.
struct Explanation {
    std::string text;
    double value = 0;
    std::vector<Explanation> parts;
};

// Asks an evaluator again and again, from one thread: may keep what it knows of the last state, so that a state that
// differs little from it costs little.
class Evaluation {
  public:
    virtual ~Evaluation() = default;

    // As Evaluator::value, and the same number.
    virtual double value(const machine::State& state, machine::Role role) = 0;
    // From now on only this state and what may come after it are asked for: what is settled by now need not be looked
    // at again. May be called again, with any state.
    virtual void begin_at(const machine::State&) {}
};

class Evaluator {
  public:
    virtual ~Evaluator() = default;

    // In [0, 100], higher is better for the role. May be asked in any state that is not terminal, by several threads
    // at once.
    virtual double value(const machine::State& state, machine::Role role) const = 0;
    virtual Explanation explain(const machine::State& state, machine::Role role) const = 0;
    // Every state is worth the same to it: a search may leave out what only serves to compare opinions.
    virtual bool is_constant() const { return false; }
    // Evaluators that this one chooses among, for a search that would rather choose by itself, in every state anew.
    struct Part {
        std::string name;
        std::shared_ptr<const Evaluator> evaluator;
    };
    virtual std::vector<Part> parts() const { return {}; }
    // For many states in a row. Lives no longer than the evaluator.
    virtual std::unique_ptr<Evaluation> start() const;
};

// Knows nothing: every state is worth the same. What blind search uses.
class ConstantEvaluator final : public Evaluator {
  public:
    explicit ConstantEvaluator(double value = 50) : value_(value) {}

    double value(const machine::State&, machine::Role) const override { return value_; }
    Explanation explain(const machine::State&, machine::Role) const override {
        return {"every state is worth the same", value_, {}};
    }
    bool is_constant() const override { return true; }

  private:
    double value_;
};

}  // namespace stratagem::evaluate
