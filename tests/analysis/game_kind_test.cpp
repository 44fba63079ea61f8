#include <gmock/gmock.h>

#include "search/game_facts.h"
#include "search/search_games.h"

namespace stratagem::search::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(GameFacts, OfATwoPlayerGame) {
    const GameFacts facts = prepared("tic_tac_toe").problem.facts;
    EXPECT_EQ(facts.roles, 2U);
    EXPECT_EQ(facts.players, 2U);
    EXPECT_TRUE(facts.turn_taking);
    EXPECT_TRUE(facts.constant_sum);
    EXPECT_EQ(facts.least_sum, 100);
    EXPECT_EQ(facts.most_sum, 100);
    EXPECT_TRUE(facts.two_player_zero_sum);
    EXPECT_THAT(facts.team, ElementsAre(0, 1));
    EXPECT_THAT(facts.least_goal, Each(0));
    EXPECT_THAT(facts.most_goal, Each(100));
    EXPECT_THAT(facts.is_chance, Each(false));
    EXPECT_EQ(facts.longest, 9U);
    EXPECT_GE(facts.length, 5);
    EXPECT_LE(facts.length, 9);
    EXPECT_GT(facts.branching, 3);
    EXPECT_LT(facts.branching, 9);
}

TEST(GameFacts, OfOtherKindsOfGames) {
    const GameFacts three = prepared("three_player_tic_tac_toe").problem.facts;
    EXPECT_EQ(three.players, 3U);
    EXPECT_FALSE(three.two_player_zero_sum);
    EXPECT_FALSE(three.constant_sum);  // three times 33 are 99
    EXPECT_EQ(three.least_sum, 99);
    EXPECT_EQ(three.most_sum, 100);
    const GameFacts together = prepared("rock_paper_scissors").problem.facts;
    EXPECT_FALSE(together.turn_taking);
    EXPECT_TRUE(together.constant_sum);
    const GameFacts puzzle = prepared("eight_puzzle").problem.facts;
    EXPECT_EQ(puzzle.players, 1U);
    EXPECT_FALSE(puzzle.two_player_zero_sum);
}

TEST(GameFacts, AStuckGameAndMissingGoalsAreWorthNothing) {
    const GameFacts facts = prepared_rules(R"(
        (role a) (role b) (init start) (<= (legal a x) (true start)) (<= (legal a y) (true start))
        (<= (legal b x) (true start)) (<= (next (chose ?m)) (does a ?m))
        (<= terminal (true (chose x))) (<= (goal a 80) (true (chose x))) (<= (goal a 20) (true (chose y)))
    )")
                                .problem.facts;
    EXPECT_THAT(facts.least_goal, ElementsAre(0, 0));
    EXPECT_THAT(facts.most_goal, ElementsAre(80, 0));
    EXPECT_EQ(facts.players, 1U);
    EXPECT_GT(facts.games, 0U);
}

TEST(GameFacts, EqualGoalsThatNeverChangeAreNoTeam) {
    const GameFacts facts = prepared_rules(R"(
        (role a) (role b) (init start) (legal a x) (legal a y) (legal b x) (legal b y)
        (<= (next over) (true start)) (<= terminal (true over)) (goal a 50) (goal b 50)
    )")
                                .problem.facts;
    EXPECT_THAT(facts.team, ElementsAre(0, 1));
}

TEST(GameFacts, AreTheSameForTheSameSeedAndKnownAfterAnInterruption) {
    const Prepared game = prepared("connect_four");
    const GameFacts a = observe(*game.problem.game, {}, 4);
    const GameFacts b = observe(*game.problem.game, {}, 4);
    EXPECT_EQ(a.branching, b.branching);
    EXPECT_EQ(a.length, b.length);
    const std::atomic<bool> stop{true};
    const GameFacts none = observe(*game.problem.game, {Deadline::never(), &stop});
    EXPECT_EQ(none.games, 0U);
    EXPECT_EQ(none.roles, 2U);
    EXPECT_FALSE(none.two_player_zero_sum);
    EXPECT_THAT(none.most_goal, Each(100));
}

}  // namespace
}  // namespace stratagem::search::testing
