#include "evaluate/spread.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include "evaluate/registry.h"
#include "machine/circuit/circuit.h"
#include "machine/gdl_game.h"
#include "machine/same_game.h"

namespace stratagem::evaluate {
namespace {

constexpr double step = 2.0 / 65536;

TEST(Spread, RisesEverywhereAndKeepsWhatIsFixed) {
    std::vector<double> sample;
    for (int i = 0; i < 300; ++i) sample.push_back(24.4 + i * 1e-12);
    for (int i = 0; i < 20; ++i) sample.push_back(60 + i);
    const std::array fixed{0.0, 50.0, 100.0};
    const Spread spread(sample, fixed);
    for (const double one : fixed) EXPECT_DOUBLE_EQ(spread(one), one);
    double last = -1;
    for (double value = 0; value <= 100; value += 0.01) {
        EXPECT_GT(spread(value), last) << value;
        EXPECT_EQ(value < 50, spread(value) < 50) << value;
        last = spread(value);
    }
    std::set<double> rounded;
    for (int i = 0; i < 300; ++i) rounded.insert(std::floor(spread(24.4 + i * 1e-12) / step));
    EXPECT_EQ(rounded.size(), 300U);
}

TEST(Spread, OfNothingChangesNothing) {
    const std::array fixed{0.0, 100.0};
    const Spread spread({}, fixed);
    for (const double value : {0.0, 12.5, 99.0, 100.0}) EXPECT_DOUBLE_EQ(spread(value), value);
    const Spread at_the_ends({0.0, 100.0, 0.0}, fixed);
    for (const double value : {0.0, 12.5, 99.0, 100.0}) EXPECT_DOUBLE_EQ(at_the_ends(value), value);
}

struct FirstMoves {
    explicit FirstMoves(const char* transformation, const char* name = "connect_four_8x6")
        : description(machine::testing::bundled(name)),
          prepared(std::make_shared<const machine::GdlGame>(description)) {
        const EvaluatorEntry* entry = find_evaluator("neural");
        Material material;
        material.game = prepared;
        plain = entry->make(material, OptionValues(entry->options, std::string("transformation=") + transformation));
        spread = spread_out(plain, prepared->circuit(), step, {});
        const auto machine = prepared->make();
        std::vector<machine::Move> moves, others;
        machine->legal(machine->initial(), machine::Role{0}, moves);
        machine->legal(machine->initial(), machine::Role{1}, others);
        for (const machine::Move move : moves) {
            states.emplace_back();
            machine->next(machine->initial(), std::array{move, others.front()}, states.back());
        }
    }

    gdl::Description description;
    std::shared_ptr<const machine::Game> prepared;
    std::shared_ptr<const Evaluator> plain, spread;
    std::vector<machine::State> states;
};

// The thesis's example: first moves are 10⁻¹⁰ of a point apart.
TEST(Spread, LetsRoundedValuesTellFirstMovesApart) {
    const FirstMoves game("local");
    ASSERT_NE(game.spread, game.plain);
    const auto opinions = game.spread->start();
    std::set<double> plain, spread;
    for (const machine::State& a : game.states) {
        const double value = game.spread->value(a, machine::Role{0});
        EXPECT_DOUBLE_EQ(opinions->value(a, machine::Role{0}), value);
        spread.insert(std::floor(value / step));
        plain.insert(std::floor(game.plain->value(a, machine::Role{0}) / step));
        for (const machine::State& b : game.states) {
            EXPECT_EQ(game.plain->value(a, machine::Role{0}) < game.plain->value(b, machine::Role{0}),
                      value < game.spread->value(b, machine::Role{0}));
        }
    }
    EXPECT_EQ(plain.size(), 1U);
    EXPECT_EQ(spread.size(), 4U);
    EXPECT_EQ(game.spread->explain(game.states[0], machine::Role{0}).value,
              game.plain->explain(game.states[0], machine::Role{0}).value);
}

TEST(Spread, LeavesAloneWhatNeedsNoSpreading) {
    const auto constant = std::make_shared<const ConstantEvaluator>();
    const FirstMoves game("soft", "tic_tac_toe");
    EXPECT_EQ(spread_out(constant, game.prepared->circuit(), step, {}), constant);
    EXPECT_EQ(game.spread, game.plain);
}

}  // namespace
}  // namespace stratagem::evaluate
