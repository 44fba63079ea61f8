#include "lab/feature_statistics.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "evaluate/neural/neural.h"
#include "evaluate/registry.h"
#include "lab/paper_figures.h"
#include "util/contract.h"

namespace stratagem::lab {

namespace {

double seconds_since(Deadline::Clock::time_point begin) {
    return std::chrono::duration<double>(Deadline::Clock::now() - begin).count();
}

}  // namespace

bool has_networks(const player::Recipe& recipe) {
    return recipe.entry() != nullptr && recipe.entry()->evaluator == evaluate::neural_entry.name;
}

std::optional<FeatureFindings> find_features(const std::shared_ptr<const machine::Game>& game,
                                             const player::Recipe& recipe, const FeatureSearch& search,
                                             std::string& why) {
    STRATAGEM_EXPECTS(has_networks(recipe));
    const auto begin = Deadline::Clock::now();
    evaluate::Material material = evaluate::make_material(game, search.seconds, search.abort, search.seed);
    FeatureFindings result;
    result.analysis_seconds = seconds_since(begin);
    std::string said;
    material.log = [&](const std::string& line) { said = line; };
    const std::shared_ptr<const evaluate::neural::NeuralEvaluator> networks =
        evaluate::make_neural(material, OptionValues(evaluate::neural_entry.options, recipe.options_for_evaluator()));
    result.seconds = seconds_since(begin);
    if (networks == nullptr) {
        why = said.substr(said.find(' ') + 1);  // without the name of the evaluator
        return std::nullopt;
    }
    result.counts = networks->feature_counts();
    result.neurons = networks->goals().network().size();
    result.complete_analysis =
        material.analysis != nullptr && std::ranges::all_of(material.analysis->stages(), &analysis::Stage::complete);
    return result;
}

void FeatureTotals::add(const FeatureFindings& one) {
    ++games_;
    if (!one.complete_analysis) ++incomplete_;
    for (std::size_t i = 0; i < found_.size(); ++i) {
        const evaluate::feature::FeatureCounts::Count& count = one.counts.of(Feature(i));
        found_[i] += count.found;
        if (count.found > 0) ++games_with_[i];
        if (count.found > 0 || !count.skipped.empty()) ++games_seen_[i];
        for (const auto& skipped : count.skipped) skipped_[i][std::string(skipped.why)] += skipped.count;
    }
    seconds_.add(one.seconds);
    analysis_seconds_.add(one.analysis_seconds);
}

double FeatureTotals::types_per_game() const {
    const auto end = games_with_.begin() + thesis_features.size();
    const auto sum = std::accumulate(games_with_.begin(), end, std::size_t{0});
    return games_ == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(games_);
}

double FeatureTotals::features_per_game() const {
    const auto sum = std::accumulate(found_.begin(), found_.begin() + thesis_features.size(), std::size_t{0});
    return games_ == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(games_);
}

}  // namespace stratagem::lab
