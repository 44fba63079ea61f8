#include "machine/playout.h"

#include <gmock/gmock.h>

#include <map>

#include "machine/machine_games.h"
#include "machine/machine_text.h"
#include "machine/tools/bench_playouts.h"

namespace stratagem::machine {
namespace {

using testing::bundled;
using testing::counting_game;
using testing::described;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::made;

const std::vector<MachineKind> all_kinds = {MachineKind::circuit, MachineKind::interpreter, MachineKind::check};

TEST(Playout, EndsWithGoals) {
    const gdl::Description description = described(counting_game);
    for (const MachineKind kind : all_kinds) {
        const std::unique_ptr<Machine> machine = made(description, kind);
        RandomPlay play(*machine);
        Random random(1);
        for (int game = 0; game < 20; ++game) {
            const Playout& played = play.play(random);
            EXPECT_EQ(played.end, PlayoutEnd::terminal);
            EXPECT_TRUE(machine->terminal(played.last));
            ASSERT_EQ(played.goals.size(), 2U);
            EXPECT_EQ(played.goals[0].value() + played.goals[1].value(), 100);
            EXPECT_GE(played.steps, 2U);
            EXPECT_LE(played.steps, 3U);
            EXPECT_THAT(played.moves, IsEmpty());
        }
    }
}

TEST(Playout, RecordedMovesLeadToTheSameEnd) {
    const gdl::Description description = bundled("breakthrough_6x6");
    const std::unique_ptr<Machine> machine = made(description, MachineKind::circuit);
    RandomPlay play(*machine);
    Random random(4);
    PlayoutOptions options;
    options.record_moves = true;
    const Playout& played = play.play(random, options);
    ASSERT_EQ(played.moves.size(), 2 * played.steps);
    State state = machine->initial();
    State next;
    for (std::size_t step = 0; step < played.steps; ++step) {
        EXPECT_FALSE(machine->terminal(state));
        machine->next(state, std::span(played.moves).subspan(2 * step, 2), next);
        std::swap(state, next);
    }
    EXPECT_EQ(state, played.last);
}

TEST(Playout, TheSeedDecides) {
    const gdl::Description description = bundled("connect_four");
    const std::unique_ptr<Machine> machine = made(description, MachineKind::circuit);
    PlayoutOptions options;
    options.record_moves = true;
    const auto moves = [&](std::uint64_t seed) {
        RandomPlay play(*machine);
        Random random(seed);
        return play.play(random, options).moves;
    };
    EXPECT_EQ(moves(1), moves(1));
    EXPECT_NE(moves(1), moves(2));
}

TEST(Playout, EveryMoveIsDrawnEquallyOften) {
    // Three moves of two roles, one of them chance: nine joint moves, chi-squared with 8 degrees of freedom.
    const gdl::Description description = described(R"(
        (role a) (role random) (init start)
        (pick 1) (pick 2) (pick 3)
        (<= (legal a ?x) (pick ?x)) (<= (legal random ?x) (pick ?x))
        (<= (next (picked ?x ?y)) (does a ?x) (does random ?y))
        (<= terminal (true (picked ?x ?y)))
        (goal a 100))");
    const std::unique_ptr<Machine> machine = made(description, MachineKind::circuit);
    RandomPlay play(*machine);
    Random random(11);
    std::map<std::string, int> count;
    constexpr int games = 9000;
    for (int game = 0; game < games; ++game) ++count[state_text(*machine, play.play(random).last)];
    ASSERT_EQ(count.size(), 9U);
    double sum = 0;
    for (const auto& [state, times] : count) sum += (times - games / 9.0) * (times - games / 9.0) / (games / 9.0);
    EXPECT_LT(sum, 35);
}

TEST(Playout, ARoleWithoutAMoveIsNamed) {
    const gdl::Description description = described(R"(
        (role white) (role black) (init (count 0))
        (legal white go)
        (<= (legal black go) (true (count 0)))
        (<= (next (count 1)) (does white go))
        (<= terminal (true (count 2)))
        (goal white 100) (goal black 100))");
    for (const MachineKind kind : all_kinds) {
        const std::unique_ptr<Machine> machine = made(description, kind);
        RandomPlay play(*machine);
        Random random(1);
        const Playout& played = play.play(random);
        EXPECT_EQ(played.end, PlayoutEnd::no_legal_move);
        EXPECT_EQ(played.stuck, Role{1});
        EXPECT_EQ(played.steps, 1U);
        EXPECT_EQ(state_text(*machine, played.last), "(count 1)");
        EXPECT_THAT(played.goals, IsEmpty());
    }
}

TEST(Playout, MissingAndSeveralGoalsAreNothing) {
    const gdl::Description description = described(R"(
        (role white) (role black) (init done)
        (legal white go) (legal black go)
        (<= (next done) (true done))
        (<= terminal (true done))
        (<= (goal white 100) (not (true done)))
        (goal black 10) (<= (goal black 20) (true done)))");
    for (const MachineKind kind : all_kinds) {
        const std::unique_ptr<Machine> machine = made(description, kind);
        RandomPlay play(*machine);
        Random random(1);
        EXPECT_THAT(play.play(random).goals, ElementsAre(std::nullopt, std::nullopt));
    }
}

TEST(Playout, StopsWhereItShould) {
    const gdl::Description description = described(R"(
        (role a) (init on) (legal a go) (legal a stay)
        (<= (next on) (true on)) (<= (next off) (does a go) (true off))
        (<= terminal (true off)) (goal a 100))");
    const std::unique_ptr<Machine> machine = made(description, MachineKind::circuit);
    RandomPlay play(*machine);
    Random random(1);
    PlayoutOptions options;
    options.max_steps = 50;
    EXPECT_EQ(play.play(random, options).end, PlayoutEnd::too_long);
    EXPECT_EQ(play.play(random, options).steps, 50U);

    const std::atomic<bool> stop{true};
    options.stop.flag = &stop;
    EXPECT_EQ(play.play(random, options).end, PlayoutEnd::stopped);
    options.stop = {Deadline::after(std::chrono::seconds(0)), nullptr};
    EXPECT_EQ(play.play(random, options).end, PlayoutEnd::stopped);
}

TEST(BenchPlayouts, CountsGamesAndSteps) {
    const gdl::Description description = described(counting_game);
    for (const MachineKind kind : all_kinds) {
        MachineOptions options;
        options.kind = kind;
        const GdlGame game(description, options);
        BenchOptions bench;
        bench.threads = 2;
        const BenchResult result =
            bench_playouts(game, bench, {Deadline::after(std::chrono::milliseconds(100)), nullptr});
        EXPECT_EQ(result.fault, "");
        EXPECT_EQ(result.too_long + result.stuck, 0U);
        // Games of two or three steps, half of them each: 2.5 on average but for chance.
        EXPECT_GE(result.steps, 2 * result.playouts);
        EXPECT_LE(result.steps, 3 * result.playouts);
        EXPECT_GT(result.seconds, 0);
    }
}

TEST(BenchPlayouts, CutGamesAreCounted) {
    const gdl::Description description = bundled("connect_four");
    for (const MachineKind kind : all_kinds) {
        MachineOptions options;
        options.kind = kind;
        const GdlGame game(description, options);
        BenchOptions bench;
        bench.max_steps = 3;
        const BenchResult result =
            bench_playouts(game, bench, {Deadline::after(std::chrono::milliseconds(100)), nullptr});
        EXPECT_EQ(result.too_long, result.playouts);
        EXPECT_EQ(result.steps, 3 * result.playouts);
    }
}

}  // namespace
}  // namespace stratagem::machine
