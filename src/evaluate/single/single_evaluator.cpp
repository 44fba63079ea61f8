#include "evaluate/single/single_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdl/print.h"
#include "util/contract.h"

namespace stratagem::evaluate::single {

namespace {

// Follows the features that some role goes by, each once.
class SingleWork final : public Evaluation {
  public:
    explicit SingleWork(const SingleEvaluator& evaluator)
        : evaluator_(evaluator), features_(chosen(evaluator, place_)), follower_(features_, fluents(evaluator)) {}

    double value(const machine::State& state, machine::Role role) override {
        return evaluator_.heuristic(role, raw(state, role));
    }
    std::int64_t raw(const machine::State& state, machine::Role role) {
        follower_.move_to(state);
        return follower_.value(place_[ground::index(role)]);
    }

  private:
    static std::size_t fluents(const SingleEvaluator& evaluator) { return evaluator.set().program->fluents.size(); }
    static std::vector<Feature> chosen(const SingleEvaluator& evaluator, std::vector<std::size_t>& place) {
        std::vector<std::size_t> numbers;
        std::vector<Feature> features;
        for (std::uint32_t role = 0; role < evaluator.set().program->roles.size(); ++role) {
            const std::size_t number = evaluator.of(machine::Role{role}).feature;
            const auto known = std::ranges::find(numbers, number);
            place.push_back(static_cast<std::size_t>(known - numbers.begin()));
            if (known != numbers.end()) continue;
            numbers.push_back(number);
            features.push_back(evaluator.set().features[number]);
        }
        return features;
    }

    const SingleEvaluator& evaluator_;
    std::vector<std::size_t> place_;  // by role, in:
    std::vector<Feature> features_;
    Follower follower_;
};

}  // namespace

std::vector<Candidate> FeatureSet::candidates() const {
    std::vector<Candidate> result;
    for (std::size_t i = 0; i < features.size(); ++i) {
        result.push_back({i, true});
        result.push_back({i, false});
    }
    return result;
}

std::string FeatureSet::name(const Candidate& candidate) const {
    return fmt::format("{}:{}", candidate.most ? "max" : "min", features[candidate.feature].name);
}

Candidate FeatureSet::most_promising(machine::Role role, const std::vector<Candidate>& among) const {
    STRATAGEM_EXPECTS(!among.empty());
    const auto rank = [&](const Candidate& one) {
        return (one.most ? 1 : -1) * promise[one.feature][ground::index(role)];
    };
    return *std::ranges::max_element(among, {}, rank);
}

SingleEvaluator::SingleEvaluator(std::shared_ptr<const FeatureSet> set, std::vector<Candidate> by_role,
                                 bool offers_parts)
    : set_(std::move(set)), by_role_(std::move(by_role)), offers_parts_(offers_parts) {
    STRATAGEM_EXPECTS(by_role_.size() == set_->program->roles.size());
}

double SingleEvaluator::heuristic(machine::Role role, std::int64_t value) const {
    const Candidate& candidate = of(role);
    const Feature& feature = set_->features[candidate.feature];
    const auto range = static_cast<double>(feature.high - feature.low);
    const double share = std::clamp(static_cast<double>(value - feature.low) / range, 0.0, 1.0);
    const double least = set_->least_goal[ground::index(role)], most = set_->most_goal[ground::index(role)];
    if (most - least <= 2) return std::clamp((least + most) / 2, 0.0, 100.0);
    return std::clamp(1 + least + (most - least - 2) * (candidate.most ? share : 1 - share), 0.0, 100.0);
}

double SingleEvaluator::value(const machine::State& state, machine::Role role) const {
    return SingleWork(*this).value(state, role);
}

std::unique_ptr<Evaluation> SingleEvaluator::start() const { return std::make_unique<SingleWork>(*this); }

std::vector<Evaluator::Part> SingleEvaluator::parts() const {
    std::vector<Part> result;
    if (!offers_parts_) return result;
    for (const Candidate& candidate : set_->candidates()) {
        result.push_back({set_->name(candidate), std::make_shared<SingleEvaluator>(
                                                     set_, std::vector<Candidate>(by_role_.size(), candidate), false)});
    }
    return result;
}

Explanation SingleEvaluator::explain(const machine::State& state, machine::Role role) const {
    const Candidate& candidate = of(role);
    const Feature& feature = set_->features[candidate.feature];
    SingleWork work(*this);
    const std::int64_t raw = work.raw(state, role);
    Explanation result{
        fmt::format("{} {}, {} of {} to {}", feature.name, candidate.most ? "as large as can be" : "as small as can be",
                    raw, feature.low, feature.high),
        heuristic(role, raw),
        {}};
    constexpr std::size_t most_parts = 12;
    for (const Feature::Share& share : feature.shares) {
        if (share.amount == 0 || !state.holds(share.fluent)) continue;
        const gdl::Term fluent = set_->program->fluents[ground::index(share.fluent)];
        result.parts.push_back({gdl::to_kif(set_->program->terms, fluent), static_cast<double>(share.amount), {}});
    }
    std::ranges::stable_sort(result.parts, std::greater{}, &Explanation::value);
    if (result.parts.size() > most_parts) result.parts.resize(most_parts);
    return result;
}

}  // namespace stratagem::evaluate::single
