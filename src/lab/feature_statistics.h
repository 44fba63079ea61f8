// Which features are found in which games, and what it takes to find them (thesis, table 4.4).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "evaluate/feature/feature_counts.h"
#include "lab/durations.h"
#include "machine/game.h"
#include "player/recipe.h"

namespace stratagem::lab {

using evaluate::feature::Feature;

struct FeatureFindings {
    evaluate::feature::FeatureCounts counts;
    std::size_t neurons = 0;
    double analysis_seconds = 0;
    double seconds = 0;             // all of it: analysis, networks and features
    bool complete_analysis = true;  // otherwise the time was too short for some of it
};

struct FeatureSearch {
    double seconds = 10;  // for everything, as a player has it
    std::uint64_t seed = 1;
    const std::atomic<bool>* abort = nullptr;
};

// Whether the recipe judges states by networks, which is what features belong to.
bool has_networks(const player::Recipe& recipe);

// What the evaluator of the recipe finds. Nothing where it cannot be made; `why` says so. Pre: has_networks(recipe).
std::optional<FeatureFindings> find_features(const std::shared_ptr<const machine::Game>& game,
                                             const player::Recipe& recipe, const FeatureSearch& search,
                                             std::string& why);

class FeatureTotals {
  public:
    void add(const FeatureFindings& one);

    std::size_t games() const { return games_; }
    std::size_t games_with(Feature feature) const { return games_with_[static_cast<std::size_t>(feature)]; }
    // In which it was found, or looked for and not used: conditions it belongs to are there.
    std::size_t games_seen(Feature feature) const { return games_seen_[static_cast<std::size_t>(feature)]; }
    std::size_t found(Feature feature) const { return found_[static_cast<std::size_t>(feature)]; }
    // How often it was looked for and not used, by reason.
    const std::map<std::string, std::size_t>& skipped(Feature feature) const {
        return skipped_[static_cast<std::size_t>(feature)];
    }
    // Of those the thesis counts.
    double types_per_game() const;
    double features_per_game() const;
    std::size_t incomplete_analyses() const { return incomplete_; }
    const Durations& seconds() const { return seconds_; }
    const Durations& analysis_seconds() const { return analysis_seconds_; }

  private:
    std::size_t games_ = 0;
    std::size_t incomplete_ = 0;
    std::array<std::size_t, evaluate::feature::feature_kinds> games_with_{}, games_seen_{}, found_{};
    std::array<std::map<std::string, std::size_t>, evaluate::feature::feature_kinds> skipped_;
    Durations seconds_, analysis_seconds_;
};

}  // namespace stratagem::lab
