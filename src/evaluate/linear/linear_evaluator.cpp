#include "evaluate/linear/linear_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "evaluate/linear/follow.h"
#include "gdl/print.h"

namespace stratagem::evaluate::linear {

namespace {

// The logistic function from a table, between whose entries it is taken as straight: a call of exp costs as much as all
// the rest for single cells.
class LogisticTable {
  public:
    LogisticTable() {
        for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = logistic(static_cast<double>(i) / steps);
    }
    double operator()(double logit) const {
        const double at = std::min(std::abs(logit) * steps, double{most - 1});
        const auto place = static_cast<std::size_t>(at);
        const double value = values_[place] + (at - static_cast<double>(place)) * (values_[place + 1] - values_[place]);
        return logit < 0 ? 1 - value : value;
    }

  private:
    static constexpr int steps = 32, most = 20 * steps;
    std::array<double, most + 1> values_{};
};

const LogisticTable& logistic_table() {
    static const LogisticTable table;
    return table;
}

}  // namespace

class LinearEvaluator::Work final : public Evaluation {
  public:
    explicit Work(const LinearEvaluator& evaluator) : evaluator_(evaluator), followers_(evaluator.fluents_.size()) {}

    double value(const machine::State& state, machine::Role role) override {
        const std::size_t view = view_of(state);
        const Model::Part part = evaluator_.parts_[view][ground::index(role)];
        if (part.sign == 0) return 50;
        return evaluator_.value_of(at(view, state).sum(part.seat), part.sign, role);
    }
    std::size_t view_of(const machine::State& state) const { return evaluator_.model_.tuples->phase(state.words()); }

    using Sums = Follower<std::int16_t, std::int32_t>;
    // There is one for each view, made when it is first looked at.
    const Sums& at(std::size_t view, const machine::State& state) {
        std::unique_ptr<Sums>& follower = followers_[view];
        if (follower == nullptr) {
            const Model& model = evaluator_.model_;
            follower = std::make_unique<Sums>(*model.tuples, view, model.block(view), evaluator_.fluents_[view].data(),
                                              model.seats.count());
        }
        follower->move_to(state);
        return *follower;
    }

  private:
    const LinearEvaluator& evaluator_;
    std::vector<std::unique_ptr<Sums>> followers_;  // by view
};

LinearEvaluator::LinearEvaluator(std::shared_ptr<const ground::Program> program, Model model)
    : program_(std::move(program)),
      model_(std::move(model)),
      fluents_(weights_of_fluents<std::int32_t>(*model_.tuples, model_.seats.count(), model_.weights.data())) {
    for (std::size_t view = 0; view < fluents_.size(); ++view) {
        std::vector<Model::Part>& parts = parts_.emplace_back();
        for (std::uint32_t role = 0; role < program_->roles.size(); ++role) {
            parts.push_back(model_.part(view, machine::Role{role}));
        }
    }
}

double LinearEvaluator::value_of(std::int32_t sum, int sign, machine::Role role) const {
    const double share = logistic_table()(sign * model_.logit(sum));
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
    const std::size_t view = work.view_of(state);
    const Model::Part part = model_.part(view, role);
    if (part.sign == 0) return result;
    const auto add = [&](std::string text, std::uint32_t entry) {
        const int weight = model_.block(view)[entry * model_.seats.count() + part.seat];
        if (weight != 0) result.parts.push_back({std::move(text), part.sign * model_.logit(weight), {}});
    };
    const auto name = [&](machine::Fluent fluent) {
        return gdl::to_kif(program_->terms, program_->fluents[ground::index(fluent)]);
    };
    state.for_each([&](machine::Fluent fluent) { add(name(fluent), tuples.entry_of(view, fluent)); });
    const std::span<const std::uint32_t> entries = work.at(view, state).entries();
    for (std::size_t look = 0; look < entries.size(); ++look) {
        std::string text;
        for (const Tuples::Sight& sight : tuples.sights(view, look, entries[look])) {
            const bool several = tuples.cells().fluents(tuples.cells().cell_of(sight.fluent)).size() > 1;
            if (!text.empty()) text += ", ";
            text += sight.holds ? name(sight.fluent)
                                : fmt::format("nothing of {}{}", name(sight.fluent), several ? " …" : "");
        }
        add(std::move(text), entries[look]);
    }
    std::ranges::stable_sort(result.parts, std::greater{}, [](const Explanation& one) { return std::abs(one.value); });
    if (result.parts.size() > most_parts) result.parts.resize(most_parts);
    return result;
}

}  // namespace stratagem::evaluate::linear
