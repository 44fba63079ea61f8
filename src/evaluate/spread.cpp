#include "evaluate/spread.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "evaluate/feature/random_games.h"
#include "util/contract.h"

namespace stratagem::evaluate {

namespace {

constexpr std::size_t most_knots = 64;  // between two fixed values
constexpr double by_rank = 0.9;         // the rest in proportion, so that it rises everywhere

}  // namespace

Spread::Spread(std::vector<double> sample, std::span<const double> fixed) {
    STRATAGEM_EXPECTS(!fixed.empty() && fixed.front() == 0 && fixed.back() == 100 && std::ranges::is_sorted(fixed));
    std::ranges::sort(sample);
    STRATAGEM_EXPECTS(sample.empty() || (sample.front() >= 0 && sample.back() <= 100));
    sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
    for (std::size_t i = 0; i + 1 < fixed.size(); ++i) {
        const double low = fixed[i], high = fixed[i + 1];
        knots_.push_back({low, low});
        const auto begin = std::ranges::upper_bound(sample, low);
        const auto end = std::lower_bound(begin, sample.end(), high);
        const auto count = static_cast<std::size_t>(end - begin);
        const std::size_t knots = std::min(count, most_knots);
        for (std::size_t k = 0; k < knots; ++k) {
            // The first and the last of the sample among them.
            const std::size_t place = knots == 1 ? 0 : k * (count - 1) / (knots - 1);
            const double from = begin[static_cast<std::ptrdiff_t>(place)];
            const double rank = static_cast<double>(k + 1) / static_cast<double>(knots + 1);
            const double part = by_rank * rank + (1 - by_rank) * (from - low) / (high - low);
            knots_.push_back({from, low + (high - low) * part});
        }
    }
    knots_.push_back({fixed.back(), fixed.back()});
}

double Spread::operator()(double value) const {
    const auto above = std::ranges::upper_bound(knots_, value, {}, &Knot::from);
    if (above == knots_.begin()) return knots_.front().to;
    if (above == knots_.end()) return knots_.back().to;
    const Knot& low = *(above - 1);
    return low.to + (value - low.from) * ((above->to - low.to) / (above->from - low.from));
}

namespace {

class SpreadEvaluation final : public Evaluation {
  public:
    SpreadEvaluation(std::unique_ptr<Evaluation> inner, const std::vector<Spread>& spreads)
        : inner_(std::move(inner)), spreads_(spreads) {}

    double value(const machine::State& state, machine::Role role) override {
        return spreads_[ground::index(role)](inner_->value(state, role));
    }
    void begin_at(const machine::State& state) override { inner_->begin_at(state); }

  private:
    std::unique_ptr<Evaluation> inner_;
    const std::vector<Spread>& spreads_;
};

class SpreadEvaluator final : public Evaluator {
  public:
    SpreadEvaluator(std::shared_ptr<const Evaluator> inner, std::vector<Spread> spreads)
        : inner_(std::move(inner)), spreads_(std::move(spreads)) {}

    double value(const machine::State& state, machine::Role role) const override {
        return spreads_[ground::index(role)](inner_->value(state, role));
    }
    // In the numbers of the evaluator itself: those say something.
    Explanation explain(const machine::State& state, machine::Role role) const override {
        return inner_->explain(state, role);
    }
    std::unique_ptr<Evaluation> start() const override {
        return std::make_unique<SpreadEvaluation>(inner_->start(), spreads_);
    }

  private:
    std::shared_ptr<const Evaluator> inner_;
    std::vector<Spread> spreads_;  // by role
};

bool lost_by_rounding(const std::vector<double>& sample, double step) {
    const std::set<double> values(sample.begin(), sample.end());
    std::set<double> rounded;
    for (const double value : values) rounded.insert(std::floor(value / step));
    return static_cast<double>(rounded.size()) < 0.95 * static_cast<double>(values.size());
}

}  // namespace

std::shared_ptr<const Evaluator> spread_out(std::shared_ptr<const Evaluator> evaluator,
                                            const std::shared_ptr<const machine::Circuit>& circuit, double step,
                                            const machine::Stop& stop) {
    constexpr std::size_t games = 50, most_states = 1500;
    const std::size_t roles = circuit->program().roles.size();
    std::vector<std::vector<double>> samples(roles);
    machine::CircuitMachine machine(circuit);
    machine::Random random(3);
    const std::unique_ptr<Evaluation> opinions = evaluator->start();
    const auto see = [&](machine::CircuitMachine& at) {
        for (std::uint32_t role = 0; role < roles; ++role) {
            samples[role].push_back(opinions->value(at.current(), machine::Role{role}));
        }
    };
    for (std::size_t game = 0; game < games && roles > 0 && samples[0].size() < most_states; ++game) {
        if (!feature::play_random_game(machine, nullptr, random, stop, see, [](const std::vector<int>&) {})) break;
    }
    if (std::ranges::none_of(samples, [&](const auto& sample) { return lost_by_rounding(sample, step); })) {
        return evaluator;
    }
    std::vector<Spread> spreads;
    for (std::uint32_t role = 0; role < roles; ++role) {
        std::set<double> fixed{0, 100};
        for (const ground::GoalEntry& goal : circuit->program().goals) {
            if (goal.role == machine::Role{role} && goal.value > 0 && goal.value < 100) fixed.insert(goal.value);
        }
        spreads.emplace_back(std::move(samples[role]), std::vector<double>(fixed.begin(), fixed.end()));
    }
    return std::make_shared<const SpreadEvaluator>(std::move(evaluator), std::move(spreads));
}

}  // namespace stratagem::evaluate
