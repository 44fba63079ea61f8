// Covering logic with operations of two or three inputs: the code computes what the logic means, with no more
// operations than nodes.
#include "machine/lanes/straight_line.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

#include "machine/lanes/cover.h"
#include "machine/lanes/random_logic.h"

namespace stratagem::machine::lanes {
namespace {

using testing::RandomLogic;
using testing::Words;

std::size_t gates_of(const Logic& logic) {
    std::size_t count = 0;
    for (std::uint32_t node = 0; node < logic.size(); ++node) count += logic.is_gate(node) ? 1U : 0U;
    return count;
}

class Arity : public ::testing::TestWithParam<unsigned> {};

TEST_P(Arity, RandomLogicKeepsItsMeaning) {
    for (std::uint64_t seed = 1; seed <= 80; ++seed) {
        RandomLogic random(seed, 2 + seed % 20, seed * 12);
        const auto [roots, meant] = random.roots(1 + seed);
        const StraightLine line = compile(random.logic, roots, GetParam());
        ASSERT_TRUE(line.is_consistent()) << seed;
        EXPECT_EQ(line.stores.size() + line.constants.size(), roots.size());
        for (const Operation& operation : line.operations) EXPECT_LE(operation.arity, GetParam());
        ASSERT_EQ(testing::evaluate(line, random.values, roots.size()), meant) << seed;
    }
}

TEST_P(Arity, WhatIsAskedForFirstChangesTheOrderAlone) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        RandomLogic random(seed, 8, 300);
        const auto [roots, meant] = random.roots(30);
        const std::vector<Signal> first = random.roots(40).first;  // some are roots, some not computed at all
        const StraightLine plain = compile(random.logic, roots, GetParam());
        const StraightLine line = compile(random.logic, roots, GetParam(), Deadline::never(), first);
        ASSERT_TRUE(line.is_consistent());
        EXPECT_EQ(line.operations.size(), plain.operations.size());
        EXPECT_EQ(testing::evaluate(line, random.values, roots.size()), meant);
    }
}

TEST_P(Arity, TheCoverNeedsNoMoreOperationsThanNodesAndEveryLeafIsThere) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        RandomLogic random(seed, 10, 400);
        const std::vector<Signal> roots = random.roots(20).first;
        const Cover cover(random.logic, roots, GetParam(), Deadline::never());
        const Words value = testing::evaluate(random.logic, random.values);
        std::size_t used = 0;
        for (std::uint32_t node = 0; node < random.logic.size(); ++node) {
            if (!cover.is_used(node)) continue;
            ++used;
            const Cut& cut = cover.cut(node);
            ASSERT_GE(cut.size, 1U);
            ASSERT_LE(cut.size, GetParam());
            // The table, looked up in every assignment.
            for (unsigned bit = 0; bit < 64; ++bit) {
                std::uint64_t row = 0;
                for (std::uint32_t i = 0; i < cut.size; ++i) row |= (value[cut.leaves[i]] >> bit & 1U) << i;
                ASSERT_EQ(cover.table(node) >> row & 1U, value[node] >> bit & 1U) << "node " << node;
            }
            for (std::uint32_t i = 0; i < cut.size; ++i) {
                const std::uint32_t leaf = cut.leaves[i];
                ASSERT_LT(leaf, node);
                ASSERT_TRUE(cover.is_used(leaf) || random.logic.is_input(leaf)) << "leaf " << leaf;
            }
        }
        for (const Signal root : roots) EXPECT_EQ(cover.is_used(root.node()), random.logic.is_gate(root.node()));
        EXPECT_LE(used, gates_of(random.logic));
        EXPECT_GT(used, 0U);
    }
}

// Where few inputs decide everything, the ways from a node down to them are exponentially many.
TEST_P(Arity, DeepLogicOfFewInputs) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        RandomLogic random(seed, 2 + seed % 3, 2000);
        const auto [roots, meant] = random.roots(100);
        const StraightLine line = compile(random.logic, roots, GetParam());
        ASSERT_EQ(testing::evaluate(line, random.values, roots.size()), meant) << seed;
    }
}

TEST_P(Arity, ConstantsInputsAndRepeatedRoots) {
    Logic logic;
    const Signal a = logic.input();
    const Signal b = logic.input();
    const Signal both = logic.both(a, b);
    const std::vector<Signal> roots{always, never, a, !a, both, !both, both, !both, b};
    const StraightLine line = compile(logic, roots, GetParam());
    ASSERT_TRUE(line.is_consistent());
    const Words inputs{0xCCCC, 0xAAAA};
    const std::uint64_t on = ~std::uint64_t{0};
    const std::uint64_t x = 0xCCCC & 0xAAAA;
    EXPECT_EQ(testing::evaluate(line, inputs, roots.size()),
              (Words{on, 0, 0xCCCC, ~std::uint64_t{0xCCCC}, x, ~x, x, ~x, 0xAAAA}));
    EXPECT_EQ(line.constants.size(), 2U);
}

TEST_P(Arity, NothingIsComputedForNothing) {
    RandomLogic random(3, 5, 100);
    EXPECT_TRUE(compile(random.logic, {}, GetParam()).operations.empty());
}

TEST_P(Arity, AnExpiredDeadlineIsSaid) {
    RandomLogic random(3, 5, 100);
    const auto roots = random.roots(10).first;
    EXPECT_THROW(compile(random.logic, roots, GetParam(), Deadline::after(std::chrono::seconds(-1))),
                 std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(StraightLine, Arity, ::testing::Values(2U, 3U));

TEST(StraightLine, FunctionsOfThreeInputsAreOneOperation) {
    Logic logic;
    const Signal a = logic.input();
    const Signal b = logic.input();
    const Signal c = logic.input();
    for (const Signal root : {logic.most(a, b, c), logic.differ(logic.differ(a, b), c), logic.choose(a, b, c)}) {
        const std::vector<Signal> roots{!root};
        EXPECT_EQ(compile(logic, roots, 3).operations.size(), 1U);
    }
    const std::vector<Signal> roots{logic.differ(a, b)};
    EXPECT_EQ(compile(logic, roots, 2).operations.size(), 1U);
}

TEST(StraightLine, AuditFindsWhatIsWrong) {
    StraightLine line;
    line.input_count = 2;
    line.operations = {{{0, 1, 0}, 2, 0x88}};
    line.stores = {{1, 0, 2}};
    EXPECT_TRUE(line.is_consistent());
    StraightLine early = line;
    early.stores[0].after = 0;  // before the value is there
    EXPECT_FALSE(early.is_consistent());
    StraightLine ahead = line;
    ahead.operations[0].inputs[1] = 2;  // itself
    EXPECT_FALSE(ahead.is_consistent());
}

}  // namespace
}  // namespace stratagem::machine::lanes
