#include "ground/clause.h"

#include <gmock/gmock.h>

#include "ground/grounding.h"

namespace stratagem::ground {
namespace {

using testing::clauses_of;
using ::testing::ElementsAre;
using testing::fragment;
using testing::texts_of;

std::vector<std::string> clauses(const std::string& rules) {
    gdl::Description description = fragment(rules);
    const std::vector<Clause> made = clauses_of(description);
    return texts_of(description.terms, made);
}

TEST(Clause, PlainRulesStayAsTheyAre) {
    EXPECT_THAT(clauses("(p a) (<= (q ?x) (p ?x) (not (r ?x)) (distinct ?x b))"),
                ElementsAre("(p a)", "(<= (q ?x) (p ?x) (not (r ?x)) (distinct ?x b))"));
}

TEST(Clause, ADisjunctionAloneIsMultipliedOut) {
    EXPECT_THAT(
        clauses("(<= (q ?x) (or (p ?x) (and (r ?x) (s ?x)) (or (t ?x) (u ?x))))"),
        ElementsAre("(<= (q ?x) (p ?x))", "(<= (q ?x) (r ?x) (s ?x))", "(<= (q ?x) (t ?x))", "(<= (q ?x) (u ?x))"));
}

TEST(Clause, ASafeDisjunctionBecomesARelationOverWhatItShares) {
    EXPECT_THAT(
        clauses("(<= (q ?x) (p ?x) (or (r ?x ?y) (s ?x)))"),
        ElementsAre("(<= (either 0 ?x) (r ?x ?y))", "(<= (either 0 ?x) (s ?x))", "(<= (q ?x) (p ?x) (either 0 ?x))"));
}

TEST(Clause, AnUnsafeDisjunctionIsMultipliedOut) {
    // One alternative does not bind ?x.
    EXPECT_THAT(clauses("(<= (q ?x) (p ?x) (or (not (r ?x)) (s ?x)))"),
                ElementsAre("(<= (q ?x) (p ?x) (not (r ?x)))", "(<= (q ?x) (p ?x) (s ?x))"));
    EXPECT_THAT(clauses("(<= (q ?x) (p ?x) (or (distinct ?x a) s))"),
                ElementsAre("(<= (q ?x) (p ?x) (distinct ?x a))", "(<= (q ?x) (p ?x) s)"));
}

TEST(Clause, SeveralDisjunctionsKeepApart) {
    EXPECT_THAT(clauses("(<= q p (or a b) (or c d)) (<= r p (or c d))"),
                ElementsAre("(<= either 0 a)", "(<= either 0 b)", "(<= either 2 c)", "(<= either 2 d)",
                            "(<= q p either 0 either 2)", "(<= either 5 c)", "(<= either 5 d)", "(<= r p either 5)"));
}

TEST(Clause, NegationsArePushedInwards) {
    EXPECT_THAT(clauses("(<= (q ?x) (p ?x) (not (or (r ?x) (s ?x))))"),
                ElementsAre("(<= (q ?x) (p ?x) (not (r ?x)) (not (s ?x)))"));
    EXPECT_THAT(clauses("(<= (q ?x) (p ?x) (not (and (r ?x) (not (s ?x)))))"),
                ElementsAre("(<= (q ?x) (p ?x) (not (r ?x)))", "(<= (q ?x) (p ?x) (s ?x))"));
    EXPECT_THAT(clauses("(<= (q ?x) (p ?x) (not (not (r ?x))))"), ElementsAre("(<= (q ?x) (p ?x) (r ?x))"));
}

TEST(Clause, EqualityIsANegatedDistinct) {
    gdl::Description description = fragment("(<= (q ?x) (p ?x) (not (distinct ?x a)))");
    const std::vector<Clause> made = clauses_of(description);
    ASSERT_EQ(made.size(), 1U);
    EXPECT_EQ(made[0].body[1].kind, ClauseLiteral::Kind::negative);
    EXPECT_EQ(gdl::to_kif(description.terms, made[0].body[1].atom), "(distinct ?x a)");
}

TEST(Clause, ARepeatedConditionIsKeptOnce) {
    EXPECT_THAT(clauses("(<= q p r p (and r p))"), ElementsAre("(<= q p r)"));
}

TEST(Clause, TooManyClausesAreRefused) {
    // 2^15 alternatives, none of which can become a relation since all are negations of the same variable's atoms.
    std::string rule = "(<= (q ?x) (p ?x)";
    for (int i = 0; i < 15; ++i)
        rule += " (or (not (r" + std::to_string(i) + " ?x)) (not (s" + std::to_string(i) + " ?x)))";
    gdl::Description description = fragment(rule + ")");
    std::vector<Clause> made;
    Effort effort;
    EXPECT_FALSE(to_clauses(description.rules.front(), description.terms, made, effort));
    EXPECT_TRUE(made.empty());
}

}  // namespace
}  // namespace stratagem::ground
