#include "analysis/game_kind.h"

#include <gmock/gmock.h>

#include "analysis/claims.h"
#include "machine/gdl_game.h"
#include "machine/machine_games.h"

namespace stratagem::analysis {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

GameKind observed(const std::string& name) { return observe(machine::GdlGame(machine::testing::bundled(name)), {}); }
GameKind observed_rules(const std::string& rules) {
    return observe(machine::GdlGame(machine::testing::described(rules)), {});
}

TEST(GameKind, OfATwoPlayerGame) {
    const GameKind facts = observed("tic_tac_toe");
    EXPECT_EQ(facts.roles, 2U);
    EXPECT_EQ(facts.players, 2U);
    EXPECT_EQ(facts.turn_taking, Verdict::observed);
    EXPECT_EQ(facts.constant_sum, Verdict::observed);
    EXPECT_EQ(facts.least_sum, 100);
    EXPECT_EQ(facts.most_sum, 100);
    EXPECT_EQ(facts.two_player_zero_sum, Verdict::observed);
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

TEST(GameKind, OfOtherKindsOfGames) {
    const GameKind three = observed("three_player_tic_tac_toe");
    EXPECT_EQ(three.players, 3U);
    EXPECT_EQ(three.two_player_zero_sum, Verdict::refuted);
    EXPECT_EQ(three.constant_sum, Verdict::refuted);  // three times 33 are 99
    EXPECT_EQ(three.least_sum, 99);
    EXPECT_EQ(three.most_sum, 100);
    const GameKind together = observed("rock_paper_scissors");
    EXPECT_EQ(together.turn_taking, Verdict::refuted);
    EXPECT_EQ(together.constant_sum, Verdict::observed);
    const GameKind puzzle = observed("eight_puzzle");
    EXPECT_EQ(puzzle.players, 1U);
    EXPECT_FALSE(holds(puzzle.two_player_zero_sum));
}

TEST(GameKind, AStuckGameAndMissingGoalsAreWorthNothing) {
    const GameKind facts = observed_rules(R"(
        (role a) (role b) (init start) (<= (legal a x) (true start)) (<= (legal a y) (true start))
        (<= (legal b x) (true start)) (<= (next (chose ?m)) (does a ?m))
        (<= terminal (true (chose x))) (<= (goal a 80) (true (chose x))) (<= (goal a 20) (true (chose y)))
    )");
    EXPECT_THAT(facts.least_goal, ElementsAre(0, 0));
    EXPECT_THAT(facts.most_goal, ElementsAre(80, 0));
    EXPECT_EQ(facts.players, 1U);
    EXPECT_GT(facts.games, 0U);
}

TEST(GameKind, EqualGoalsThatNeverChangeAreNoTeam) {
    const GameKind facts = observed_rules(R"(
        (role a) (role b) (init start) (legal a x) (legal a y) (legal b x) (legal b y)
        (<= (next over) (true start)) (<= terminal (true over)) (goal a 50) (goal b 50)
    )");
    EXPECT_THAT(facts.team, ElementsAre(0, 1));
}

// What is proved stands in place of what was seen; what was refuted elsewhere too.
TEST(GameKind, TakesOverProofs) {
    GameKind kind = observed("tic_tac_toe");
    kind.add_turn_taking(Verdict::unknown);
    EXPECT_EQ(kind.turn_taking, Verdict::observed);
    kind.add_turn_taking(Verdict::proved);
    EXPECT_EQ(kind.turn_taking, Verdict::proved);
    GameKind other = kind;
    kind.add_goal_sum({Verdict::proved, 100, {}, 0});
    EXPECT_EQ(kind.constant_sum, Verdict::proved);
    EXPECT_EQ(kind.two_player_zero_sum, Verdict::proved);
    // An end without a goal value is none that does not add up: it counts as 0 here.
    other.add_goal_sum({Verdict::refuted, {}, machine::State(), 100});
    EXPECT_EQ(other.constant_sum, Verdict::observed);
    other.add_goal_sum({Verdict::refuted, {}, machine::State(), 20});
    EXPECT_EQ(other.constant_sum, Verdict::refuted);
    EXPECT_EQ(other.two_player_zero_sum, Verdict::refuted);
    EXPECT_EQ(other.least_sum, 20);
}

TEST(GameKind, AreTheSameForTheSameSeedAndKnownAfterAnInterruption) {
    const machine::GdlGame game(machine::testing::bundled("connect_four"));
    const GameKind a = observe(game, {}, 4);
    const GameKind b = observe(game, {}, 4);
    EXPECT_EQ(a.branching, b.branching);
    EXPECT_EQ(a.length, b.length);
    const std::atomic<bool> stop{true};
    const GameKind none = observe(game, {Deadline::never(), &stop});
    EXPECT_EQ(none.games, 0U);
    EXPECT_EQ(none.roles, 2U);
    EXPECT_FALSE(holds(none.two_player_zero_sum));
    EXPECT_THAT(none.most_goal, Each(100));
}

}  // namespace
}  // namespace stratagem::analysis
