// Pairs of recipes: who sits where, and what is made of the results.
#include "lab/stages.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "machine/machine_games.h"
#include "player/recipe.h"

namespace stratagem::lab {
namespace {

using ::testing::ElementsAre;

TEST(Stages, PairsAreRead) {
    EXPECT_THAT(read_pairs("a:b, c:d"), ElementsAre(StagePair{"a", "b"}, StagePair{"c", "d"}));
    EXPECT_THAT(read_pairs("a:x=1,y=2 vs b; c vs d:z=3"),
                ElementsAre(StagePair{"a:x=1,y=2", "b"}, StagePair{"c", "d:z=3"}));
    for (const char* wrong : {"", "a", "a:", ":b", "a:b,", "a:b:c", "a vs ; c vs d"}) {
        EXPECT_THROW(read_pairs(wrong), std::invalid_argument) << wrong;
    }
}

arena::Contest contest_of(const std::vector<std::string>& games) {
    arena::Contest contest;
    contest.match.clocks = {player::Seconds(30), player::Seconds(30)};
    for (const std::string& game : games) {
        contest.games.push_back(std::make_shared<const arena::ContestGame>(
            game, machine::GdlGame::at_once(std::make_shared<const gdl::Description>(machine::testing::bundled(game))),
            machine::MachineOptions{}));
    }
    return contest;
}

arena::Entrant entrant(const std::string& name) { return arena::local_entrant(name, player::Recipe(name), {}, false); }

TEST(Stages, SeatsAlternateAndChangeOver) {
    arena::Contest contest = contest_of({"tic_tac_toe", "three_player_tic_tac_toe", "eight_puzzle"});
    const Stages stages(contest, {{"legal", "random"}, {"legal", "uct"}}, 2, 7, entrant);
    ASSERT_EQ(contest.entrants.size(), 3u) << "each player once";
    ASSERT_EQ(stages.plan().size(), 2u * 2 * (1 + 1 + 2)) << "a game for one is played by each";
    std::vector<arena::Seating> seatings;
    for (const arena::PlannedMatch& one : stages.plan()) {
        EXPECT_EQ(stages.plan()[one.number], one);
        if (stages.pair_of(one) == 1) seatings.push_back(one.seating);
    }
    EXPECT_THAT(seatings, ElementsAre(ElementsAre(0, 2), ElementsAre(0, 2, 0), ElementsAre(0), ElementsAre(2),
                                      ElementsAre(2, 0), ElementsAre(2, 0, 2), ElementsAre(0), ElementsAre(2)));
    EXPECT_NE(stages.plan().front().seed, stages.plan().back().seed);
    const std::vector<arena::PlannedMatch>& plan = stages.plan();
    EXPECT_EQ(plan[0].opening_seed, plan[plan.size() / 2].opening_seed) << "both have each seat in one opening";
    EXPECT_NE(plan[2 * 2].opening_seed, plan[plan.size() - 1].opening_seed) << "alone nobody changes seats";
}

arena::MatchResult result_of(const std::vector<int>& scores, bool complete = true) {
    arena::MatchResult result;
    result.complete = complete;
    for (const int score : scores) {
        result.seats.emplace_back();
        result.seats.back().score = score;
        result.seats.back().late = 1;
    }
    return result;
}

TEST(Stages, ResultsBelongToThePlayerNotToTheSeat) {
    arena::Contest contest = contest_of({"tic_tac_toe", "three_player_tic_tac_toe"});
    Stages stages(contest, {{"legal", "random"}}, 2, 1, entrant);
    ASSERT_EQ(stages.plan().size(), 4u);
    stages.take(stages.plan()[0], result_of({100, 0}));
    stages.take(stages.plan()[1], result_of({100, 50, 0}));
    stages.take(stages.plan()[2], result_of({75, 25}));
    stages.take(stages.plan()[3], result_of({0, 0, 0}, false));
    const Duel& two = stages.in_game(0, 0);
    EXPECT_EQ(two.matches(), 2u);
    EXPECT_DOUBLE_EQ(two.first.mean(), 62.5);
    EXPECT_DOUBLE_EQ(two.second.mean(), 37.5);
    EXPECT_DOUBLE_EQ(two.lead.mean(), 25);
    EXPECT_EQ(two.wins, 1u);
    EXPECT_EQ(two.losses, 1u);
    EXPECT_DOUBLE_EQ(two.win_rate().value(), 0.625);
    const Duel& three = stages.in_game(0, 1);
    EXPECT_EQ(three.matches(), 1u);
    EXPECT_DOUBLE_EQ(three.first.mean(), 50) << "the mean of its two seats";
    EXPECT_EQ(three.draws, 1u);
    EXPECT_EQ(three.incomplete, 1u);
    EXPECT_EQ(stages.overall(0).matches(), 3u);
    EXPECT_EQ(stages.overall(0).errors, 10u);
}

TEST(Stages, ThoseWhoPlayAloneAreCompared) {
    arena::Contest contest = contest_of({"eight_puzzle"});
    Stages stages(contest, {{"legal", "random"}}, 2, 1, entrant);
    ASSERT_EQ(stages.plan().size(), 4u);
    EXPECT_EQ(stages.plan()[0].seed, stages.plan()[1].seed);
    stages.take(stages.plan()[1], result_of({30}));
    EXPECT_EQ(stages.in_game(0, 0).matches(), 0u) << "the other is still to come";
    stages.take(stages.plan()[0], result_of({90}));
    stages.take(stages.plan()[2], result_of({80}));
    EXPECT_EQ(stages.in_game(0, 0).matches(), 1u);
    EXPECT_DOUBLE_EQ(stages.in_game(0, 0).first.mean(), 90);
    EXPECT_DOUBLE_EQ(stages.in_game(0, 0).lead.mean(), 60);
}

TEST(Stages, NobodyIsComparedWithItself) {
    arena::Contest contest = contest_of({"tic_tac_toe"});
    EXPECT_THROW(Stages(contest, {{"legal", "legal"}}, 1, 1, entrant), std::invalid_argument);
}

TEST(Stages, WhoPlaysAlikeDoesNotPlay) {
    arena::Contest contest = contest_of({"tic_tac_toe", "eight_puzzle"});
    const Stages stages(contest, {{"legal", "random"}, {"legal", "uct"}}, 3, 1, entrant,
                        [](const StagePair& pair, const arena::ContestGame& game) {
                            return pair.second == "uct" && game.name() == "tic_tac_toe";
                        });
    EXPECT_EQ(stages.plan().size(), 4u + 3u * (2 + 2)) << "everybody has had both seats where there are two";
    for (const arena::PlannedMatch& one : stages.plan()) {
        EXPECT_FALSE(stages.pair_of(one) == 1 && one.game == 0);
        EXPECT_EQ(stages.plan()[one.number], one);
    }
    EXPECT_TRUE(stages.in_game(1, 0).alike);
    EXPECT_FALSE(stages.in_game(0, 0).alike);
    EXPECT_FALSE(stages.in_game(1, 1).alike);
}

// Who compares may forget one game when the next one comes.
TEST(Stages, PairsAreComparedGameByGame) {
    arena::Contest contest = contest_of({"tic_tac_toe", "eight_puzzle"});
    std::vector<std::string> asked;
    const Stages stages(contest, {{"legal", "random"}, {"legal", "uct"}}, 1, 1, entrant,
                        [&](const StagePair& pair, const arena::ContestGame& game) {
                            asked.push_back(game.name() + " " + pair.second);
                            return false;
                        });
    EXPECT_THAT(asked, ElementsAre("tic_tac_toe random", "tic_tac_toe uct", "eight_puzzle random", "eight_puzzle uct"));
}

// With the arena: each seat in turn, the same player in several seats.
TEST(Stages, ArePlayed) {
    arena::Contest contest = contest_of({"three_player_tic_tac_toe"});
    Stages stages(contest, {{"legal", "random"}}, 4, 1, entrant);
    arena::ContestRun run;
    run.on_match = [&](const arena::PlannedMatch& planned, arena::MatchResult& result) {
        stages.take(planned, result);
    };
    arena::run_matches(contest, stages.plan(), run);
    EXPECT_EQ(stages.overall(0).matches(), 4u);
    EXPECT_EQ(stages.overall(0).errors, 0u);
}

}  // namespace
}  // namespace stratagem::lab
