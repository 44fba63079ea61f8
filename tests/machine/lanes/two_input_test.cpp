// Operations of two inputs in the functions every processor has: all tables, with negations that wander to the users.
#include "machine/lanes/two_input.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "machine/lanes/random_logic.h"

namespace stratagem::machine::lanes {
namespace {

using testing::Words;
using Kind = PlainOperation::Kind;

std::uint8_t whole_table(unsigned two_inputs) { return static_cast<std::uint8_t>(two_inputs | two_inputs << 4); }

const Words inputs{0xCCCC, 0xAAAA};

// Each pair of functions, the second one applied to the first and an input: every meeting of negations.
TEST(TwoInput, EveryPairOfTables) {
    for (unsigned first = 0; first < 16; ++first) {
        for (unsigned second = 0; second < 16; ++second) {
            for (const bool swapped : {false, true}) {
                StraightLine line;
                line.input_count = 2;
                line.operations.push_back({{0, 1, 0}, 2, whole_table(first)});
                const Value left = swapped ? 1 : 2;
                const Value right = swapped ? 2 : 1;
                line.operations.push_back({{left, right, left}, 2, whole_table(second)});
                line.operations.push_back({{3, 3, 3}, 1, 0x55});
                line.stores = {{1, 0, 2}, {2, 1, 3}, {3, 2, 4}, {3, 3, 2}, {3, 4, 0}};
                ASSERT_TRUE(line.is_consistent());
                ASSERT_EQ(testing::evaluate(plain_line(line), inputs, 5), testing::evaluate(line, inputs, 5))
                    << first << ' ' << second << ' ' << swapped;
            }
        }
    }
}

TEST(TwoInput, RandomLogicKeepsItsMeaning) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        testing::RandomLogic random(seed, 2 + seed % 12, seed * 15);
        const auto [roots, meant] = random.roots(1 + seed);
        const StraightLine line = compile(random.logic, roots, 2);
        const PlainLine plain = plain_line(line);
        EXPECT_EQ(plain.stores.size(), line.stores.size());
        for (std::size_t i = 0; i < plain.operations.size(); ++i) {
            ASSERT_LT(plain.operations[i].a, plain.input_count + i);
            ASSERT_LT(plain.operations[i].b, plain.input_count + i);
        }
        ASSERT_EQ(testing::evaluate(plain, random.values, roots.size()), meant) << seed;
    }
}

TEST(TwoInput, NegationsCostNothingBeforeAStore) {
    StraightLine line;
    line.input_count = 2;
    line.operations.push_back({{0, 1, 0}, 2, whole_table(0x7)});  // not both
    line.operations.push_back({{2, 0, 2}, 2, whole_table(0xE)});  // either
    line.stores = {{2, 0, 3}};
    const PlainLine plain = plain_line(line);
    EXPECT_EQ(std::ranges::count(plain.operations, Kind::invert, &PlainOperation::kind), 1);
    EXPECT_EQ(plain.operations.size(), 3U);
}

TEST(TwoInput, ThreeInputsAreRefused) {
    StraightLine line;
    line.input_count = 3;
    line.operations.push_back({{0, 1, 2}, 3, 0x80});
    EXPECT_THROW(plain_line(line), std::logic_error);
}

}  // namespace
}  // namespace stratagem::machine::lanes
