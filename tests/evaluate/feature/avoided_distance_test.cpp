// Who wins only if something does not come to a place is near winning while it is far away, unless he moves it himself:
// then he need not go there, and what counts is how little he is forced to (thesis, A.2.2).
#include <gtest/gtest.h>

#include "evaluate/neural_game.h"

namespace stratagem::evaluate::feature {
namespace {

using neural::Settings;
using neural::testing::NeuralGame;

// A walker on a line of six, at the end of which there is a trap. Who is rested may also wait in one of four ways.
std::string trap_game(const std::string& mover) {
    const std::string idle = mover == "hunted" ? "hunter" : "hunted";
    return R"(
    (role hunted) (role hunter)
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
    (way a) (way b) (way c) (way d)
    (init (at 2)) (init (left 6)) (init rested)
    (<= (near ?x ?y) (succ ?x ?y)) (<= (near ?x ?y) (succ ?y ?x))
    (<= (next (left ?n)) (true (left ?m)) (succ ?n ?m))
    (<= terminal (true (left 1)))
    (<= (goal hunted 100) (not (true (at 6)))) (<= (goal hunted 0) (true (at 6)))
    (<= (goal hunter 100) (true (at 6))) (<= (goal hunter 0) (not (true (at 6))))
    )" + fmt::format(R"(
    (legal {1} watch)
    (<= (legal {0} (go ?y)) (true (at ?x)) (near ?x ?y))
    (<= (legal {0} (wait ?w)) (way ?w) (true rested))
    (<= (next (at ?y)) (does {0} (go ?y)))
    (<= (next (at ?x)) (does {0} (wait ?w)) (true (at ?x)))
    (<= (next rested) (does {0} (go ?y)) (true rested))
    )",
                     mover, idle);
}

struct TrapGame : NeuralGame {
    explicit TrapGame(const std::string& mover) : NeuralGame(machine::testing::described(trap_game(mover)), {}, 20) {
        Settings settings;
        settings.features.distances = true;
        set(settings);
    }

    machine::State walker_at(int x, bool rested) const {
        std::vector<std::string> fluents{fmt::format("(at {})", x), "(left 4)"};
        if (rested) fluents.emplace_back("rested");
        return state(fluents);
    }
    double value_of(int x, bool rested, std::uint32_t role) const { return value(walker_at(x, rested), role); }
    std::string said_of_trap(int x) const {
        neural::Work work(*evaluator);
        work.move_to(walker_at(x, true));
        return evaluator->features()->say(*machine->find_fluent("(at 6)"), false, work.features());
    }
};

constexpr std::uint32_t hunted = 0, hunter = 1;

TEST(AvoidedDistance, IsMobilityForWhoMovesItHimself) {
    const TrapGame game("hunted");
    ASSERT_NE(game.evaluator->features(), nullptr);
    const FeatureCounts counts = game.evaluator->feature_counts();
    EXPECT_EQ(counts.found(Feature::mobility), 1U) << counts.to_text();
    EXPECT_EQ(counts.skipped(Feature::fixed_distance), 1U) << counts.to_text();
    EXPECT_TRUE(game.evaluator->features()->wants_mobility());
    for (int x = 2; x < 6; ++x) {
        EXPECT_EQ(game.said_of_trap(x), "to be avoided") << x;
        // Where he stands is all the same as long as he has as many moves; the more he has, the better.
        EXPECT_EQ(game.value_of(x, true, hunted), game.value_of(2, true, hunted)) << x;
        EXPECT_GT(game.value_of(x, true, hunted), game.value_of(x, false, hunted)) << x;
        EXPECT_LT(game.value_of(x, true, hunter), game.value_of(x, false, hunter)) << x;
    }
    // In the trap nothing is undecided.
    EXPECT_LT(game.answer(game.walker_at(6, true), 100, hunted), 0);
}

TEST(AvoidedDistance, IsDistanceForWhoIsMoved) {
    const TrapGame game("hunter");
    ASSERT_NE(game.evaluator->features(), nullptr);
    const FeatureCounts counts = game.evaluator->feature_counts();
    EXPECT_EQ(counts.found(Feature::mobility), 0U) << counts.to_text();
    EXPECT_GE(counts.found(Feature::fixed_distance), 1U) << counts.to_text();
    EXPECT_FALSE(game.evaluator->features()->wants_mobility());
    for (int x = 2; x < 6; ++x) {
        EXPECT_EQ(game.said_of_trap(x), fmt::format("{} places away", 6 - x)) << x;
        EXPECT_EQ(game.value_of(x, true, hunted), game.value_of(x, false, hunted)) << x;
    }
    for (int x = 2; x < 5; ++x) {
        EXPECT_GT(game.value_of(x, true, hunted), game.value_of(x + 1, true, hunted)) << x;
        EXPECT_LT(game.value_of(x, true, hunter), game.value_of(x + 1, true, hunter)) << x;
    }
}

}  // namespace
}  // namespace stratagem::evaluate::feature
