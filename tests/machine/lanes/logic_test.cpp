// The graph of conjunctions: what it simplifies must keep its meaning.
#include "machine/lanes/logic.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "machine/lanes/random_logic.h"

namespace stratagem::machine::lanes {
namespace {

using testing::RandomLogic;

TEST(Logic, RandomLogicMeansWhatWasAsked) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        RandomLogic random(seed, 3 + seed % 10, 40 + seed * 10);
        const testing::Words value = testing::evaluate(random.logic, random.values);
        for (std::size_t i = 0; i < random.signals.size(); ++i) {
            const Signal signal = random.signals[i];
            ASSERT_EQ(testing::signed_word(signal, value[signal.node()]), random.meant[i])
                << "seed " << seed << " signal " << i;
        }
    }
}

TEST(Logic, NodesComeAfterTheirInputsAndAreAllDifferent) {
    RandomLogic random(7, 8, 2000);  // enough for the hash table to grow
    std::set<std::pair<Signal, Signal>> seen;
    for (std::uint32_t node = 1; node < random.logic.size(); ++node) {
        if (!random.logic.is_gate(node)) continue;
        const auto [left, right] = random.logic.node(node);
        EXPECT_LT(left.node(), node);
        EXPECT_LT(right.node(), node);
        EXPECT_NE(left.node(), 0U);
        EXPECT_NE(left.node(), right.node());
        EXPECT_TRUE(seen.emplace(left, right).second) << node;
    }
    EXPECT_GT(seen.size(), 600U);
}

TEST(Logic, InputsAreNumberedInOrder) {
    Logic logic;
    const Signal first = logic.input();
    const Signal gate = logic.both(first, logic.input());
    const Signal third = logic.input();
    EXPECT_EQ(logic.input_count(), 3U);
    EXPECT_EQ(logic.input_number(first.node()), 0U);
    EXPECT_EQ(logic.input_number(third.node()), 2U);
    EXPECT_TRUE(logic.is_gate(gate.node()));
    EXPECT_FALSE(logic.is_gate(0));
    EXPECT_FALSE(logic.is_input(0));
}

TEST(Logic, SimplifiesWhatTwoLevelsShow) {
    Logic logic;
    const Signal a = logic.input();
    const Signal b = logic.input();
    const Signal c = logic.input();
    const Signal ab = logic.both(a, b);
    EXPECT_EQ(logic.both(b, a), ab);
    EXPECT_EQ(logic.both(a, a), a);
    EXPECT_EQ(logic.both(a, !a), never);
    EXPECT_EQ(logic.both(a, always), a);
    EXPECT_EQ(logic.both(never, a), never);
    EXPECT_EQ(logic.both(a, ab), ab);
    EXPECT_EQ(logic.both(!a, ab), never);
    EXPECT_EQ(logic.both(a, !logic.both(!a, c)), a);
    EXPECT_EQ(logic.both(a, !ab), logic.both(a, !b));
    EXPECT_EQ(logic.differ(a, a), never);
    EXPECT_EQ(logic.differ(a, never), a);
    EXPECT_EQ(logic.most(a, b, never), ab);
    EXPECT_EQ(logic.most(a, a, c), a);
}

TEST(Logic, AllAndAnyOfNothing) {
    Logic logic;
    EXPECT_EQ(logic.all({}), always);
    EXPECT_EQ(logic.any({}), never);
    const Signal a = logic.input();
    EXPECT_EQ(logic.all({a}), a);
    EXPECT_EQ(logic.any({a}), a);
    EXPECT_EQ(logic.all({a, logic.input(), !a}), never);
}

}  // namespace
}  // namespace stratagem::machine::lanes
