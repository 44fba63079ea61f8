// What leaves are worth by features: nearer is better, what stays is certain, what is excluded is dead.
#include <gtest/gtest.h>

#include "evaluate/neural_game.h"

namespace stratagem::evaluate::feature {
namespace {

using neural::Settings;
using neural::testing::NeuralGame;

Settings with(bool distances, bool persistence, bool admissible) {
    Settings settings;
    settings.features.distances = distances;
    settings.features.persistence = persistence;
    settings.features.admissible = admissible;
    return settings;
}

LeafFeatures::Memory memory_of(const LeafFeatures& features, const machine::State& state) {
    LeafFeatures::Memory memory = features.make_memory();
    state.for_each([&](Fluent fluent) { features.flip(fluent, true, memory); });
    return memory;
}

TEST(Reference, MovesOutwardsTowardsTheEnd) {
    const Reference far = Reference::at(0), near = Reference::at(0.75);
    EXPECT_EQ(far.probably_true, 0.5);
    EXPECT_EQ(far.probably_false, -0.5);
    EXPECT_EQ(near.probably_true, 0.875);
    EXPECT_EQ(near.probably_false, -0.875);
    // The thesis: from f_p to t_p. Sound: below 0.
    EXPECT_EQ(far.by_distance(1, false), -0.5);
    EXPECT_EQ(far.by_distance(0, false), 0.5);
    EXPECT_EQ(far.by_distance(1, true), -0.5);
    EXPECT_EQ(far.by_distance(0, true), -0.125);
    EXPECT_EQ(far.by_distance(0.5, false), 0);
}

// Two walkers on a line of six: the first wins at the end of it.
const std::string walkers = R"(
    (role left) (role right)
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
    (init (at left 1)) (init (at right 1))
    (<= (legal ?r go) (role ?r)) (<= (legal ?r stay) (role ?r))
    (<= (next (at ?r ?y)) (does ?r go) (true (at ?r ?x)) (succ ?x ?y))
    (<= (next (at ?r 6)) (does ?r go) (true (at ?r 6)))
    (<= (next (at ?r ?x)) (does ?r stay) (true (at ?r ?x)))
    (<= terminal (true (at left 6))) (<= terminal (true (at right 6)))
    (<= (goal left 100) (true (at left 6)) (not (true (at right 6))))
    (<= (goal left 0) (not (true (at left 6))))
    (<= (goal left 50) (true (at left 6)) (true (at right 6)))
    (<= (goal right 100) (true (at right 6)) (not (true (at left 6))))
    (<= (goal right 0) (not (true (at right 6))))
    (<= (goal right 50) (true (at right 6)) (true (at left 6)))
)";

TEST(LeafFeatures, KnowHowFarItIs) {
    const NeuralGame game(machine::testing::described(walkers), with(true, false, false), 20);
    const LeafFeatures* features = game.evaluator->features();
    ASSERT_NE(features, nullptr);
    EXPECT_GE(features->counts().found(Feature::fixed_distance), 1U);
    const Fluent target = *game.machine->find_fluent("(at left 6)");
    double last = -1;
    for (int x = 1; x < 6; ++x) {
        const machine::State state = game.state({fmt::format("(at left {})", x), "(at right 1)"});
        const LeafFeatures::Judgement judged =
            features->judge(target, false, memory_of(*features, state), Reference::at(0));
        EXPECT_FALSE(judged.certain);
        EXPECT_GT(judged.value, last) << x;
        EXPECT_LT(judged.value, 0) << x;
        last = judged.value;
    }
    // And so the value of the state.
    const auto value = [&](int x) {
        return game.evaluator->value(game.state({fmt::format("(at left {})", x), "(at right 3)"}), machine::Role{0});
    };
    for (int x = 1; x < 5; ++x) EXPECT_LT(value(x), value(x + 1)) << x;
}

// The race of the thesis's appendix A.2.2: cells that lose lie behind the goal, and nobody moves on from them.
TEST(LeafFeatures, WhoMovesByHimselfNeedNotKeepAwayFromTheGoal) {
    const NeuralGame game(machine::testing::bundled("runners"), with(true, false, false), 20);
    const LeafFeatures* features = game.evaluator->features();
    ASSERT_NE(features, nullptr);
    EXPECT_EQ(features->counts().found(Feature::fixed_distance), 2U) << "one goal each";
    const auto value = [&](int x) {
        return game.evaluator->value(game.state({fmt::format("(at red {})", x), "(at blue 50)"}), machine::Role{0});
    };
    for (int x = 3; x < 50; ++x) EXPECT_GT(value(x), value(x + 1)) << x;
}

TEST(LeafFeatures, KnowTheStepsThatAreNeeded) {
    const NeuralGame game(machine::testing::described(walkers), with(false, false, true), 20);
    const LeafFeatures* features = game.evaluator->features();
    ASSERT_NE(features, nullptr);
    EXPECT_GE(features->counts().found(Feature::admissible_distance), 2U);
    const Fluent target = *game.machine->find_fluent("(at right 6)");
    const auto judged = [&](int x) {
        const machine::State state = game.state({"(at left 1)", fmt::format("(at right {})", x)});
        return features->judge(target, false, memory_of(*features, state), Reference::at(0)).value;
    };
    for (int x = 1; x < 5; ++x) EXPECT_LT(judged(x), judged(x + 1)) << x;
    // Nobody there: nobody will ever come.
    const machine::State nobody = game.state({"(at left 1)"});
    const LeafFeatures::Judgement never =
        features->judge(target, false, memory_of(*features, nobody), Reference::at(0));
    EXPECT_TRUE(never.certain);
    EXPECT_EQ(never.value, -1);
}

// A pawn on its way, and a goal for the draw that names every place as long as it has not arrived; so does the end.
const std::string pawn = R"(
    (role r)
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (place 1) (place 2) (place 3) (place 4) (place 5)
    (init (at 1)) (init (step 1))
    (<= (legal r go) (true (at ?x))) (<= (legal r stay) (true (at ?x)))
    (<= (next (at ?y)) (does r go) (true (at ?x)) (succ ?x ?y))
    (<= (next (at ?x)) (does r stay) (true (at ?x)))
    (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
    (<= anywhere (true (at ?x)))
    (<= terminal (true (at 5))) (<= terminal (true (step 5))) (<= terminal (not anywhere))
    (<= (goal r 100) (true (at 5)))
    (<= (goal r 50) anywhere (not (true (at 5))))
    (<= (goal r 0) (not anywhere))
)";

TEST(LeafFeatures, HaveDistancesUnlessTheGoalItselfNamesAllPlaces) {
    const NeuralGame game(machine::testing::described(pawn), with(true, false, false), 20);
    const LeafFeatures* features = game.evaluator->features();
    ASSERT_NE(features, nullptr);
    const Fluent target = *game.machine->find_fluent("(at 5)");
    const auto judged = [&](const char* at) {
        return features->judge(target, false, memory_of(*features, game.state({at})), Reference::at(0)).value;
    };
    EXPECT_LT(judged("(at 1)"), judged("(at 4)")) << features->counts().to_text();
    // Somewhere or nowhere is no place to go to.
    const Fluent passed = *game.machine->find_fluent("(at 3)");
    EXPECT_EQ(features->say(passed, false, memory_of(*features, game.state({"(at 1)"}))), "");
    // Lines are made anywhere: their cells have no distances.
    const NeuralGame lines(machine::testing::bundled("connect_four"), with(true, false, false), 20);
    EXPECT_EQ(lines.evaluator->features()->counts().skipped(Feature::fixed_distance), 2U * 7 * 6)
        << lines.evaluator->features()->counts().to_text();
    const NeuralGame ways(machine::testing::bundled("breakthrough_6x6"), with(true, false, false), 20);
    EXPECT_GE(ways.evaluator->features()->counts().found(Feature::fixed_distance), 12U)
        << ways.evaluator->features()->counts().to_text();
}

TEST(LeafFeatures, KnowWhatStays) {
    const NeuralGame game(machine::testing::bundled("tic_tac_toe"), with(false, true, false), 20);
    const LeafFeatures* features = game.evaluator->features();
    ASSERT_NE(features, nullptr);
    EXPECT_EQ(features->counts().found(Feature::true_persistence), 18U);
    EXPECT_EQ(features->counts().found(Feature::false_persistence), 9U);
    // A mark that is there stays, and the other one will not come.
    const machine::State initial = game.machine->initial();
    std::vector<machine::Move> legal, joint;
    for (std::uint32_t role = 0; role < 2; ++role) {
        game.machine->legal(initial, machine::Role{role}, legal);
        joint.push_back(legal.at(0));
    }
    machine::State next;
    game.machine->next(initial, joint, next);
    const LeafFeatures::Memory memory = memory_of(*features, next);
    std::size_t certain = 0;
    for (std::uint32_t i = 0; i < game.prepared.circuit()->program().fluents.size(); ++i) {
        if (!game.evaluator->goals().has_leaf(Fluent{i})) continue;
        const LeafFeatures::Judgement judged =
            features->judge(Fluent{i}, next.holds(Fluent{i}), memory, Reference::at(0));
        certain += judged.certain ? 1 : 0;
        EXPECT_EQ(judged.value > 0, next.holds(Fluent{i}));
    }
    EXPECT_EQ(certain, 2U);  // the mark, and that of the other one in its place
}

}  // namespace
}  // namespace stratagem::evaluate::feature
