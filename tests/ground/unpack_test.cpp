#include "ground/unpack.h"

#include <gmock/gmock.h>

#include "ground/grounding.h"

namespace stratagem::ground {
namespace {

using testing::clauses_of;
using ::testing::ElementsAre;
using testing::fragment;
using testing::model;
using testing::only;
using testing::texts_of;

std::vector<std::string> unpacked(const std::string& rules) {
    gdl::Description description = fragment(rules);
    std::vector<Clause> clauses = clauses_of(description);
    Effort effort;
    unpack_arguments(clauses, description.terms, effort);
    return texts_of(description.terms, clauses);
}

TEST(Unpack, AFunctionTermBecomesARelation) {
    EXPECT_THAT(unpacked("(<= (p ?a (move ?x ?y)) (q ?a ?x ?y)) (<= (p ?a noop) (r ?a)) (<= s (p ?a (move ?x ?x)))"),
                ElementsAre("(<= (p/2 1.move/2 ?a ?x ?y) (q ?a ?x ?y))", "(<= (p/2 1.noop/0 ?a) (r ?a))",
                            "(<= s (p/2 1.move/2 ?a ?x ?x))"));
}

TEST(Unpack, AVariableStandsForEachFunction) {
    EXPECT_THAT(unpacked("(p (f a)) (p b) (<= (next ?x) (p ?x) (r ?x))"),
                ::testing::UnorderedElementsAre("(p/1 0.f/1 a)", "p/1 0.b/0", "(<= (next b) p/1 0.b/0 (r b))",
                                                "(<= (next (f ?inner 0)) (p/1 0.f/1 ?inner 0) (r (f ?inner 0)))"));
}

TEST(Unpack, ConditionsThatCanNeverHoldGo) {
    // p never holds (g …) or d: positive, the rule goes; negated, the condition goes.
    EXPECT_THAT(unpacked("(p (f a)) (<= q (p (g a))) (<= r (p (f b)) (not (p d)))"),
                ElementsAre("(p/1 0.f/1 a)", "(<= r (p/1 0.f/1 b))"));
}

TEST(Unpack, NestedTermsTakeFurtherRounds) {
    EXPECT_THAT(unpacked("(p (f (g a))) (<= q (p (f (g ?x))))"),
                ElementsAre("(p/1 0.f/1/1 0.g/1 a)", "(<= q (p/1 0.f/1/1 0.g/1 ?x))"));
}

TEST(Unpack, LeavesWhatItCannotKnow) {
    const std::string variable_in_head = "(<= (p ?x) (q ?x))";
    EXPECT_THAT(unpacked("(p (f a)) " + variable_in_head), ElementsAre("(p (f a))", variable_in_head));
    const std::string variable_in_negation = "(<= q (r ?x) (not (p ?x)))";
    EXPECT_THAT(unpacked("(p (f a)) " + variable_in_negation), ElementsAre("(p (f a))", variable_in_negation));
    const std::string constants_only = "(p a)";
    EXPECT_THAT(unpacked(constants_only), ElementsAre(constants_only));
    const std::string keyword = "(<= (legal a (mark ?x)) (true (cell ?x)))";
    EXPECT_THAT(unpacked(keyword), ElementsAre(keyword));
    std::string many;
    for (int i = 0; i < 7; ++i) many += "(p (f" + std::to_string(i) + " a))";
    EXPECT_THAT(unpacked(many), ::testing::Contains("(p (f3 a))"));
}

TEST(Unpack, EndsOnTermsThatGrow) {
    EXPECT_FALSE(unpacked("(p z) (<= (p (s ?x)) (p ?x))").empty());
    EXPECT_FALSE(unpacked("(p z) (<= (p (s ?x ?x)) (p ?x))").empty());
}

TEST(Unpack, MeansTheSame) {
    // Asked for under keywords, which keep their names.
    const std::string rules = R"(
        (d a) (d b) (e a b)
        (<= (move ?x (go ?y (at ?x))) (e ?x ?y)) (<= (move ?x stay) (d ?x)) (<= (move ?x (swap ?x)) (d ?x))
        (<= (next ?m) (move a ?m) (move b ?m))
        (<= (other ?x) (d ?x) (d ?y) (move ?y (go ?x ?p)))
        (<= (no ?x) (d ?x) (not (move ?x (go b (at a)))))
        (<= (never ?x) (d ?x) (not (move ?x (jump a))))
        (<= (legal ?m ?n) (move ?x ?m) (move ?x ?n) (distinct ?m ?n)))";
    gdl::Description plain = fragment(rules);
    gdl::Description flat = plain;
    const std::vector<Clause> before = clauses_of(plain);
    std::vector<Clause> after = clauses_of(flat);
    Effort effort;
    unpack_arguments(after, flat.terms, effort);
    EXPECT_NE(texts_of(plain.terms, before), texts_of(flat.terms, after));
    const std::set<std::string> expected = model(before, plain.terms);
    const std::set<std::string> found = model(after, flat.terms);
    for (const char* relation : {"next", "other", "no", "never", "legal"}) {
        EXPECT_EQ(only(found, relation), only(expected, relation)) << relation;
        EXPECT_FALSE(only(expected, relation).empty()) << relation;
    }
}

}  // namespace
}  // namespace stratagem::ground
