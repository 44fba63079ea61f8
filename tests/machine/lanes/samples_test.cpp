// Statistics of lanes: the results that go with moves and fluents are those of their own games.
#include "machine/lanes/samples.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "machine/lanes/lane_games.h"

namespace stratagem::machine::lanes {
namespace {

using testing::LanesAndCircuit;
using testing::play;

int value_of(unsigned number) { return static_cast<int>(number * 37 % 101); }

// One role writes a number in binary, waits some moves, and is paid by a function of it: the first move decides.
std::string number_game(unsigned bits, unsigned waits) {
    std::string rules = "(role r) (init (step 0))\n";
    for (unsigned i = 0; i <= waits; ++i) rules += fmt::format("(succ {} {})", i, i + 1);
    rules += "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))\n";
    rules += fmt::format("(<= terminal (true (step {})))\n", waits + 1);
    rules += "(<= (legal r wait) (not (true (step 0))))\n";
    for (unsigned number = 0; number < 1U << bits; ++number) {
        rules += fmt::format("(<= (legal r (write {})) (true (step 0)))", number);
        std::string goal = fmt::format("(<= (goal r {})", value_of(number));
        for (unsigned bit = 0; bit < bits; ++bit) {
            const bool set = (number >> bit & 1U) != 0;
            if (set) rules += fmt::format("(<= (next (bit {})) (does r (write {})))", bit, number);
            goal += set ? fmt::format("(true (bit {}))", bit) : fmt::format("(not (true (bit {})))", bit);
        }
        rules += goal + ")\n";
    }
    for (unsigned bit = 0; bit < bits; ++bit) {
        rules += fmt::format("(<= (next (bit {})) (true (bit {})) (does r wait))", bit, bit);
    }
    return rules;
}

LaneOptions with_statistics() {
    LaneOptions options;
    options.statistics = true;
    return options;
}

void expect_own_results(unsigned bits, unsigned waits, bool apart) {
    LanesAndCircuit lanes(number_game(bits, waits), with_statistics());
    ASSERT_EQ(lanes.game->score() != nullptr, apart);
    LanePlayouts playouts = lanes.playouts(1);
    PlayoutStatistics statistics;
    ASSERT_TRUE(playouts.collect(&statistics));
    const State& start = lanes.machine.initial();
    play(playouts, start, 400'000);
    const std::vector<PlayoutRequest> requests{{&start, 3000}, {&start, 5000}};
    play(playouts, requests);
    EXPECT_GT(statistics.samples, 200U);
    std::uint64_t moves = 0;
    std::uint64_t seen = 0;
    for (unsigned number = 0; number < 1U << bits; ++number) {
        const auto move = lanes.machine.find_move(Role{0}, fmt::format("(write {})", number));
        ASSERT_TRUE(move);
        const std::size_t i = ground::index(*move);
        ASSERT_EQ(statistics.move_goals[i], statistics.move_count[i] * static_cast<std::uint64_t>(value_of(number)))
            << "move " << number;
        seen += statistics.move_count[i] > 0 ? 1 : 0;
    }
    EXPECT_GT(seen, (1U << bits) / 2);
    // Each sample has one move of the role.
    moves = std::accumulate(statistics.move_count.begin(), statistics.move_count.end(), std::uint64_t{0});
    EXPECT_EQ(moves, statistics.samples);
    // And one step.
    std::uint64_t steps = 0;
    std::uint64_t goals = 0;
    for (unsigned step = 0; step <= waits; ++step) {
        const std::size_t fluent = ground::index(*lanes.machine.find_fluent(fmt::format("(step {})", step)));
        steps += statistics.fluent_count[fluent];
        goals += statistics.fluent_goals[fluent];
    }
    EXPECT_EQ(steps, statistics.samples);
    EXPECT_EQ(goals, std::accumulate(statistics.move_goals.begin(), statistics.move_goals.end(), std::uint64_t{0}));
}

TEST(Samples, GoalsInEveryLook) {
    expect_own_results(2, 1, false);
    expect_own_results(2, 4, false);
}

TEST(Samples, GoalsApart) {
    expect_own_results(7, 1, true);
    expect_own_results(7, 4, true);
}

// Every so many steps, and only lanes that play.
TEST(Samples, ExactlyTheGamesThereAre) {
    LanesAndCircuit lanes(number_game(2, 1), with_statistics());
    const std::uint32_t period = Samples(*lanes.game, kernels(lanes.game->width())).period();
    LanePlayouts playouts = lanes.playouts(1);
    PlayoutStatistics statistics;
    ASSERT_TRUE(playouts.collect(&statistics));
    constexpr std::uint32_t rounds = 1000;
    for (std::uint32_t i = 0; i < rounds; ++i) play(playouts, lanes.machine.initial(), 3);  // of two steps each
    EXPECT_EQ(statistics.samples, 3 * (2 * rounds / period));
    EXPECT_GT(statistics.samples, 0U);
}

// Neither what was sampled nor the games depend on the width; and sampling changes no game.
TEST(Samples, TheSameWhateverTheWidth) {
    const gdl::Description description = machine::testing::bundled("connect_four");
    LanesAndCircuit plain(description);
    LanePlayouts without = plain.playouts(3);
    const PlayoutResult expected = play(without, plain.machine.initial(), 5000);
    for (const Width width : testing::widths()) {
        SCOPED_TRACE(entry_of(width).name);
        LaneOptions options = with_statistics();
        options.width = width;
        LanesAndCircuit lanes(description, options);
        LanePlayouts playouts = lanes.playouts(3);
        PlayoutStatistics statistics;
        ASSERT_TRUE(playouts.collect(&statistics));
        testing::expect_equal(play(playouts, lanes.machine.initial(), 5000), expected);
        EXPECT_GT(statistics.samples, 500U);
    }
}

TEST(Samples, OnlyWhereAskedFor) {
    LanesAndCircuit lanes(machine::testing::counting_game);
    LanePlayouts playouts = lanes.playouts(1);
    PlayoutStatistics statistics;
    EXPECT_FALSE(playouts.collect(&statistics));
    EXPECT_EQ(statistics.move_mean(Move{0}), 50.0);

    LanesAndCircuit asked(machine::testing::counting_game, with_statistics());
    LanePlayouts sampled = asked.playouts(1);
    EXPECT_TRUE(sampled.collect(&statistics));
    EXPECT_TRUE(sampled.collect(nullptr));
    play(sampled, asked.machine.initial(), 2000);
    EXPECT_EQ(statistics.samples, 0U);
}

}  // namespace
}  // namespace stratagem::machine::lanes
