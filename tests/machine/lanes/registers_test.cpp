// Registers by the furthest next use: no value is lost, and the one that makes room is the right one.
#include "machine/lanes/registers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "machine/random.h"

namespace stratagem::machine::lanes {
namespace {

// Uses given as a list for each value.
Uses uses_of(const std::vector<std::vector<std::uint32_t>>& times) {
    Uses uses(times.size());
    for (Value value = 0; value < times.size(); ++value) {
        for (std::size_t i = 0; i < times[value].size(); ++i) uses.count(value);
    }
    uses.seal();
    for (Value value = 0; value < times.size(); ++value) {
        for (const std::uint32_t time : times[value]) uses.add(value, time);
    }
    uses.rewind();
    return uses;
}

TEST(Uses, TheNextOneLaterThanThosePassed) {
    Uses uses = uses_of({{1, 5, 5, 9}, {}, {7}});
    EXPECT_EQ(uses.next(0), 1U);
    EXPECT_EQ(uses.next(1), Uses::not_again);
    EXPECT_EQ(uses.next(2), 7U);
    uses.pass(0, 0);
    EXPECT_EQ(uses.next(0), 1U);
    uses.pass(0, 1);
    EXPECT_EQ(uses.next(0), 5U);
    uses.pass(0, 5);  // both of them
    EXPECT_EQ(uses.next(0), 9U);
    uses.pass(0, 100);
    EXPECT_EQ(uses.next(0), Uses::not_again);
    uses.pass(0, 100);
    EXPECT_EQ(uses.next(2), 7U);
    uses.rewind();
    EXPECT_EQ(uses.next(0), 1U);
}

TEST(Registers, TheLatestNextUseMakesRoom) {
    Uses uses = uses_of({{10}, {30}, {20}, {5}});
    std::set<Value> memory;
    std::vector<Value> spilled;
    Registers registers(
        3, 4, uses, [&](Value value) { return memory.contains(value); },
        [&](Value value, Register) {
            spilled.push_back(value);
            memory.insert(value);
        });
    for (Value value = 0; value < 3; ++value) registers.take(value, {}, 0);
    EXPECT_TRUE(spilled.empty());
    const Register freed = registers.of(1);
    EXPECT_EQ(registers.take(3, {}, 0), freed);
    EXPECT_EQ(spilled, std::vector<Value>{1});
    EXPECT_EQ(registers.of(1), no_register);
    // Of the others, value 2 is the latest, but it is to be kept.
    const std::array<Value, 2> kept{2, 3};
    registers.take(1, kept, 0);
    EXPECT_EQ(spilled, (std::vector<Value>{1, 0}));
    EXPECT_NE(registers.of(2), no_register);
}

TEST(Registers, WhatIsNotNeededAgainGoesWithoutAStore) {
    Uses uses = uses_of({{10}, {}, {20}});
    Registers registers(
        2, 3, uses, [](Value) { return false; }, [](Value, Register) { FAIL(); });
    registers.take(0, {}, 0);
    registers.take(1, {}, 0);
    registers.take(2, {}, 0);
    EXPECT_EQ(registers.of(1), no_register);
    registers.release(2);
    EXPECT_EQ(registers.of(2), no_register);
    registers.release(2);  // twice does no harm
    registers.take(1, {}, 0);
    EXPECT_NE(registers.of(0), registers.of(1));
}

TEST(Registers, HandingOverKeepsTheRegister) {
    Uses uses = uses_of({{1}, {2}});
    Registers registers(
        1, 2, uses, [](Value) { return false; }, [](Value, Register) { FAIL(); });
    const Register place = registers.take(0, {}, 0);
    registers.hand_over(0, 1);
    EXPECT_EQ(registers.of(0), no_register);
    EXPECT_EQ(registers.of(1), place);
}

// Whatever is asked, no two values share a register, and a value that is needed again is in a register or in memory.
TEST(Registers, NoValueIsLost) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Random random(seed);
        constexpr std::uint32_t values = 60;
        std::vector<std::vector<std::uint32_t>> times(values);
        for (std::uint32_t time = 1; time < 400; ++time) times[random.below(values)].push_back(time);
        Uses uses = uses_of(times);
        std::set<Value> memory;
        Registers registers(
            5, values, uses, [&](Value value) { return memory.contains(value); },
            [&](Value value, Register place) {
                EXPECT_EQ(registers.of(value), place);
                EXPECT_TRUE(memory.insert(value).second) << "stored twice";
            });
        std::set<Value> made;
        for (std::uint32_t time = 1; time < 400; ++time) {
            for (Value value = 0; value < values; ++value) {
                if (uses.next(value) != time) continue;
                if (made.contains(value) && registers.of(value) == no_register) {
                    ASSERT_TRUE(memory.contains(value)) << "seed " << seed << " time " << time;
                }
                uses.pass(value, time);
                made.insert(value);
                if (registers.of(value) == no_register) registers.take(value, {}, time);
                if (uses.next(value) == Uses::not_again) registers.release(value);
            }
            std::set<Register> taken;
            for (Value value = 0; value < values; ++value) {
                if (registers.of(value) == no_register) continue;
                EXPECT_TRUE(taken.insert(registers.of(value)).second);
                EXPECT_LT(registers.of(value), 5U);
            }
        }
    }
}

}  // namespace
}  // namespace stratagem::machine::lanes
