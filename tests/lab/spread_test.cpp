// How many states evaluators tell apart.
#include "lab/spread.h"

#include <gtest/gtest.h>

#include "machine/machine_games.h"

namespace stratagem::lab {
namespace {

ValueSpread measured(const std::string& game, const std::vector<player::Recipe>& recipes, std::size_t positions = 20) {
    std::string why;
    const auto found = measure_spread(std::make_shared<const machine::GdlGame>(machine::testing::bundled(game)),
                                      recipes, {.seconds = 60, .positions = positions}, why);
    EXPECT_TRUE(found) << why;
    return found.value_or(ValueSpread{0, 0, std::vector<ToldApart>(recipes.size())});
}

TEST(Spread, TheNormOfThePaperSeesNothingInEightPuzzle) {
    const ValueSpread found = measured("eight_puzzle", {player::Recipe("flux:fit=paper"), player::Recipe("flux")});
    EXPECT_EQ(found.choices, 20u);
    EXPECT_GT(found.by[0].flat, found.choices / 4);
    EXPECT_GT(found.by[0].at_ends, 0u);
    EXPECT_LT(found.by[1].flat, found.by[0].flat) << "some moves are worth the same by any norm";
    EXPECT_GT(found.by[1].values, found.by[0].values);
    EXPECT_EQ(found.by[1].at_ends, 0u);
}

TEST(Spread, CountsEveryRoleThatHasAChoice) {
    const ValueSpread turns = measured("connect_four", {player::Recipe("flux")}, 10);
    EXPECT_LE(turns.choices, 10u) << "one side at a time";
    const ValueSpread at_once = measured("rock_paper_scissors", {player::Recipe("flux")}, 10);
    EXPECT_GT(at_once.choices, 10u);
    EXPECT_LE(at_once.choices, 20u);
    EXPECT_GE(at_once.by[0].values, at_once.choices);
}

}  // namespace
}  // namespace stratagem::lab
