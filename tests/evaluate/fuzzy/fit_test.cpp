// Norms that suit the game: values of states that can be chosen between stay apart.
#include <gtest/gtest.h>

#include <set>

#include "evaluate/fuzzy_game.h"
#include "gdl/scramble.h"

namespace stratagem::evaluate::fuzzy::testing {
namespace {

struct Fitted : FuzzyGame {
    explicit Fitted(gdl::Description rules, std::optional<double> power = {}, std::optional<double> scale = {})
        : FuzzyGame(std::move(rules)), first(first_states(prepared, {})) {
        evaluator->fit(first, power, scale);
    }

    FirstStates first;
};

// Of the states that were left, those from which all ways lead to the same value.
std::size_t flat(const FuzzyEvaluator& evaluator, const FirstStates& states) {
    const auto work = evaluator.start();
    std::size_t count = 0;
    for (const std::vector<std::uint32_t>& siblings : states.siblings) {
        std::set<double> values;
        for (const std::uint32_t one : siblings) values.insert(work->value(states.states[one], Role{0}));
        count += values.size() <= 1 && siblings.size() > 1 ? 1U : 0U;
    }
    return count;
}

// Nine tiles that are all some way off add up to more than the norm of the paper can tell apart.
TEST(FuzzyFit, EightPuzzleIsNotClipped) {
    const FuzzyGame paper(machine::testing::bundled("eight_puzzle"));
    const Fitted game(machine::testing::bundled("eight_puzzle"));
    ASSERT_GT(game.first.siblings.size(), 50u);
    EXPECT_GT(flat(*paper.evaluator, game.first), game.first.siblings.size() / 2);
    // What is left is not clipped: these tiles are as many moves away after one move as after the other.
    EXPECT_LT(flat(*game.evaluator, game.first), flat(*paper.evaluator, game.first) / 2);
    for (const State& state : game.first.states) EXPECT_GT(game.value(state), 0);
}

TEST(FuzzyFit, ThePapersNormStaysWhereItTellsEnoughApart) {
    for (const std::string name : {"breakthrough", "connect_four", "hallway", "knightthrough", "tic_tac_toe"}) {
        const Fitted game(machine::testing::bundled(name));
        EXPECT_EQ(game.evaluator->settings().power, 15) << name;
        EXPECT_EQ(game.evaluator->settings().scale, 1) << name;
    }
}

TEST(FuzzyFit, WhatIsGivenStays) {
    const Fitted power(machine::testing::bundled("eight_puzzle"), 10);
    EXPECT_EQ(power.evaluator->settings().power, 10);
    EXPECT_LT(power.evaluator->settings().scale, 1);
    const Fitted scale(machine::testing::bundled("eight_puzzle"), {}, 0.75);
    EXPECT_EQ(scale.evaluator->settings().scale, 0.75);
    const Fitted both(machine::testing::bundled("eight_puzzle"), 15, 1);
    EXPECT_EQ(both.evaluator->settings().power, 15);
}

// The first states are the same set of states whatever they are called, and so is what is chosen.
TEST(FuzzyFit, DoesNotDependOnNames) {
    for (const std::string name : {"eight_puzzle", "chinese_checkers", "blocks_world", "bidding_tic_tac_toe"}) {
        const Fitted game(machine::testing::bundled(name));
        for (const std::uint64_t seed : {1U, 2U}) {
            const gdl::Scrambled scrambled = gdl::scramble(machine::testing::bundled(name), seed);
            const Fitted other(machine::testing::described(scrambled.text));
            EXPECT_EQ(other.first.states.size(), game.first.states.size()) << name;
            EXPECT_EQ(other.evaluator->settings().power, game.evaluator->settings().power) << name;
            EXPECT_EQ(other.evaluator->settings().scale, game.evaluator->settings().scale) << name;
        }
    }
}

TEST(FirstStates, AreWholeLevels) {
    const gdl::Description rules = machine::testing::bundled("tic_tac_toe");
    const machine::GdlGame game(rules);
    EXPECT_EQ(first_states(game, {}, 1).states.size(), 1u);
    EXPECT_EQ(first_states(game, {}, 9).states.size(), 1u);
    EXPECT_EQ(first_states(game, {}, 10).states.size(), 1u + 9);
    const FirstStates two = first_states(game, {}, 100);
    EXPECT_EQ(two.states.size(), 1u + 9 + 72);
    ASSERT_EQ(two.siblings.size(), 1u + 9);
    EXPECT_EQ(two.siblings[0].size(), 9u);
    EXPECT_EQ(two.siblings[9].size(), 8u);
}

}  // namespace
}  // namespace stratagem::evaluate::fuzzy::testing
