#include "evaluate/linear/linear_evaluator.h"

#include <fmt/format.h>

#include <algorithm>

#include "evaluate/linear/follow.h"
#include "gdl/print.h"

namespace stratagem::evaluate::linear {

namespace {

class Work final : public Evaluation {
  public:
    explicit Work(const LinearEvaluator& evaluator)
        : evaluator_(evaluator), follower_(*evaluator.model().tuples), sums_(evaluator.model().sums(), 0) {
        const Tuples& tuples = *evaluator.model().tuples;
        for (std::size_t tuple = 0; tuple < tuples.size(); ++tuple) add(tuples.weight(tuple, 0), 1);
    }

    double value(const machine::State& state, machine::Role role) override {
        follower_.move_to(
            state, [&](std::uint32_t weight) { add(weight, -1); }, [&](std::uint32_t weight) { add(weight, 1); });
        return evaluator_.value_of(sums_.empty() ? 0 : sums_[sum_of(role)], role);
    }
    std::size_t sum_of(machine::Role role) const {
        const Seats& seats = evaluator_.model().seats;
        return follower_.phase() * seats.count() + seats.seat_of(role);
    }
    std::span<const std::uint32_t> contents() const { return follower_.contents(); }

  private:
    void add(std::uint32_t weight, int sign) {
        const std::size_t count = sums_.size();
        const std::int32_t* from = evaluator_.model().weights.data() + weight * count;
        for (std::size_t i = 0; i < count; ++i) sums_[i] += std::int64_t{sign} * from[i];
    }

    const LinearEvaluator& evaluator_;
    Follower follower_;
    std::vector<std::int64_t> sums_;  // by phase, then seat
};

}  // namespace

double LinearEvaluator::value_of(std::int64_t sum, machine::Role role) const {
    if (!model_.seats.plays(role)) return 50;
    const double share = logistic(model_.seats.sign(role) * model_.logit(sum));
    const double low = model_.seats.goal(role, 0), high = model_.seats.goal(role, 1);
    // Off the ends: those are for what is sure.
    return std::clamp(low + (high - low) * (0.01 + 0.98 * share), 0.0, 100.0);
}

double LinearEvaluator::value(const machine::State& state, machine::Role role) const {
    return Work(*this).value(state, role);
}

std::unique_ptr<Evaluation> LinearEvaluator::start() const { return std::make_unique<Work>(*this); }

Explanation LinearEvaluator::explain(const machine::State& state, machine::Role role) const {
    constexpr std::size_t most_parts = 8;
    const Tuples& tuples = *model_.tuples;
    Work work(*this);
    Explanation result{gdl::to_kif(program_->terms, program_->roles[ground::index(role)]), work.value(state, role), {}};
    if (!model_.seats.plays(role)) return result;
    const std::size_t sums = model_.sums();
    const std::size_t sum = work.sum_of(role);
    for (std::size_t tuple = 0; tuple < tuples.size(); ++tuple) {
        const std::uint32_t content = work.contents()[tuple];
        const std::uint32_t weight = tuples.weight(tuple, content);
        const double pull = model_.seats.sign(role) * model_.logit(model_.weights[weight * sums + sum]);
        if (pull == 0) continue;
        std::string text;
        const std::vector<std::uint32_t> digits = tuples.digits(tuple, content);
        for (std::size_t i = 0; i < digits.size(); ++i) {
            const std::vector<machine::Fluent>& cell = tuples.cells().fluents(tuples.pattern(tuple)[i]);
            const bool holds = digits[i] > 0 && digits[i] <= cell.size();
            const machine::Fluent fluent = holds ? cell[digits[i] - 1] : cell.front();
            const std::string name = gdl::to_kif(program_->terms, program_->fluents[ground::index(fluent)]);
            if (!text.empty()) text += ", ";
            text += holds ? name : fmt::format("nothing of {}{}", name, cell.size() > 1 ? " …" : "");
        }
        result.parts.push_back({std::move(text), pull, {}});
    }
    std::ranges::stable_sort(result.parts, std::greater{},
                             [](const Explanation& part) { return std::abs(part.value); });
    if (result.parts.size() > most_parts) result.parts.resize(most_parts);
    return result;
}

}  // namespace stratagem::evaluate::linear
