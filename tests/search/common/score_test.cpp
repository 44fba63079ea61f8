#include "search/common/score.h"

#include <gtest/gtest.h>

namespace stratagem::search {
namespace {

TEST(Score, OpinionsLieStrictlyBetweenSureLossAndSureWin) {
    for (const auto& [least, most] : {std::pair{0, 100}, {0, 50}, {25, 75}, {0, 1}}) {
        const ScoreScale scale(least, most);
        for (int i = -10; i <= 1010; ++i) {
            const Score opinion = scale.of_opinion(i / 10.0);
            ASSERT_TRUE(ScoreScale::is_opinion(opinion));
            ASSERT_LT(opinion, scale.of_goal(most, max_steps + 5));
            ASSERT_GT(opinion, scale.of_goal(least, max_steps + 5));
            ASSERT_FALSE(scale.is_best(opinion));
            ASSERT_FALSE(scale.is_worst(opinion));
        }
    }
}

TEST(Score, OpinionsKeepTheirOrder) {
    const ScoreScale scale(0, 100);
    for (int i = 0; i < 1000; ++i) ASSERT_LT(scale.of_opinion(i / 10.0), scale.of_opinion((i + 1) / 10.0));
}

TEST(Score, QuickWinsAndSlowLossesAreBetter) {
    const ScoreScale scale(0, 100);
    EXPECT_GT(scale.of_goal(100, 3), scale.of_goal(100, 5));
    EXPECT_LT(scale.of_goal(0, 3), scale.of_goal(0, 5));
    EXPECT_EQ(scale.of_goal(50, 3), scale.of_goal(50, 5));
    EXPECT_GT(scale.of_goal(100, 100'000), scale.of_goal(99, 0));
    EXPECT_LT(scale.of_goal(0, 100'000), scale.of_goal(1, 0));
}

TEST(Score, GoalsComeBack) {
    const ScoreScale scale(0, 100);
    for (int goal = 0; goal <= 100; ++goal) {
        for (const int steps : {0, 1, 77, 11'999, 12'000, 1'000'000}) {
            const Score score = scale.of_goal(goal, steps);
            ASSERT_FALSE(ScoreScale::is_opinion(score));
            ASSERT_EQ(ScoreScale::goal(score), goal);
            ASSERT_EQ(scale.value(score), goal);
            ASSERT_EQ(scale.is_best(score), goal == 100);
            ASSERT_EQ(scale.is_worst(score), goal == 0);
        }
    }
}

TEST(Score, SeenFromALaterState) {
    const ScoreScale scale(0, 100);
    for (const int goal : {0, 40, 50, 60, 100}) {
        const Score from_root = scale.of_goal(goal, 9);
        EXPECT_EQ(scale.relative(from_root, 4), scale.of_goal(goal, 5));
        EXPECT_EQ(scale.absolute(scale.relative(from_root, 4), 4), from_root);
    }
    const Score opinion = scale.of_opinion(70);
    EXPECT_EQ(scale.relative(opinion, 4), opinion);
}

}  // namespace
}  // namespace stratagem::search
