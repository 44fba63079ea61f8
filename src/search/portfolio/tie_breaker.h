// The same opinions, told apart where they are equal: several who search by the same heuristic then see different moves
// first among equals, and explore different parts of the tree.
#pragma once

#include <algorithm>
#include <memory>

#include "evaluate/evaluator.h"

namespace stratagem::search {

class TieBreaker final : public evaluate::Evaluator {
  public:
    TieBreaker(std::shared_ptr<const evaluate::Evaluator> evaluator, std::uint64_t seed)
        : evaluator_(std::move(evaluator)), seed_(seed) {}

    double value(const machine::State& state, machine::Role role) const override {
        return shifted(evaluator_->value(state, role), state);
    }
    evaluate::Explanation explain(const machine::State& state, machine::Role role) const override {
        return evaluator_->explain(state, role);
    }
    std::unique_ptr<evaluate::Evaluation> start() const override {
        return std::make_unique<Work>(*this, evaluator_->start());
    }

  private:
    class Work final : public evaluate::Evaluation {
      public:
        Work(const TieBreaker& breaker, std::unique_ptr<evaluate::Evaluation> work)
            : breaker_(breaker), work_(std::move(work)) {}
        double value(const machine::State& state, machine::Role role) override {
            return breaker_.shifted(work_->value(state, role), state);
        }
        void begin_at(const machine::State& state) override { work_->begin_at(state); }

      private:
        const TieBreaker& breaker_;
        std::unique_ptr<evaluate::Evaluation> work_;
    };

    // By less than what heuristics tell apart, and more than what scores round away.
    double shifted(double value, const machine::State& state) const {
        constexpr double most = 0.01;
        std::uint64_t mixed = (state.hash() ^ seed_ * 0x9E3779B97F4A7C15ULL) * 0xBF58476D1CE4E5B9ULL;
        mixed ^= mixed >> 31;
        return std::clamp(value + most * static_cast<double>(mixed >> 40) / static_cast<double>(1ULL << 24), 0.0,
                          100.0);
    }

    std::shared_ptr<const evaluate::Evaluator> evaluator_;
    std::uint64_t seed_;
};

}  // namespace stratagem::search
