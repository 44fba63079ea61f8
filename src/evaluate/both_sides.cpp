#include "evaluate/both_sides.h"

#include <fmt/format.h>

#include <algorithm>

#include "util/contract.h"

namespace stratagem::evaluate {

namespace {

struct Opposition {
    std::array<machine::Role, 2> players;
    double sum = 100;

    // By `value(role)`.
    double mean(machine::Role role, auto&& value) const {
        const double own = value(role);
        if (role != players[0] && role != players[1]) return own;
        const double others = value(players[role == players[0] ? 1 : 0]);
        return std::clamp((own + sum - others) / 2, 0.0, 100.0);
    }
};

class BothSidesEvaluation final : public Evaluation {
  public:
    BothSidesEvaluation(std::unique_ptr<Evaluation> inner, const Opposition& opposition)
        : inner_(std::move(inner)), opposition_(opposition) {}

    double value(const machine::State& state, machine::Role role) override {
        return opposition_.mean(role, [&](machine::Role one) { return inner_->value(state, one); });
    }
    void begin_at(const machine::State& state) override { inner_->begin_at(state); }

  private:
    std::unique_ptr<Evaluation> inner_;
    Opposition opposition_;
};

class BothSidesEvaluator final : public Evaluator {
  public:
    BothSidesEvaluator(std::shared_ptr<const Evaluator> inner, const Opposition& opposition)
        : inner_(std::move(inner)), opposition_(opposition) {}

    double value(const machine::State& state, machine::Role role) const override {
        return opposition_.mean(role, [&](machine::Role one) { return inner_->value(state, one); });
    }
    Explanation explain(const machine::State& state, machine::Role role) const override {
        Explanation own = inner_->explain(state, role);
        if (role != opposition_.players[0] && role != opposition_.players[1]) return own;
        Explanation others = inner_->explain(state, opposition_.players[role == opposition_.players[0] ? 1 : 0]);
        return {fmt::format("halfway between this and {:g} less what the other one has", opposition_.sum),
                value(state, role),
                {std::move(own), std::move(others)}};
    }
    bool is_constant() const override { return inner_->is_constant(); }
    std::unique_ptr<Evaluation> start() const override {
        return std::make_unique<BothSidesEvaluation>(inner_->start(), opposition_);
    }

  private:
    std::shared_ptr<const Evaluator> inner_;
    Opposition opposition_;
};

}  // namespace

std::shared_ptr<const Evaluator> both_sides(std::shared_ptr<const Evaluator> evaluator,
                                            std::array<machine::Role, 2> players, double sum) {
    STRATAGEM_EXPECTS(players[0] != players[1]);
    return std::make_shared<BothSidesEvaluator>(std::move(evaluator), Opposition{players, sum});
}

}  // namespace stratagem::evaluate
