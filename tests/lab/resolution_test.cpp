// What networks tell apart after the first move, as the papers measured it.
#include "lab/resolution.h"

#include <gtest/gtest.h>

#include <cmath>

#include "machine/machine_games.h"

namespace stratagem::lab {
namespace {

constexpr std::size_t cilp = 0, local = 1, soft = 2;

std::optional<Resolution> measured(const gdl::Description& description, const ResolutionSettings& settings = {}) {
    const machine::GdlGame game(description);
    std::string why;
    std::optional<Resolution> result = measure_resolution(game, settings, why);
    EXPECT_EQ(result.has_value(), why.empty());
    return result;
}

// The example of the thesis: 1.0 sees all first moves equal, 1.1 four kinds of columns, 4e-12 apart.
TEST(Resolution, OfTheFirstMovesOfConnectFour) {
    const auto found = measured(machine::testing::bundled("connect_four_8x6"));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->goal, 100);
    EXPECT_FALSE(found->trivial);
    EXPECT_EQ(found->states, 8u);
    EXPECT_TRUE(found->all_states);
    EXPECT_EQ(found->by[cilp].distinct, 1u);
    EXPECT_LT(found->by[cilp].interval(), least_difference);
    EXPECT_EQ(found->by[local].distinct, 4u);
    EXPECT_GT(found->by[local].interval(), 1e-12);
    EXPECT_LT(found->by[local].interval(), 1e-10);
    EXPECT_EQ(found->by[soft].distinct, 4u);
    EXPECT_GT(found->by[soft].interval(), 1e-4);
}

// Two switches, one of which both roles can reach in two ways; a fluent decides.
const std::string one_fluent = R"(
    (role a) (role b) (init start)
    (legal a left) (legal a right) (legal b left) (legal b right)
    (<= (next won) (does a left) (does b left))
    (<= terminal (true won))
    (<= (goal a 90) (true won)) (<= (goal a 10) (not (true won)))
    (goal b 0)
)";

TEST(Resolution, CountsStatesOnceAndTakesTheGreatestGoal) {
    const auto found = measured(machine::testing::described(one_fluent));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->role, "a");
    EXPECT_EQ(found->goal, 90);
    EXPECT_TRUE(found->trivial);
    EXPECT_EQ(found->states, 2u) << "four joint moves, three of which lead to the same state";
    for (const Spread& spread : found->by) {
        EXPECT_EQ(spread.distinct, 2u);
        EXPECT_LT(spread.lowest, 0) << "not won";
        EXPECT_GT(spread.highest, 0) << "won";
    }
}

TEST(Resolution, LooksAtNoMoreStatesThanItMay) {
    ResolutionSettings settings;
    settings.most_states = 3;
    const auto found = measured(machine::testing::bundled("connect_four_8x6"), settings);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->states, 3u);
    EXPECT_FALSE(found->all_states);
}

TEST(Resolution, WithoutTimeSaysSo) {
    const std::atomic<bool> abort{true};
    ResolutionSettings settings;
    settings.abort = &abort;
    EXPECT_FALSE(measured(machine::testing::bundled("connect_four_8x6"), settings));
}

Resolution with_intervals(double first, double second, double third, bool trivial = false) {
    Resolution result;
    result.trivial = trivial;
    const double intervals[] = {first, second, third};
    for (std::size_t i = 0; i < result.by.size(); ++i) {
        result.by[i].highest = intervals[i];
        result.by[i].distinct = intervals[i] > 0 ? 2 : 1;
        result.by[i].seconds = static_cast<double>(i);
    }
    return result;
}

TEST(Resolution, TotalsCompareNeighbours) {
    ResolutionTotals totals;
    totals.add(with_intervals(0, 1e-4, 1e-2));
    totals.add(with_intervals(0.5, 0.25, 0.25 + 1e-16));
    totals.add(with_intervals(0, 0, 0, true));
    EXPECT_EQ(totals.games(), 3u);
    EXPECT_EQ(totals.change(0).larger, 1u);
    EXPECT_EQ(totals.change(0).smaller, 1u);
    EXPECT_EQ(totals.change(0).equal, 1u);
    EXPECT_EQ(totals.change(0).more_values, 1u);
    EXPECT_EQ(totals.change(0).fewer_values, 0u);
    EXPECT_EQ(totals.change(1).larger, 1u);
    EXPECT_EQ(totals.change(1).equal, 2u) << "1e-16 is noise";
    const double none = std::log10(least_interval);
    EXPECT_NEAR(totals.all().of(cilp), (2 * none + std::log10(0.5)) / 3, 1e-12);
    EXPECT_NEAR(totals.nontrivial().of(cilp), (none + std::log10(0.5)) / 2, 1e-12);
    EXPECT_EQ(totals.larger().games, 1u);
    EXPECT_NEAR(totals.larger().of(local), -4, 1e-12);
    EXPECT_EQ(totals.seconds(soft).median(), 2);
}

TEST(Durations, AreOrderStatistics) {
    Durations times;
    EXPECT_EQ(times.median(), 0);
    for (int i = 10; i >= 1; --i) times.add(i);
    EXPECT_EQ(times.median(), 5);
    EXPECT_EQ(times.ninth_decile(), 9);
    EXPECT_EQ(times.worst(), 10);
}

}  // namespace
}  // namespace stratagem::lab
