// Features of conditions: how many alternatives hold, how far the nearest has come, how far two things are apart.
#include <gtest/gtest.h>

#include "evaluate/neural_game.h"

namespace stratagem::evaluate::neural::testing {
namespace {

using feature::Feature;

// Five lamps that go out one by one; the game is lost when all are out.
const std::string lamps = R"(
    (role player) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (lamp 5)
    (init (lit 1)) (init (lit 2)) (init (lit 3)) (init (lit 4)) (init (lit 5))
    (<= (legal player (blow ?l)) (lamp ?l))
    (<= (next (lit ?l)) (true (lit ?l)) (not (does player (blow ?l))))
    (<= light (true (lit ?l)))
    (<= terminal (not light))
    (<= (goal player 100) light)
    (<= (goal player 0) (not light))
)";

TEST(SolutionCardinality, CountsWhatHoldsAgainstTheFirstState) {
    NeuralGame game(machine::testing::described(lamps), {}, 5);
    for (const Transformation kind : {Transformation::local, Transformation::soft}) {
        Settings settings = settings_for(kind);
        settings.features.solutions = true;
        game.set(settings);
        EXPECT_EQ(game.evaluator->feature_counts().found(Feature::solution_cardinality), 1U);
        const Limits& limits = game.evaluator->goals()
                                   .network()
                                   .neuron(node_of(game.evaluator->goals().theory().goals().back().condition))
                                   .input;
        std::vector<std::string> lit;
        double last = -1;
        for (int n = 1; n <= 5; ++n) {
            lit.push_back(fmt::format("(lit {})", n));
            const double answer = game.answer(game.state(lit), 100);
            EXPECT_GT(answer, last) << n;
            EXPECT_GT(answer, 0) << n;
            last = answer;
            // 1 - 2^(-n/5) of the way from what just holds to what surely holds.
            const double input = limits.high + (limits.highest - limits.high) * (1 - std::exp2(-n / 5.0));
            EXPECT_NEAR(answer, kind == Transformation::soft ? input : squash(input), 1e-12);
        }
        EXPECT_LT(game.answer(game.state({}), 100), 0);
    }
}

// Rows of three on a board too large to be graded.
TEST(PartialSolutions, SayHowFarTheNearestHasCome) {
    NeuralGame game(machine::testing::bundled("tic_tac_toe"), {}, 5);
    for (const Transformation kind : {Transformation::local, Transformation::soft}) {
        Settings settings = settings_for(kind);
        settings.most_graded = 0;
        game.set(settings);
        const std::vector<std::string> none{"(cell 1 1 x)", "(cell 3 2 x)"}, one{"(cell 1 1 x)", "(cell 1 2 x)"};
        EXPECT_EQ(game.answer(game.state(none), 100), game.answer(game.state(one), 100)) << "crisp without features";
        settings.features.partial = settings.features.solutions = true;
        game.set(settings);
        EXPECT_GE(game.evaluator->feature_counts().found(Feature::partial_solution_cardinality), 2U);
        const auto answer = [&](const std::vector<std::string>& cells) { return game.answer(game.state(cells), 100); };
        // Cells of no line count less than two of a line, and more lines of two count more.
        EXPECT_LT(answer({}), answer(none));
        EXPECT_LT(answer(none), answer(one));
        EXPECT_LT(answer(one), answer({"(cell 1 1 x)", "(cell 1 2 x)", "(cell 2 1 x)"}));
        EXPECT_LT(answer(one), 0);
        EXPECT_GT(answer({"(cell 1 1 x)", "(cell 1 2 x)", "(cell 1 3 x)"}), 0);
        // Following gives the same, although crisp lines do not change their values.
        const std::unique_ptr<Evaluation> following = game.evaluator->start();
        for (const auto& cells : {none, one, none}) {
            EXPECT_EQ(following->value(game.state(cells), Role{0}), game.evaluator->value(game.state(cells), Role{0}));
        }
    }
}

// A hunter and a hare on a line of eight.
const std::string hunt = R"(
    (role hunter) (role hare)
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
    (init (at hunter 1)) (init (at hare 7)) (init (left 9))
    (succ 8 9)
    (<= (step ?x ?y) (succ ?x ?y)) (<= (step ?x ?y) (succ ?y ?x))
    (<= (legal ?r (go ?y)) (role ?r) (true (at ?r ?x)) (step ?x ?y))
    (<= (legal ?r stay) (role ?r))
    (<= (next (at ?r ?y)) (does ?r (go ?y)))
    (<= (next (at ?r ?x)) (does ?r stay) (true (at ?r ?x)))
    (<= (next (left ?n)) (true (left ?m)) (succ ?n ?m))
    (<= caught (true (at hunter ?x)) (true (at hare ?x)))
    (<= terminal caught) (<= terminal (true (left 1)))
    (<= (goal hunter 100) caught) (<= (goal hunter 0) (not caught))
    (<= (goal hare 100) (not caught)) (<= (goal hare 0) caught)
)";

TEST(VariableDistance, SaysHowFarTwoAreApart) {
    NeuralGame game(machine::testing::described(hunt), {}, 5);
    for (const Transformation kind : {Transformation::local, Transformation::soft}) {
        Settings settings = settings_for(kind);
        settings.features.variable = true;
        game.set(settings);
        ASSERT_EQ(game.evaluator->feature_counts().found(Feature::variable_distance), 1U)
            << game.evaluator->feature_counts().to_text();
        const auto value = [&](int hunter, int hare, std::uint32_t role) {
            return game.value(game.state({fmt::format("(at hunter {})", hunter), fmt::format("(at hare {})", hare)}),
                              role);
        };
        for (int x = 1; x < 7; ++x) {
            EXPECT_LT(value(x, 8, 0), value(x + 1, 8, 0)) << x;
            EXPECT_GT(value(x, 8, 1), value(x + 1, 8, 1)) << x;
            EXPECT_EQ(value(x, 8, 0), value(8, x, 0)) << x;
        }
        EXPECT_LT(game.answer(game.state({"(at hunter 3)", "(at hare 4)"}), 100), 0);
        EXPECT_GT(game.answer(game.state({"(at hunter 4)", "(at hare 4)"}), 100), 0);
    }
}

// Who has more coins in the end.
const std::string coins = R"(
    (role one) (role two)
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
    (<= (more ?x ?y) (succ ?y ?x)) (<= (more ?x ?y) (succ ?z ?x) (more ?z ?y))
    (init (has one 0)) (init (has two 0)) (init (round 0))
    (<= (legal ?r take) (role ?r)) (<= (legal ?r wait) (role ?r))
    (<= (next (has ?r ?y)) (does ?r take) (true (has ?r ?x)) (succ ?x ?y))
    (<= (next (has ?r 6)) (does ?r take) (true (has ?r 6)))
    (<= (next (has ?r ?x)) (does ?r wait) (true (has ?r ?x)))
    (<= (next (round ?y)) (true (round ?x)) (succ ?x ?y))
    (<= terminal (true (round 6)))
    (<= richer (true (has one ?x)) (true (has two ?y)) (more ?x ?y))
    (<= (goal one 100) richer) (<= (goal one 0) (not richer))
    (<= (goal two 100) (not richer)) (<= (goal two 0) richer)
)";

TEST(Orders, CountByHowMuchOneIsMore) {
    NeuralGame game(machine::testing::described(coins), {}, 5);
    for (const Transformation kind : {Transformation::local, Transformation::soft}) {
        Settings settings = settings_for(kind);
        settings.features.orders = true;
        game.set(settings);
        ASSERT_EQ(game.evaluator->feature_counts().found(Feature::order), 1U)
            << game.evaluator->feature_counts().to_text();
        const auto answer = [&](int one, int two) {
            return game.answer(game.state({fmt::format("(has one {})", one), fmt::format("(has two {})", two)}), 100);
        };
        for (int x = 0; x < 6; ++x) {
            EXPECT_LT(answer(x, 3), answer(x + 1, 3)) << x;
            EXPECT_EQ(answer(x, 3) > 0, x > 3) << x;
        }
    }
}

TEST(FeatureCounts, SayWhatWasFoundAndWhatNot) {
    feature::FeatureCounts counts;
    EXPECT_EQ(counts.to_text(), "");
    counts.find(Feature::order, 2);
    counts.skip(Feature::fixed_distance, "no time", 3);
    counts.skip(Feature::fixed_distance, "no time");
    counts.skip(Feature::fixed_distance, "too far");
    feature::FeatureCounts twice = counts;
    twice.add(counts);
    EXPECT_EQ(counts.to_text(), "order 2; fixed distance 0 (skipped: 4 no time, 1 too far)");
    EXPECT_EQ(twice.found(Feature::order), 4U);
    EXPECT_EQ(twice.skipped(Feature::fixed_distance), 10U);
}

}  // namespace
}  // namespace stratagem::evaluate::neural::testing
