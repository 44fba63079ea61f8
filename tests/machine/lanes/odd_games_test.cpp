// Games that are not well-formed but get played: roles without moves, no goal or several, no end, no fluents.
#include <gtest/gtest.h>

#include "machine/lanes/lane_games.h"
#include "machine/lanes/replay_lanes.h"
#include "machine/single_playouts.h"

namespace stratagem::machine::lanes {
namespace {

using testing::LanesAndCircuit;
using testing::play;

// Both ways of playing, with their results for so many games.
void expect_like_circuit(const std::string& rules, std::uint32_t games, const PlayoutResult& expected) {
    const gdl::Description description = machine::testing::described(rules);
    LanesAndCircuit lanes(description);
    LanePlayouts playouts = lanes.playouts(1);
    testing::expect_equal(play(playouts, lanes.machine.initial(), games), expected);
    // Counted lane by lane if there are several requests.
    const std::vector<PlayoutRequest> requests{{&lanes.machine.initial(), games}, {&lanes.machine.initial(), 0}};
    testing::expect_equal(play(playouts, requests)[0], expected);
    const GdlGame game(description);
    const auto single = make_single_playouts(game, 1);
    testing::expect_equal(play(*single, game.make()->initial(), games), expected);
}

PlayoutResult result(std::uint32_t finished, std::uint32_t cut, std::uint32_t stuck, std::uint64_t steps,
                     std::vector<std::uint64_t> goals) {
    return {finished, cut, stuck, steps, std::move(goals)};
}

TEST(OddGames, ARoleWithoutALegalMoveIsStuck) {
    // Two moves are made; then black has none.
    expect_like_circuit(R"(
        (role white) (role black) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (legal white a) (legal white b)
        (<= (legal black c) (true (step ?n)) (distinct ?n 2))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= terminal (true (step 3)))
        (<= (goal ?p 50) (role ?p)))",
                        700, result(0, 700, 700, 1400, {0, 0}));
}

TEST(OddGames, StuckAtTheStart) {
    expect_like_circuit(R"(
        (role r) (init (step 0)) (succ 0 1)
        (<= (legal r a) (true (step 1)))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= terminal (true (step 1)))
        (<= (goal r 50) (true (step ?n))))",
                        600, result(0, 600, 600, 0, {0}));
}

TEST(OddGames, ARoleThatNeverHasAMove) {
    expect_like_circuit(R"(
        (role white) (role black) (init (step 0)) (succ 0 1)
        (legal white a)
        (<= (legal black c) (true (step 5)))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= terminal (true (step 1)))
        (<= (goal ?p 50) (role ?p)))",
                        600, result(0, 600, 600, 0, {0, 0}));
}

// Some lanes get stuck while others go on, and their places are taken by new games.
TEST(OddGames, SomeGamesGetStuck) {
    LaneOptions options;
    options.observe = true;
    LanesAndCircuit lanes(R"(
        (role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (init ok)
        (<= (legal r good) (true ok))
        (<= (legal r bad) (true ok))
        (<= (next ok) (does r good))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= terminal (true (step 3)))
        (<= (goal r 100) (true ok)) (<= (goal r 30) (not (true ok))))",
                          options);
    std::vector<std::size_t> all(lane_count);
    for (std::size_t i = 0; i < lane_count; ++i) all[i] = i;
    testing::LaneReplay replay(lanes.game, lanes.machine, all, 1'000'000);
    LanePlayouts playouts = lanes.playouts(1);
    const PlayoutResult results = replay.play(playouts, lanes.machine.initial(), 3000);
    testing::expect_equal(results, replay.totals());
    EXPECT_EQ(results.finished + results.stuck, 3000U);
    EXPECT_EQ(results.cut, results.stuck);
    EXPECT_NEAR(results.stuck, 2250, 150);    // at the second or third move
    EXPECT_NEAR(results.mean(0), 65.0, 6.0);  // the last move decides
}

const std::string one_move = R"(
    (role r) (role s) (init (step 0)) (legal r a) (legal s a)
    (<= (next (step 1)) (true (step 0)))
    (<= terminal (true (step 1))))";

TEST(OddGames, AGoalThatIsNotDefinedCountsNothing) {
    expect_like_circuit(one_move + "(<= (goal r 80) (true (step 0))) (<= (goal s 40) (true (step 1)))", 600,
                        result(600, 0, 0, 600, {0, 24'000}));
}

TEST(OddGames, SeveralGoalValuesCountNothing) {
    expect_like_circuit(one_move + R"((<= (goal r 80) (true (step 1))) (<= (goal r 20) (not (true (step 0))))
                                      (<= (goal s 40) (true (step 1))))",
                        600, result(600, 0, 0, 600, {0, 24'000}));
}

TEST(OddGames, NoGoalsAtAll) {
    expect_like_circuit(one_move + "(<= (goal ?p 100) (role ?p) (true (step 7)))", 600, result(600, 0, 0, 600, {0, 0}));
}

TEST(OddGames, AGameThatIsOverAtTheStart) {
    expect_like_circuit(R"((role r) (init on) (legal r a) (<= (next on) (true on)) (<= terminal (true on))
                           (<= (goal r 70) (true on)))",
                        600, result(600, 0, 0, 0, {42'000}));
}

TEST(OddGames, AGameWithoutAnEndIsCut) {
    LanesAndCircuit lanes(R"((role r) (init on) (legal r a) (legal r b) (<= (next on) (does r a))
                             (<= (next off) (does r b)) (<= terminal (true on) (true off)) (goal r 100))");
    LanePlayouts playouts = lanes.playouts(1);
    playouts.set_max_steps(50);
    testing::expect_equal(play(playouts, lanes.machine.initial(), 600), result(0, 600, 0, 30'000, {0}));
}

TEST(OddGames, AStateMayBeEmpty) {
    LanesAndCircuit lanes(R"((role r) (init on) (legal r a) (<= terminal (not (true on))) (<= (goal r 100) terminal)
                             (<= (goal r 0) (true on)))");
    LanePlayouts playouts = lanes.playouts(1);
    testing::expect_equal(play(playouts, lanes.machine.initial(), 600), result(600, 0, 0, 600, {60'000}));
}

}  // namespace
}  // namespace stratagem::machine::lanes
