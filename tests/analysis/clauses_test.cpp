// Clauses against truth tables.
#include "analysis/clauses.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

namespace stratagem::analysis {
namespace {

constexpr std::uint32_t enough = 10'000;

std::vector<Literal> some_variables(Clauses& clauses, std::size_t count) {
    std::vector<Literal> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(clauses.new_variable());
    return result;
}

// The variables as the bits of a number say.
std::vector<Literal> valuation(const std::vector<Literal>& variables, std::uint32_t bits) {
    std::vector<Literal> result;
    for (std::size_t i = 0; i < variables.size(); ++i)
        result.push_back((bits >> i & 1U) != 0 ? variables[i] : -variables[i]);
    return result;
}

TEST(Clauses, DefineConjunctionsAndDisjunctions) {
    for (std::size_t count = 0; count <= 4; ++count) {
        Clauses clauses;
        const std::vector<Literal> variables = some_variables(clauses, count);
        const Literal all = clauses.all_of(variables);
        const Literal any = clauses.any_of(variables);
        for (std::uint32_t bits = 0; bits < 1U << count; ++bits) {
            ASSERT_EQ(clauses.solve(valuation(variables, bits), enough, {}), Answer::satisfiable);
            EXPECT_EQ(clauses.value(all), bits + 1 == 1U << count);
            EXPECT_EQ(clauses.value(any), bits != 0);
        }
    }
}

TEST(Clauses, SayWhichAssumptionsWereNeeded) {
    Clauses clauses;
    const std::vector<Literal> v = some_variables(clauses, 4);
    clauses.add({-v[0], -v[2]});
    EXPECT_EQ(clauses.solve({v[0], v[1], v[2], v[3]}, enough, {}), Answer::unsatisfiable);
    EXPECT_TRUE(clauses.needed(v[0]));
    EXPECT_FALSE(clauses.needed(v[1]));
    EXPECT_TRUE(clauses.needed(v[2]));
    EXPECT_FALSE(clauses.needed(v[3]));
    EXPECT_EQ(clauses.solve({v[0], v[1], v[3]}, enough, {}), Answer::satisfiable);
}

TEST(Clauses, AreNotAskedOnceTimeIsUp) {
    Clauses clauses;
    EXPECT_EQ(clauses.solve({}, enough, {Deadline::after(std::chrono::seconds(0)), nullptr}), Answer::unknown);
}

TEST(Clauses, CountToOne) {
    for (std::size_t count = 1; count <= 6; ++count) {
        Clauses clauses;
        const std::vector<Literal> variables = some_variables(clauses, count);
        const Literal when = clauses.new_variable();
        clauses.at_most_one(variables, when);
        const Literal two = clauses.not_exactly_one(variables, false);
        const Literal not_one = clauses.not_exactly_one(variables, true);
        for (std::uint32_t bits = 0; bits < 1U << count; ++bits) {
            const int ones = std::popcount(bits);
            const auto possible = [&](Literal literal) {
                std::vector<Literal> assumptions = valuation(variables, bits);
                assumptions.push_back(literal);
                return clauses.solve(assumptions, enough, {}) == Answer::satisfiable;
            };
            EXPECT_EQ(possible(when), ones <= 1);
            EXPECT_TRUE(possible(-when));
            EXPECT_EQ(possible(two), ones >= 2);
            EXPECT_EQ(possible(not_one), ones != 1);
        }
    }
}

}  // namespace
}  // namespace stratagem::analysis
