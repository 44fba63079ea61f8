#include "evaluate/feature_tree/regression.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "machine/random.h"
#include "util/contract.h"

namespace stratagem::evaluate::feature_tree {

namespace {

// Which features a fluent is part of: what a state makes of all features costs its fluents only.
class FeatureUses {
  public:
    FeatureUses(const Sums& sums, const std::vector<bool>& wanted) : first_(sums.fluents() + 1, 0) {
        const auto for_each = [&](auto&& visit) {
            for (std::size_t feature = 0; feature < sums.features(); ++feature) {
                if (!wanted[feature]) continue;
                for (const Sums::Part& part : sums.of(feature)) visit(feature, part);
            }
        };
        for_each([&](std::size_t, const Sums::Part& part) { ++first_[ground::index(part.fluent) + 1]; });
        for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
        uses_.resize(first_.back());
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for_each([&](std::size_t feature, const Sums::Part& part) {
            uses_[next[ground::index(part.fluent)]++] = {static_cast<std::uint32_t>(feature),
                                                         static_cast<float>(part.times)};
        });
    }

    void add(const machine::State& state, std::vector<float>& values) const {
        state.for_each([&](machine::Fluent fluent) {
            const std::size_t i = ground::index(fluent);
            for (std::size_t u = first_[i]; u < first_[i + 1]; ++u) values[uses_[u].first] += uses_[u].second;
        });
    }

  private:
    std::vector<std::size_t> first_;  // use, by fluent
    std::vector<std::pair<std::uint32_t, float>> uses_;
};

// States as rows of the features that count, mean 0 and spread 1 each.
struct OutcomeRows {
    std::vector<std::size_t> features;  // by column
    std::vector<double> mean, deviation;
    std::vector<float> values;   // by row, then column
    std::vector<double> shares;  // by row

    std::size_t rows() const { return shares.size(); }
    const float* row(std::size_t i) const { return values.data() + i * features.size(); }
};

OutcomeRows make_rows(const Sums& sums, const std::vector<bool>& wanted, const Outcomes& outcomes, machine::Role role,
                      double least, double most, const machine::Stop& stop) {
    OutcomeRows rows;
    const Spread spread = spread_of(sums, outcomes, stop);
    std::vector<bool> used(sums.features(), false);
    for (std::size_t i = 0; i < sums.features(); ++i) {
        if (!wanted[i] || spread.deviation[i] <= 0) continue;
        used[i] = true;
        rows.features.push_back(i);
        rows.mean.push_back(spread.mean[i]);
        rows.deviation.push_back(spread.deviation[i]);
    }
    const FeatureUses uses(sums, used);
    std::vector<float> all(sums.features());
    for (const Outcomes::Game& game : outcomes.games) {
        const int goal = game.goals[ground::index(role)];
        if (goal < 0) continue;
        if (stop.now()) break;
        for (const machine::State& state : game.states) {
            std::ranges::fill(all, 0.0F);
            uses.add(state, all);
            for (std::size_t column = 0; column < rows.features.size(); ++column) {
                rows.values.push_back(static_cast<float>(
                    (static_cast<double>(all[rows.features[column]]) - rows.mean[column]) / rows.deviation[column]));
            }
            rows.shares.push_back(std::clamp((goal - least) / (most - least), 0.0, 1.0));
        }
    }
    return rows;
}

}  // namespace

Spread spread_of(const Sums& sums, const Outcomes& outcomes, const machine::Stop& stop) {
    const FeatureUses uses(sums, std::vector<bool>(sums.features(), true));
    Spread result{std::vector<double>(sums.features(), 0), std::vector<double>(sums.features(), 0)};
    std::vector<float> values(sums.features());
    double states = 0;
    for (const Outcomes::Game& game : outcomes.games) {
        if (stop.now()) break;
        for (const machine::State& state : game.states) {
            std::ranges::fill(values, 0.0F);
            uses.add(state, values);
            ++states;
            for (std::size_t i = 0; i < values.size(); ++i) {
                const double before = static_cast<double>(values[i]) - result.mean[i];
                result.mean[i] += before / states;
                result.deviation[i] += before * (static_cast<double>(values[i]) - result.mean[i]);
            }
        }
    }
    for (double& one : result.deviation) one = states > 1 ? std::sqrt(one / states) : 0;
    return result;
}

Regression fit_outcomes(const Sums& sums, const std::vector<bool>& wanted, const Outcomes& outcomes, machine::Role role,
                        double least, double most, const RegressionSettings& settings, const machine::Stop& stop) {
    STRATAGEM_EXPECTS(wanted.size() == sums.features() && least < most);
    Regression result;
    result.weights.assign(sums.features(), 0);
    const OutcomeRows rows = make_rows(sums, wanted, outcomes, role, least, most, stop);
    const std::size_t columns = rows.features.size();
    if (rows.rows() == 0) return result;
    double mean = 0;
    for (const double share : rows.shares) mean += share / static_cast<double>(rows.rows());
    // What is known without features, from the beginning.
    const double usual = std::clamp(mean, 0.001, 0.999);
    double bias = std::log(usual / (1 - usual));
    std::vector<double> weights(columns, 0);
    const auto share_at = [&](std::size_t i) {
        double logit = bias;
        const float* row = rows.row(i);
        for (std::size_t column = 0; column < columns; ++column) {
            logit += weights[column] * static_cast<double>(row[column]);
        }
        return 1 / (1 + std::exp(-logit));
    };
    std::vector<std::uint32_t> order(rows.rows());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    machine::Random random(settings.seed, 2);
    for (std::size_t round = 0; round < settings.rounds && !stop.now(); ++round) {
        for (auto i = static_cast<std::uint32_t>(order.size()); i > 1; --i) {
            std::swap(order[i - 1], order[random.below(i)]);
        }
        const double step = settings.step / static_cast<double>(1 + round);
        for (std::size_t n = 0; n < order.size(); ++n) {
            if (n % 256 == 0 && stop.now()) break;
            const std::size_t i = order[n];
            const double error = rows.shares[i] - share_at(i);
            const float* row = rows.row(i);
            // Shared by what the state has, or is usual if that is more: rare features are far from their mean.
            double size = 1;
            for (std::size_t column = 0; column < columns; ++column) {
                size += static_cast<double>(row[column]) * static_cast<double>(row[column]);
            }
            const double own = step / std::max(size, static_cast<double>(columns + 1));
            bias += own * error;
            for (std::size_t column = 0; column < columns; ++column) {
                weights[column] += own * (error * static_cast<double>(row[column]) - settings.ridge * weights[column]);
            }
        }
    }
    for (std::size_t i = 0; i < rows.rows() && (i % 256 != 0 || !stop.now()); ++i) {
        const double left = rows.shares[i] - share_at(i), all = rows.shares[i] - mean;
        result.error += left * left / static_cast<double>(rows.rows());
        result.spread += all * all / static_cast<double>(rows.rows());
    }
    result.bias = bias;
    for (std::size_t column = 0; column < columns; ++column) {
        result.weights[rows.features[column]] = weights[column] / rows.deviation[column];
        result.bias -= weights[column] * rows.mean[column] / rows.deviation[column];
    }
    return result;
}

}  // namespace stratagem::evaluate::feature_tree
