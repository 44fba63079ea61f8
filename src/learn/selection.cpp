#include "learn/selection.h"

#include <algorithm>
#include <cmath>

#include "evaluate/feature_tree/fluent_sums.h"
#include "learn/t_test.h"
#include "util/contract.h"

namespace stratagem::learn {

namespace {

using evaluate::feature_tree::Prepared;
using evaluate::feature_tree::Sums;
using evaluate::feature_tree::TreeModel;
using evaluate::feature_tree::whole_weight;
using machine::Role;

// What a weight of 1 for the first role adds up to, in whole numbers, and what it is on average.
struct Opinion {
    std::vector<std::int64_t> weights;  // by fluent
    std::int64_t even = 0;

    void add(const Sums& sums, std::size_t feature, double weight, double mean) {  // of the feature
        for (const Sums::Part& part : sums.of(feature)) {
            weights[ground::index(part.fluent)] += whole_weight(weight * part.times);
        }
        even += whole_weight(weight * mean);
    }
    Opinion turned(int sign) const {
        Opinion result = *this;
        if (sign > 0) return result;
        for (std::int64_t& weight : result.weights) weight = -weight;
        result.even = -even;
        return result;
    }
    DepthPlayer player() const { return {weights, even}; }
};

class Selector {
  public:
    Selector(const machine::Game& game, Prepared& prepared, const SelectionSettings& settings,
             const machine::Stop& stop, const std::function<void(const SelectionProgress&)>& progress)
        : prepared_(prepared),
          sums_(*prepared.sums),
          settings_(settings),
          stop_(stop),
          progress_(progress),
          table_(game, settings.match),
          spread_(evaluate::feature_tree::spread_of(sums_, prepared.outcomes)) {
        result_.weights.assign(sums_.features(), 0);
    }

    Selection run() {
        result_.complete = play_rounds();
        for (std::size_t i = 0; i < result_.weights.size(); ++i) result_.weights[i] = scaled(i, result_.weights[i]);
        return std::move(result_);
    }

  private:
    // False: no time.
    bool play_rounds() {
        double size = 1;
        for (std::size_t round = 0; round < settings_.rounds; ++round, size *= settings_.discount) {
            candidates_.clear();
            for (std::size_t i = 0; i < sums_.features(); ++i) {
                if (prepared_.variation->varies(i) && result_.weights[i] == 0) candidates_.push_back(i);
            }
            if (candidates_.empty()) break;
            if (!play_round(round, size)) return false;
            if (!result_.rounds.back().accepted) break;
        }
        return true;
    }

    double scaled(std::size_t feature, double weight) const {
        if (!settings_.even_spread || spread_.deviation[feature] <= 0) return weight;
        return weight / spread_.deviation[feature];
    }

    void add(Opinion& opinion, std::size_t feature, double weight) const {
        if (weight != 0) opinion.add(sums_, feature, scaled(feature, weight), spread_.mean[feature]);
    }

    // False: no time.
    bool play_round(std::size_t round, double size) {
        SelectionRound now;
        now.candidates = candidates_.size();
        const std::size_t varying = prepared_.variation->count();
        // By candidate, then trial.
        std::vector<std::vector<double>> differences(candidates_.size());
        machine::Random random(settings_.seed, round);
        for (std::size_t trial = 0; trial < settings_.trials; ++trial) {
            if (progress_) progress_({round + 1, trial, settings_.trials, now.matches});
            if (!play_trial(round, trial, size, draw_weights(size, random), differences, now.matches)) return false;
        }
        now.brought_back = prepared_.variation->count() - varying;
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            double mean = 0;
            for (const double one : differences[i]) mean += one / static_cast<double>(settings_.trials);
            const double p = paired_t_test(differences[i]);
            now.below += p < settings_.significance ? 1U : 0U;
            const bool is_better = std::abs(mean) > std::abs(now.effect) + 1e-9 ||
                                   (std::abs(std::abs(mean) - std::abs(now.effect)) <= 1e-9 && p < now.p);
            if (i > 0 && !is_better) continue;
            now.feature = candidates_[i];
            now.effect = mean;
            now.p = p;
        }
        now.corrected = std::min(1.0, now.p * static_cast<double>(candidates_.size()));
        now.accepted = (settings_.corrected ? now.corrected : now.p) < settings_.significance;
        if (now.accepted) result_.weights[now.feature] = std::copysign(size, now.effect);
        result_.rounds.push_back(now);
        return true;
    }

    // Of all features; those that were chosen keep theirs.
    std::vector<double> draw_weights(double size, machine::Random& random) const {
        constexpr std::uint32_t fine = 1'000'000;
        std::vector<double> weights = result_.weights;
        const auto likely = static_cast<std::uint32_t>(std::lround(settings_.others * fine));
        for (const std::size_t feature : candidates_) {
            const bool has_weight = random.below(fine) < likely;
            const double sign = random.below(2) == 0 ? -1 : 1;
            weights[feature] = has_weight ? sign * size : 0;
        }
        return weights;
    }

    bool play_trial(std::size_t round, std::size_t trial, double size, const std::vector<double>& weights,
                    std::vector<std::vector<double>>& differences, std::size_t& matches) {
        Opinion all;
        all.weights.assign(sums_.fluents(), 0);
        for (std::size_t i = 0; i < weights.size(); ++i) add(all, i, weights[i]);
        const Role role{static_cast<std::uint32_t>(trial % 2)};
        const int sign = trial % 2 == 0 ? 1 : -1;
        const std::uint64_t seed = settings_.seed + 1'000'003 * (round * settings_.trials + trial + 1);
        const auto see = [&](const machine::State& state) { prepared_.variation->see(state); };
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            const std::size_t pivot = candidates_[i];
            Opinion without = all;
            add(without, pivot, -weights[pivot]);
            const Opinion theirs = without.turned(-sign);
            double difference = 0;
            for (const double tried : {-1.0, 1.0}) {
                Opinion with = without;
                add(with, pivot, tried * size);
                const Opinion ours = with.turned(sign);
                const std::optional<double> points =
                    table_.play(ours.player(), theirs.player(), role, seed, stop_, see);
                if (stop_.now()) return false;
                difference += tried * points.value_or(50);
                ++matches;
            }
            differences[i].push_back(difference);
        }
        return true;
    }

    Prepared& prepared_;
    const Sums& sums_;
    const SelectionSettings& settings_;
    const machine::Stop& stop_;
    const std::function<void(const SelectionProgress&)>& progress_;
    DepthTable table_;
    evaluate::feature_tree::Spread spread_;
    std::vector<std::size_t> candidates_;
    Selection result_;
};

}  // namespace

Selection select_features(const machine::Game& game, Prepared& prepared, const SelectionSettings& settings,
                          const machine::Stop& stop, const std::function<void(const SelectionProgress&)>& progress) {
    STRATAGEM_EXPECTS(settings.trials > 0 && game.roles().size() == 2);
    return Selector(game, prepared, settings, stop, progress).run();
}

TreeModel model_of(const Prepared& prepared, const std::vector<double>& weights, const ground::Program& program) {
    STRATAGEM_EXPECTS(weights.size() == prepared.sums->features() && program.roles.size() == 2);
    const std::vector<double> by_fluent = prepared.sums->collapse(weights);
    double states = 0, mean = 0, squares = 0;
    for (const auto& game : prepared.outcomes.games) {
        for (const machine::State& state : game.states) {
            double sum = 0;
            state.for_each([&](machine::Fluent fluent) { sum += by_fluent[ground::index(fluent)]; });
            ++states;
            const double before = sum - mean;
            mean += before / states;
            squares += before * (sum - mean);
        }
    }
    const double deviation = states > 1 ? std::sqrt(squares / states) : 0;
    TreeModel model{prepared.tree, {}};
    for (std::uint32_t role = 0; role < 2; ++role) {
        TreeModel::Seat seat;
        int least = 100, most = 0;
        for (const ground::GoalEntry& goal : program.goals) {
            if (goal.role != Role{role}) continue;
            least = std::min(least, goal.value);
            most = std::max(most, goal.value);
        }
        seat.least = std::min(least, most);
        seat.most = std::max(least, most);
        seat.scale = deviation > 0 ? 1 / deviation : 1;
        seat.bias = (role == 0 ? -1 : 1) * seat.scale * mean;
        for (const double weight : weights) seat.weights.push_back(role == 0 || weight == 0 ? weight : -weight);
        model.seats.push_back(std::move(seat));
    }
    return model;
}

}  // namespace stratagem::learn
