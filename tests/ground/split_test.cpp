#include "ground/split.h"

#include <gmock/gmock.h>

#include "ground/grounding.h"
#include "ground/made_names.h"
#include "ground/variables.h"

namespace stratagem::ground {
namespace {

using testing::clauses_of;
using ::testing::ElementsAre;
using testing::fragment;
using testing::model;
using testing::only;
using testing::texts_of;

// With facts taken into the database first, as in the pipeline; they are the clauses without a body.
struct Split {
    gdl::Description description;
    std::unique_ptr<Database> database;
    std::vector<Clause> facts;
    std::vector<Clause> clauses;

    explicit Split(const std::string& rules) : description(fragment(rules)) {
        database = std::make_unique<Database>(description.terms);
        std::vector<Clause> all = clauses_of(description);
        for (Clause& clause : all) (clause.body.empty() ? facts : clauses).push_back(std::move(clause));
        for (const Clause& fact : facts) {
            std::vector<gdl::Term> arguments;
            const RelationId relation = database->resolve(fact.head, arguments);
            database->activate(database->intern(relation, arguments));
        }
        split_clauses(clauses, *database);
    }

    std::vector<std::string> texts() const { return texts_of(description.terms, clauses); }
    std::size_t most_variables() const {
        std::size_t most = 0;
        for (const Clause& clause : clauses) {
            Variables variables;
            for (const ClauseLiteral& literal : clause.body) {
                collect_variables(description.terms, literal.atom, variables);
            }
            most = std::max(most, variables.size());
        }
        return most;
    }
};

TEST(Split, ShortRulesStayAsTheyAre) {
    const std::string rule = "(<= (next (f ?x)) (true (f ?x)) (true (g ?x)))";
    EXPECT_THAT(Split(rule).texts(), ElementsAre(rule));
}

TEST(Split, UnrelatedConditionsAreCutOff) {
    const Split split("(<= (next (f ?x)) (true (f ?x)) (true (g ?y)))");
    ASSERT_EQ(split.clauses.size(), 2U);
    EXPECT_EQ(split.most_variables(), 1U);
    // The part binds ?y alone; the rule asks whether it holds.
    EXPECT_THAT(split.texts()[0], ::testing::HasSubstr("(true (g ?y))"));
    EXPECT_THAT(split.texts()[1], ::testing::StartsWith("(<= (next (f ?x)) (true (f ?x)) part "));
}

TEST(Split, AChainNeverNeedsMoreThanTwoVariablesAtOnce) {
    const Split split("(<= (next on) (true (e ?a ?b)) (true (e ?b ?c)) (true (e ?c ?d)) (true (e ?d ?a2)))");
    EXPECT_GT(split.clauses.size(), 1U);
    EXPECT_LE(split.most_variables(), 2U);
}

TEST(Split, EqualPartsAreSharedWhateverTheirVariablesAreCalled) {
    const Split split(R"(
        (<= (next (f ?x)) (true (f ?x)) (true (e ?y ?z)) (true (g ?z)))
        (<= (next (h ?u)) (true (h ?u)) (true (e ?v ?w)) (true (g ?w))))");
    std::set<std::string> heads;
    for (const Clause& clause : split.clauses) {
        const std::string head = gdl::to_kif(split.description.terms, clause.head);
        if (is_part_name(std::string_view(head).substr(head[0] == '(' ? 1 : 0))) {
            EXPECT_TRUE(heads.insert(head).second) << head;
        }
    }
    // No part was made for the second rule that the first had made already.
    std::size_t with_edge = 0;
    for (const std::string& text : split.texts()) with_edge += text.find("(true (e ") != std::string::npos ? 1 : 0;
    EXPECT_EQ(with_edge, 1U);
}

TEST(Split, WhatIsDeterminedIsNotCutOff) {
    // With succ known, ?y adds no instances.
    const std::string rule = "(<= (next (f ?x)) (true (f ?x)) (succ ?x ?y) (true (g ?y ?z)))";
    EXPECT_THAT(Split("(succ 1 2) (succ 2 3) " + rule).texts(), ElementsAre(rule));
    // A relation that is no function: ?y is free.
    EXPECT_EQ(Split("(succ 1 2) (succ 1 3) (succ 2 3) " + rule).clauses.size(), 2U);
}

TEST(Split, PartsAreSafe) {
    const Split split(R"(
        (d a) (d b) (e a b) (e b a) (e a a)
        (<= (next (f ?x)) (true (f ?x)) (d ?y) (not (true (g ?y))) (e ?y ?z) (distinct ?z ?y) (not (true (h ?x ?z))))
        (<= (next (f ?x)) (d ?x) (e ?x ?y) (e ?y ?z) (not (true (h ?x ?y))) (not (true (h ?y ?z))) (distinct ?x ?z)))");
    for (const Clause& clause : split.clauses) {
        Variables bound;
        Variables wanted = variables_of(split.description.terms, clause.head);
        for (const ClauseLiteral& literal : clause.body) {
            const bool positive = literal.kind == ClauseLiteral::Kind::positive;
            collect_variables(split.description.terms, literal.atom, positive ? bound : wanted);
        }
        EXPECT_TRUE(includes(bound, wanted)) << testing::text_of(split.description.terms, clause);
    }
}

TEST(Split, MeansTheSame) {
    const std::string rules = R"(
        (d a) (d b) (d c) (e a b) (e b c) (e c a) (e a c) (f a (h b)) (f b (h b)) (g b) (g c)
        (<= (p ?x) (e ?x ?y) (e ?y ?z) (e ?z ?w) (g ?w))
        (<= (q ?x ?y) (d ?x) (d ?y) (e ?x ?z) (not (e ?z ?y)) (d ?u) (distinct ?u ?z) (f ?u (h ?v)) (g ?v))
        (<= r (d ?x) (not (g ?x)) (e ?y ?z) (not (e ?z ?y)))
        (<= (s ?x) (d ?x) (e ?y ?z) (e ?z ?y2) (not (distinct ?y ?y2)) (not (g ?x)))
        (<= (t ?x ?y) (e ?x ?y)) (<= (t ?x ?z) (t ?x ?y) (t ?y ?z) (d ?w) (g ?w) (not (f ?w (h ?w)))))";
    gdl::Description plain = fragment(rules);
    const std::set<std::string> expected = model(clauses_of(plain), plain.terms);
    Split split(rules);
    ASSERT_GT(split.clauses.size(), 6U);
    std::vector<Clause> all = split.facts;
    all.insert(all.end(), split.clauses.begin(), split.clauses.end());
    const std::set<std::string> found = model(all, split.description.terms);
    for (const char* relation : {"p", "q", "r", "s", "t"}) {
        EXPECT_EQ(only(found, relation), only(expected, relation)) << relation;
    }
}

}  // namespace
}  // namespace stratagem::ground
