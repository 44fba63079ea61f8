// Rules that nobody would write: grounding ends soon, or when its time is up, and says why. What must not take the
// square of the size is measured by counted work, never by the clock; with STRATAGEM_FULL_TESTS=1 at full size.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>

#include "ground/ground.h"
#include "grounding.h"
#include "test_size.h"

namespace stratagem::ground {
namespace {

using ::testing::HasSubstr;

std::size_t scaled(std::size_t full) { return full_tests() ? full : full / 40; }

const std::string frame =
    "(role r) (init go) (legal r noop) (<= (next go) (true go)) (<= terminal (not (true go))) (goal r 100)\n";

std::string repeated(std::size_t count, const std::function<std::string(std::size_t)>& part) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += part(i);
    return text;
}

gdl::Description described(const std::string& text) {
    gdl::ReadResult result = gdl::read("hostile.kif", text, gdl::Notation::kif);
    EXPECT_TRUE(result.ok());
    return std::move(result.description);
}

// Ends by itself.
GroundResult grounded(const std::string& text) {
    const gdl::Description description = described(text);
    GroundLimits limits;
    limits.deadline = Deadline::after(std::chrono::minutes(10));
    return ground(description, limits);
}

// By a deadline that has passed: the first look at the clock ends it, so every loop must look.
void expect_stopped(const std::string& text) {
    const gdl::Description description = described(text);
    GroundLimits limits;
    limits.deadline = Deadline::after(std::chrono::seconds(-1));
    const GroundResult result = ground(description, limits);
    EXPECT_FALSE(result.program);
    EXPECT_TRUE(result.limit_hit);
    EXPECT_THAT(result.failure, HasSubstr("time ran out"));
}

// Steps counted while a rule is turned into clauses.
std::size_t expansion_work(const std::string& text) {
    gdl::Description description = described(text);
    std::vector<Clause> clauses;
    Effort effort;
    for (const gdl::Rule& rule : description.rules) to_clauses(rule, description.terms, clauses, effort);
    return effort.total();
}

std::string long_body(std::size_t conditions) {
    return frame + "(<= (next done)" +
           repeated(conditions, [](std::size_t i) { return fmt::format(" (true (f {}))", i); }) + ")";
}

TEST(Hostile, ExpandingABodyTakesTimeInProportionToItsLength) {
    const std::size_t size = scaled(400'000);
    const std::size_t once = expansion_work(long_body(size));
    EXPECT_LT(expansion_work(long_body(2 * size)), 3 * once);
}

TEST(Hostile, BodiesOfManyConditions) {
    const std::size_t size = scaled(800'000);
    EXPECT_TRUE(grounded(long_body(size)).program);
    // All of them hold: no recursion for each of them.
    const auto fact = [](std::size_t i) { return fmt::format(" (d {})", i); };
    const GroundResult all = grounded(frame + repeated(size, fact) + "(<= (next done)" + repeated(size, fact) + ")");
    ASSERT_TRUE(all.program) << all.failure;
    EXPECT_EQ(all.program->fluents.size(), 2U);
    const auto negation = [](std::size_t i) { return fmt::format(" (not (true (f {})))", i); };
    EXPECT_TRUE(grounded(frame + "(<= (next done)" + repeated(size, negation) + ")").program);
    const auto distinct = [](std::size_t i) { return fmt::format(" (distinct ?x {})", i + 5); };
    EXPECT_TRUE(grounded(frame + "(d 1) (d 2) (<= (next (f ?x)) (d ?x)" + repeated(size, distinct) + ")").program);
}

TEST(Hostile, BodiesOfManyVariables) {
    const auto binding = [](std::size_t i) { return fmt::format(" (d ?x{})", i); };
    const std::size_t size = scaled(800'000);
    const GroundResult result = grounded(frame + "(d 1) (<= (next done)" + repeated(size, binding) + ")");
    EXPECT_FALSE(result.program);
    EXPECT_TRUE(result.limit_hit);
    EXPECT_THAT(result.failure, HasSubstr("conditions that bind variables"));
}

TEST(Hostile, DisjunctionsThatMultiply) {
    const auto pair = [](std::size_t i) { return fmt::format(" (or (p ?x{0}) (q ?y{0}))", i); };
    const GroundResult product = grounded(frame + "(p 1) (q 1) (<= (next done)" + repeated(40, pair) + ")");
    EXPECT_TRUE(product.program || product.limit_hit) << product.failure;
    const auto branch = [](std::size_t i) { return fmt::format(" (true (f {}))", i); };
    const GroundResult wide = grounded(frame + "(<= (next done) (or" + repeated(scaled(800'000), branch) + "))");
    EXPECT_TRUE(wide.program || wide.limit_hit) << wide.failure;
    std::string nested = "(true go)";
    for (int i = 0; i < 300; ++i) nested = "(or (true a) (and (true b) " + nested + "))";
    EXPECT_TRUE(grounded(frame + "(<= (next done) " + nested + ")").program);
}

// A relation over function terms repeats the rules that ask for it, once for each function.
TEST(Hostile, FunctionsThatMultiply) {
    const auto asked = [](std::size_t i) { return fmt::format(" (p ?x{})", i); };
    const GroundResult result =
        grounded(frame + "(p (f 1)) (p (g 1)) (p (h 1)) (<= (next done)" + repeated(60, asked) + ")");
    EXPECT_FALSE(result.program);
    EXPECT_TRUE(result.limit_hit);
    EXPECT_THAT(result.failure, HasSubstr("the rules that use 'p' multiply"));
}

TEST(Hostile, ManyRelations) {
    const std::size_t size = scaled(300'000);
    const auto rule = [](std::size_t i) { return fmt::format("(<= p{} p{})\n", i + 1, i); };
    const std::string end = fmt::format("(<= (next done) p{})", size);
    for (const char* begin : {"p0\n", "(<= p0 (true go))\n", "(<= p0 (does r noop))\n"}) {
        EXPECT_TRUE(grounded(frame + begin + repeated(size, rule) + end).program) << begin;
    }
    const auto wide = [](std::size_t i) { return fmt::format("(<= (p{} ?a ?b ?c ?d) (p{} ?a ?b ?c ?d))\n", i + 1, i); };
    EXPECT_TRUE(grounded(frame + "(p0 1 2 3 4) " + repeated(size, wide) +
                         fmt::format("(<= (next done) (p{} ?a ?b ?c ?d))", size))
                    .program);
}

// Half of them are asked for, the others evaluated on their own: both become tables of the program.
TEST(Hostile, ManyStaticRelations) {
    const std::size_t size = scaled(200'000);
    const auto relation = [](std::size_t i) {
        return fmt::format("(lone{0} a b) (used{0} a b) (<= (next done) (used{0} ?x ?x))\n", i);
    };
    const GroundResult result = grounded(frame + repeated(size, relation));
    ASSERT_TRUE(result.program);
    const auto relations = std::distance(result.program->statics.begin(), result.program->statics.end());
    EXPECT_EQ(static_cast<std::size_t>(relations), 2 * size);
}

TEST(Hostile, ManyFacts) {
    const std::size_t size = scaled(1'000'000);
    const auto fact = [](std::size_t i) { return fmt::format("(e {0} {0} {0} {0})", i); };
    EXPECT_TRUE(grounded(frame + repeated(size, fact) + "(<= (next done) (e ?x ?y ?z 7))").program);
    const auto role = [](std::size_t i) { return fmt::format("(role r{0}) (legal r{0} noop)", i); };
    EXPECT_TRUE(grounded(frame + repeated(scaled(200'000), role)).program);
}

TEST(Hostile, ManyFluents) {
    const std::size_t size = scaled(300'000);
    const auto fact = [](std::size_t i) { return fmt::format("(init (f {}))", i); };
    const GroundResult kept = grounded(frame + repeated(size, fact) + "(<= (next (f ?x)) (true (f ?x)))");
    ASSERT_TRUE(kept.program);
    EXPECT_EQ(kept.program->fluents.size(), size + 1);
    EXPECT_EQ(kept.program->initial.size(), size + 1);
    const auto proposition = [](std::size_t i) { return fmt::format("(init f{0}) (<= (next f{0}) (true f{0}))", i); };
    const GroundResult written_out = grounded(frame + repeated(size, proposition));
    ASSERT_TRUE(written_out.program);
    EXPECT_EQ(written_out.program->fluents.size(), size + 1);
}

// Larger than what is done between two looks.
TEST(Hostile, EveryStageLooksAtTheClock) {
    constexpr std::size_t size = 250'000;
    const auto fact = [](std::size_t i) { return fmt::format("(e {} {})", i, i + 1); };
    expect_stopped(long_body(size));
    expect_stopped(frame + repeated(size, fact) + "(<= (next (at ?y)) (true (at ?x)) (e ?x ?y))");
}

TEST(Hostile, AFlagEndsItAsTheClockDoes) {
    const gdl::Description description = described(long_body(250'000));
    std::atomic<bool> flag = true;
    GroundLimits limits;
    limits.deadline = Deadline::never().or_when(&flag);
    const GroundResult result = ground(description, limits);
    EXPECT_FALSE(result.program);
    EXPECT_THAT(result.failure, HasSubstr("interrupted"));
}

}  // namespace
}  // namespace stratagem::ground
