// Playouts in lanes as a whole: the same games whatever the width, many starts at once, limits and stopping.
#include "machine/lanes/lane_playouts.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "machine/lanes/lane_games.h"

namespace stratagem::machine::lanes {
namespace {

using machine::testing::bundled;
using testing::expect_equal;
using testing::LanesAndCircuit;
using testing::play;

// Turns, simultaneous moves, several roles, one role, chance, goals of many values.
const std::vector<std::string> sample{"tic_tac_toe",         "connect_four",     "rock_paper_scissors",
                                      "knights_tour",        "breakthrough_6x6", "kuhn_poker",
                                      "bidding_tic_tac_toe", "nim_four_heaps",   "three_player_tic_tac_toe",
                                      "maze_chase",          "chinese_checkers"};

// Requests for these states, with counts from none to more than there are lanes.
std::vector<PlayoutRequest> requests_for(const std::vector<State>& states) {
    constexpr std::array<std::uint32_t, 7> counts{1, 0, 7, 64, 3, 600, 2};
    std::vector<PlayoutRequest> requests;
    for (std::size_t i = 0; i < states.size(); ++i) requests.push_back({&states[i], counts[i % counts.size()]});
    return requests;
}

TEST(LanePlayouts, EveryWidthPlaysTheSameGames) {
    std::size_t lockstep = 0;
    std::size_t apart = 0;
    for (const std::string& name : sample) {
        SCOPED_TRACE(name);
        const gdl::Description description = bundled(name);
        LanesAndCircuit reference(description, testing::with_width(Width::portable64));
        lockstep += reference.game->phases().size() > 1 ? 1 : 0;
        apart += reference.game->score() != nullptr ? 1 : 0;
        const std::vector<State> states = testing::some_states(reference.machine, 3, 40);
        const std::vector<PlayoutRequest> requests = requests_for(states);
        LanePlayouts playouts = reference.playouts(11);
        const std::vector<PlayoutResult> expected = play(playouts, requests);
        const PlayoutResult one = play(playouts, reference.machine.initial(), 1500);
        for (const Width width : testing::widths()) {
            SCOPED_TRACE(entry_of(width).name);
            const LanesAndCircuit other(description, testing::with_width(width));
            EXPECT_EQ(other.game->width(), width);
            LanePlayouts again = other.playouts(11);
            const std::vector<PlayoutResult> results = play(again, requests);
            for (std::size_t i = 0; i < requests.size(); ++i) expect_equal(results[i], expected[i]);
            expect_equal(play(again, reference.machine.initial(), 1500), one);
        }
    }
    // All ways of running are among them.
    EXPECT_GT(lockstep, 0U);
    EXPECT_LT(lockstep, sample.size());
    EXPECT_GT(apart, 0U);
}

TEST(LanePlayouts, SeedsAndStreamsPlayDifferentGames) {
    LanesAndCircuit lanes(bundled("connect_four"));
    LanePlayouts first(lanes.game, 1);
    LanePlayouts second(lanes.game, 2);
    LanePlayouts third(lanes.game, 1, 1);
    const std::uint64_t steps = play(first, lanes.machine.initial(), 1000).steps;
    EXPECT_NE(play(second, lanes.machine.initial(), 1000).steps, steps);
    EXPECT_NE(play(third, lanes.machine.initial(), 1000).steps, steps);
    EXPECT_NE(play(first, lanes.machine.initial(), 1000).steps, steps) << "the second time the same games";
}

TEST(LanePlayouts, EveryRequestGetsItsGames) {
    for (const std::string& name : sample) {
        for (const bool lockstep : {true, false}) {
            SCOPED_TRACE(name + (lockstep ? " lockstep" : ""));
            LaneOptions options;
            options.lockstep = lockstep;
            LanesAndCircuit lanes(bundled(name), options);
            const std::vector<State> states = testing::some_states(lanes.machine, 5, 700);
            const std::vector<PlayoutRequest> requests = requests_for(states);
            LanePlayouts playouts = lanes.playouts(2);
            const std::vector<PlayoutResult> results = play(playouts, requests);
            std::size_t over = 0;
            for (std::size_t i = 0; i < requests.size(); ++i) {
                const std::uint32_t count = requests[i].count;
                ASSERT_EQ(results[i].finished + results[i].cut, count) << i;
                ASSERT_EQ(results[i].goals.size(), lanes.machine.role_count());
                if (!lanes.machine.terminal(states[i])) {
                    ASSERT_GE(results[i].steps, results[i].finished) << i;
                    continue;
                }
                // The goal of the start itself, counted so many times.
                ++over;
                ASSERT_EQ(results[i].steps, 0U) << i;
                ASSERT_EQ(results[i].cut, 0U) << i;
                for (std::uint32_t role = 0; role < results[i].goals.size(); ++role) {
                    const int goal = lanes.machine.goal(states[i], Role{role}).value_or(0);
                    ASSERT_EQ(results[i].goals[role], static_cast<std::uint64_t>(goal) * count) << i;
                }
            }
            EXPECT_GT(over, 0U);
        }
    }
}

// A single request is counted by another way than several.
TEST(LanePlayouts, OneRequestAndSeveralAgree) {
    for (const std::string& name : sample) {
        SCOPED_TRACE(name);
        LanesAndCircuit lanes(bundled(name));
        LanePlayouts one = lanes.playouts(4);
        LanePlayouts many = lanes.playouts(4);
        const PlayoutResult expected = play(one, lanes.machine.initial(), 900);
        // The same games in the same order: two requests for the same start.
        const State& start = lanes.machine.initial();
        const std::vector<PlayoutRequest> requests{{&start, 400}, {&start, 0}, {&start, 500}};
        const std::vector<PlayoutResult> parts = play(many, requests);
        PlayoutResult sum = parts[0];
        sum.finished += parts[2].finished;
        sum.cut += parts[2].cut;
        sum.stuck += parts[2].stuck;
        sum.steps += parts[2].steps;
        for (std::size_t role = 0; role < sum.goals.size(); ++role) sum.goals[role] += parts[2].goals[role];
        expect_equal(sum, expected);
        EXPECT_EQ(parts[1].finished + parts[1].cut, 0U);
    }
}

TEST(LanePlayouts, NothingAsked) {
    LanesAndCircuit lanes(bundled("tic_tac_toe"));
    LanePlayouts playouts = lanes.playouts(1);
    EXPECT_TRUE(play(playouts, std::span<const PlayoutRequest>{}).empty());
    const PlayoutResult none = play(playouts, lanes.machine.initial(), 0);
    EXPECT_EQ(none.finished + none.cut + none.steps, 0U);
    EXPECT_EQ(none.mean(0), 50.0);
    EXPECT_EQ(playouts.batch(), lane_count);
}

TEST(LanePlayouts, LongGamesAreCutExactly) {
    for (const bool lockstep : {true, false}) {
        LaneOptions options;
        options.lockstep = lockstep;
        LanesAndCircuit lanes(bundled("connect_four"), options);  // no game ends before the seventh move
        LanePlayouts playouts = lanes.playouts(3);
        for (const std::uint32_t limit : {1U, 2U, 5U, 6U}) {
            playouts.set_max_steps(limit);
            const PlayoutResult result = play(playouts, lanes.machine.initial(), 1300);
            EXPECT_EQ(result.cut, 1300U);
            EXPECT_EQ(result.finished, 0U);
            EXPECT_EQ(result.stuck, 0U);
            EXPECT_EQ(result.steps, 1300U * limit);
        }
        playouts.set_max_steps(20);
        const PlayoutResult some = play(playouts, lanes.machine.initial(), 1300);
        EXPECT_EQ(some.finished + some.cut, 1300U);
        EXPECT_GT(some.finished, 100U);
        EXPECT_GT(some.cut, 100U);
        EXPECT_LT(some.steps, 1300U * 20);
        EXPECT_GE(some.steps, some.cut * 20 + some.finished * 7);
    }
}

// The limit counts from the start of each game, also where games begin at different times.
TEST(LanePlayouts, AGameThatEndsAtTheLimitIsFinished) {
    LanesAndCircuit lanes(machine::testing::counting_game);  // two or three moves
    LanePlayouts playouts = lanes.playouts(5);
    playouts.set_max_steps(3);
    const PlayoutResult all = play(playouts, lanes.machine.initial(), 2000);
    EXPECT_EQ(all.finished, 2000U);
    EXPECT_EQ(all.cut, 0U);
    playouts.set_max_steps(2);
    const PlayoutResult most = play(playouts, lanes.machine.initial(), 2000);
    EXPECT_EQ(most.finished + most.cut, 2000U);
    EXPECT_EQ(most.steps, 4000U);
    EXPECT_GT(most.cut, 300U);
}

TEST(LanePlayouts, AStateOfNoGameIsRefused) {
    LanesAndCircuit lanes(bundled("tic_tac_toe"));
    ASSERT_EQ(lanes.game->phases().size(), 2U);
    const State empty(lanes.program->fluents.size());  // nobody is to move
    LanePlayouts playouts = lanes.playouts(1);
    EXPECT_THROW(play(playouts, empty, 1), std::invalid_argument);
    State two = lanes.machine.initial();
    for (const auto& phase : lanes.game->phases()) two.insert(phase.fluent);
    EXPECT_THROW(play(playouts, two, 1), std::invalid_argument);
    EXPECT_EQ(play(playouts, lanes.machine.initial(), 10).finished, 10U) << "and it goes on";
}

TEST(LanePlayouts, StopsWhenToldTo) {
    LanesAndCircuit lanes(bundled("connect_four"));
    const std::vector<State> states = testing::some_states(lanes.machine, 5, 3);
    LanePlayouts playouts = lanes.playouts(1);
    std::atomic<bool> flag = true;
    constexpr std::uint32_t many = 2'000'000'000;
    const PlayoutResult one = play(playouts, lanes.machine.initial(), many, Stop{Deadline::never(), &flag});
    EXPECT_LT(one.finished + one.cut, many / 100);
    EXPECT_LE(one.steps, std::uint64_t{42} * one.finished) << "steps of games that were not finished";
    const std::vector<PlayoutRequest> requests{{&states[0], many}, {&states[1], many}};
    for (const PlayoutResult& result : play(playouts, requests, Stop{Deadline::never(), &flag})) {
        EXPECT_LT(result.finished + result.cut, many / 100);
        EXPECT_LE(result.steps, std::uint64_t{42} * result.finished);
    }
    flag = false;
    const PlayoutResult all = play(playouts, lanes.machine.initial(), 600, Stop{Deadline::never(), &flag});
    EXPECT_EQ(all.finished, 600U) << "nothing is left over from games that were stopped";
}

}  // namespace
}  // namespace stratagem::machine::lanes
