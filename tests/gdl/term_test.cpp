#include "gdl/term.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace stratagem::gdl {
namespace {

class TermTest : public ::testing::Test {
  protected:
    Symbol name(const std::string& text) { return pool.symbols().intern(text); }
    Term constant(const std::string& text) { return pool.constant(name(text)); }
    Term variable(const std::string& text) { return pool.variable(name(text)); }

    TermPool pool;
};

TEST_F(TermTest, EqualTermsAreTheSameTerm) {
    const std::array arguments = {constant("1"), variable("x")};
    const Term cell = pool.compound(name("cell"), arguments);
    const std::size_t size = pool.size();
    EXPECT_EQ(pool.compound(name("cell"), arguments), cell);
    EXPECT_EQ(pool.size(), size);
    EXPECT_EQ(pool.symbol(cell), name("cell"));
    ASSERT_EQ(pool.arity(cell), 2U);
    EXPECT_EQ(pool.argument(cell, 0), constant("1"));
    EXPECT_EQ(pool.argument(cell, 1), variable("x"));
}

TEST_F(TermTest, WhatDiffersIsAnotherTerm) {
    const Term x = variable("x");
    EXPECT_NE(x, constant("x"));
    EXPECT_NE(x, variable("y"));
    const std::array one = {x};
    const std::array two = {x, x};
    EXPECT_NE(pool.compound(name("f"), one), pool.compound(name("f"), two));
    EXPECT_NE(pool.compound(name("f"), one), pool.compound(name("g"), one));
    EXPECT_NE(pool.compound(name("f"), one), constant("f"));
}

TEST_F(TermTest, KnowsWhatIsGround) {
    const std::array ground = {constant("a")};
    const Term inner = pool.compound(name("f"), ground);
    EXPECT_TRUE(pool.is_ground(inner));
    EXPECT_FALSE(pool.is_variable(inner));
    EXPECT_FALSE(pool.is_ground(variable("x")));
    EXPECT_TRUE(pool.is_variable(variable("x")));
    const std::array mixed = {inner, variable("x")};
    EXPECT_FALSE(pool.is_ground(pool.compound(name("g"), mixed)));
}

TEST_F(TermTest, ArgumentsMayBeAViewIntoThePool) {
    const std::array arguments = {constant("a"), constant("b"), constant("c")};
    Term term = pool.compound(name("f"), arguments);
    // Each new term makes the store of arguments grow under the view handed in.
    for (int i = 0; i < 2000; ++i) term = pool.compound(name("g" + std::to_string(i)), pool.arguments(term));
    ASSERT_EQ(pool.arity(term), 3U);
    EXPECT_EQ(pool.argument(term, 0), constant("a"));
    EXPECT_EQ(pool.argument(term, 2), constant("c"));
}

TEST_F(TermTest, ManyTermsStayDistinct) {
    constexpr std::uint32_t count = 50'000;
    std::vector<Term> terms;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::array arguments = {constant(std::to_string(i % 250)), constant(std::to_string(i / 250))};
        terms.push_back(pool.compound(name("cell"), arguments));
    }
    const std::size_t size = pool.size();
    EXPECT_EQ(size, count + 250);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::array arguments = {constant(std::to_string(i % 250)), constant(std::to_string(i / 250))};
        ASSERT_EQ(pool.compound(name("cell"), arguments), terms[i]);
    }
    EXPECT_EQ(pool.size(), size);
}

}  // namespace
}  // namespace stratagem::gdl
