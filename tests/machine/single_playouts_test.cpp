// The fastest playouts a game has, and that all of them find the same: means within the error of sampling.
#include "machine/single_playouts.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>

#include "machine/lanes/lane_games.h"

namespace stratagem::machine::lanes {
namespace {

using machine::testing::bundled;
using machine::testing::described;
using testing::play;

TEST(MakePlayouts, LanesWhereTheGameHasThem) {
    const GdlGame game(bundled("tic_tac_toe"));
    const auto playouts = game.make_playouts(1);
    EXPECT_EQ(playouts->batch(), lane_count);
    EXPECT_EQ(game.compiled()->lanes_note(), "");
    const auto machine = game.make();
    const PlayoutResult result = play(*playouts, machine->initial(), 2000);
    EXPECT_EQ(result.finished, 2000U);
    EXPECT_GT(result.mean(0), result.mean(1));
    EXPECT_EQ(make_single_playouts(game, 1)->batch(), 1U);
}

// Recursion through the state: what is reachable from the square that was drawn last.
const std::string recursive = R"(
    (role r) (init (at 1)) (init (step 0)) (succ 0 1) (succ 1 2)
    (place 1) (place 2) (place 3)
    (<= (legal r (link ?a ?b)) (place ?a) (place ?b))
    (<= (next (edge ?a ?b)) (does r (link ?a ?b)))
    (<= (next (edge ?a ?b)) (true (edge ?a ?b)))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= (reach ?a ?b) (true (edge ?a ?b)))
    (<= (reach ?a ?c) (reach ?a ?b) (reach ?b ?c))
    (<= terminal (true (step 2)))
    (<= (goal r 100) (reach 1 3)) (<= (goal r 0) (not (reach 1 3))))";

TEST(MakePlayouts, RecursiveGamesArePlayedOneByOne) {
    const GdlGame game(described(recursive));
    const auto playouts = game.make_playouts(1);
    EXPECT_EQ(playouts->batch(), 1U);
    EXPECT_NE(game.compiled()->lanes_note().find("recursive"), std::string::npos) << game.compiled()->lanes_note();
    EXPECT_EQ(game.compiled()->lane_game(), nullptr);
    const auto machine = game.make();
    const PlayoutResult result = play(*playouts, machine->initial(), 300);
    EXPECT_EQ(result.finished, 300U);
    EXPECT_EQ(result.steps, 600U);
    // A direct link in one of two moves, or both links of the way: 17/81 + 2/81.
    EXPECT_NEAR(result.mean(0), 100 * 19.0 / 81, 12);
}

TEST(MakePlayouts, TheInterpreterPlaysOneByOne) {
    const gdl::Description description = bundled("tic_tac_toe");
    MachineOptions options;
    options.kind = MachineKind::interpreter;
    const GdlGame game(description, options);
    const auto playouts = game.make_playouts(1);
    EXPECT_EQ(playouts->batch(), 1U);
    EXPECT_EQ(game.compiled(), nullptr);
    EXPECT_EQ(play(*playouts, game.make()->initial(), 20).finished, 20U);
}

// Threads share the compiled game, and the first of them compiles it; what each one plays depends on its stream alone.
TEST(MakePlayouts, ThreadsDoNotDisturbEachOther) {
    const GdlGame game(bundled("connect_three"));
    const State start = game.make()->initial();
    constexpr std::size_t threads = 4;
    std::array<PlayoutResult, threads> together;
    {
        std::vector<std::jthread> running;
        for (std::size_t i = 0; i < threads; ++i) {
            running.emplace_back([&, i] { together[i] = play(*game.make_playouts(1, i), start, 3000); });
        }
    }
    for (std::size_t i = 0; i < threads; ++i) {
        testing::expect_equal(play(*game.make_playouts(1, i), start, 3000), together[i]);
        for (std::size_t k = 0; k < i; ++k) EXPECT_NE(together[i].steps, together[k].steps);
    }
}

// Games of different kinds, from the start: means of goals and of lengths, each with its standard error. The variance
// of goals is not known from sums, so it is bounded by that of a value of 0 or 100 with this mean.
TEST(MakePlayouts, LanesAndCircuitFindTheSame) {
    const std::vector<std::string> games{
        "tic_tac_toe",    "connect_four", "breakthrough_6x6",        "rock_paper_scissors", "knights_tour",
        "nim_four_heaps", "kuhn_poker",   "bidding_tic_tac_toe",     "maze_chase",          "english_draughts",
        "minichess",      "amazons",      "three_player_tic_tac_toe"};
    for (const std::string& name : games) {
        SCOPED_TRACE(name);
        const GdlGame game(bundled(name));
        const auto lanes = game.make_playouts(7);
        ASSERT_EQ(lanes->batch(), lane_count) << game.compiled()->lanes_note();
        const auto single = make_single_playouts(game, 7);
        const auto machine = game.make();
        constexpr std::uint32_t many = 20'000;
        constexpr std::uint32_t few = 1'000;
        const PlayoutResult a = play(*lanes, machine->initial(), many);
        const PlayoutResult b = play(*single, machine->initial(), few);
        const double games_per_value = 1.0 / (1.0 / many + 1.0 / few);
        EXPECT_EQ(a.finished + a.cut, many);
        EXPECT_EQ(b.finished + b.cut, few);
        for (std::size_t role = 0; role < machine->role_count(); ++role) {
            const double mean = a.mean(role);
            const double error = std::sqrt(mean * (100 - mean) / games_per_value);
            EXPECT_NEAR(b.mean(role), mean, 5 * error) << "role " << role;
        }
        // Lengths of games hardly ever vary by more than their mean.
        const double length = static_cast<double>(a.steps) / many;
        EXPECT_NEAR(static_cast<double>(b.steps) / few, length, 5 * length / std::sqrt(games_per_value));
    }
}

}  // namespace
}  // namespace stratagem::machine::lanes
