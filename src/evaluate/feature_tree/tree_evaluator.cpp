#include "evaluate/feature_tree/tree_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "evaluate/feature_tree/fluent_sums.h"
#include "gdl/print.h"
#include "util/contract.h"

namespace stratagem::evaluate::feature_tree {

namespace {

class TreeWork final : public Evaluation {
  public:
    explicit TreeWork(const TreeEvaluator& evaluator)
        : evaluator_(evaluator), sums_(evaluator.weights(), evaluator.model().seats.size()) {}

    double value(const machine::State& state, machine::Role role) override {
        return evaluator_.value_of(sums_.move_to(state)[ground::index(role)], role);
    }

  private:
    const TreeEvaluator& evaluator_;
    FluentSums sums_;
};

}  // namespace

TreeEvaluator::TreeEvaluator(TreeModel model, const Literals& literals)
    : program_(literals.shared_program()), model_(std::move(model)), sums_(model_.tree, literals) {
    const std::size_t roles = model_.seats.size();
    STRATAGEM_EXPECTS(roles == program_->roles.size());
    weights_.assign(literals.size() * roles, 0);
    for (std::size_t role = 0; role < roles; ++role) {
        const TreeModel::Seat& seat = model_.seats[role];
        if (seat.weights.empty()) continue;
        const std::vector<double> by_fluent = sums_.collapse(seat.weights);
        for (std::size_t i = 0; i < by_fluent.size(); ++i) {
            weights_[i * roles + role] = whole_weight(seat.scale * by_fluent[i]);
        }
    }
}

double TreeEvaluator::value_of(std::int64_t sum, machine::Role role) const {
    const TreeModel::Seat& seat = model_.seats[ground::index(role)];
    const double logit = seat.bias + static_cast<double>(sum) / weight_unit;
    // Off the ends: those are for what is sure.
    const double share = 0.01 + 0.98 / (1 + std::exp(-logit));
    return std::clamp(seat.least + (seat.most - seat.least) * share, 0.0, 100.0);
}

double TreeEvaluator::value(const machine::State& state, machine::Role role) const {
    return TreeWork(*this).value(state, role);
}

std::unique_ptr<Evaluation> TreeEvaluator::start() const { return std::make_unique<TreeWork>(*this); }

Explanation TreeEvaluator::explain(const machine::State& state, machine::Role role) const {
    constexpr std::size_t most_parts = 8;
    const TreeModel::Seat& seat = model_.seats[ground::index(role)];
    Explanation result{gdl::to_kif(program_->terms, program_->roles[ground::index(role)]), value(state, role), {}};
    for (std::size_t i = 0; i < seat.weights.size(); ++i) {
        const std::int64_t value = seat.weights[i] == 0 ? 0 : sums_.value(i, state);
        if (value == 0) continue;
        result.parts.push_back({fmt::format("{} is {}", model_.tree.name(model_.tree.features()[i]), value),
                                seat.scale * seat.weights[i] * static_cast<double>(value),
                                {}});
    }
    std::ranges::stable_sort(result.parts, std::greater{},
                             [](const Explanation& part) { return std::abs(part.value); });
    if (result.parts.size() > most_parts) result.parts.resize(most_parts);
    if (seat.bias != 0) result.parts.push_back({"always", seat.bias, {}});
    return result;
}

}  // namespace stratagem::evaluate::feature_tree
