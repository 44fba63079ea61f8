// Features by game and in all.
#include "lab/feature_statistics.h"

#include <gtest/gtest.h>

#include "machine/machine_games.h"

namespace stratagem::lab {
namespace {

std::optional<FeatureFindings> found_in(const gdl::Description& description, const std::string& recipe) {
    std::string why;
    return find_features(std::make_shared<const machine::GdlGame>(description), player::Recipe(recipe), {30, 1}, why);
}

TEST(FeatureStatistics, MarksOnABoardStay) {
    const auto found = found_in(machine::testing::bundled("tic_tac_toe"), "nex-1.1p");
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->complete_analysis);
    EXPECT_GE(found->counts.found(Feature::true_persistence), 18u) << "two marks on nine cells";
    EXPECT_EQ(found->counts.found(Feature::fixed_distance), 0u) << "not asked for";
}

TEST(FeatureStatistics, RecipesWithoutFeaturesFindNone) {
    const auto found = found_in(machine::testing::bundled("tic_tac_toe"), "nex-1.1");
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->counts.to_text().empty()) << found->counts.to_text();
    EXPECT_GT(found->neurons, 0u);
}

TEST(FeatureStatistics, KnowsWhoHasNetworks) {
    EXPECT_TRUE(has_networks(player::Recipe("nex-1.1f")));
    EXPECT_FALSE(has_networks(player::Recipe("flux")));
    EXPECT_FALSE(has_networks(player::Recipe("uct")));
}

TEST(FeatureStatistics, TotalsCountGamesAndFeatures) {
    FeatureFindings one, two;
    one.counts.find(Feature::order, 3);
    one.counts.find(Feature::fixed_distance, 2);
    one.counts.skip(Feature::order, "no time", 4);
    two.counts.find(Feature::order, 1);
    two.counts.find(Feature::admissible_distance, 9);
    two.counts.skip(Feature::order, "no time", 1);
    two.complete_analysis = false;
    two.counts.skip(Feature::fixed_distance, "all places");
    FeatureTotals totals;
    totals.add(one);
    totals.add(two);
    totals.add({});
    EXPECT_EQ(totals.games(), 3u);
    EXPECT_EQ(totals.games_with(Feature::order), 2u);
    EXPECT_EQ(totals.games_with(Feature::fixed_distance), 1u);
    EXPECT_EQ(totals.games_seen(Feature::fixed_distance), 2u);
    EXPECT_EQ(totals.games_seen(Feature::depth), 0u);
    EXPECT_EQ(totals.found(Feature::order), 4u);
    EXPECT_EQ(totals.skipped(Feature::order).at("no time"), 5u);
    EXPECT_EQ(totals.incomplete_analyses(), 1u);
    EXPECT_DOUBLE_EQ(totals.types_per_game(), 1.0) << "the thesis has no admissible distance";
    EXPECT_DOUBLE_EQ(totals.features_per_game(), 2.0);
}

}  // namespace
}  // namespace stratagem::lab
