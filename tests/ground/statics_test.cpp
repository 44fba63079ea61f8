#include "ground/statics.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "ground/grounding.h"

namespace stratagem::ground {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::lines_of;
using testing::program_of;
using ::testing::UnorderedElementsAre;

// A game of one step around some rules.
Program game_with(const std::string& rules) {
    return program_of(
        "(role a) (init p) (legal a wait) (<= (next q) (true p)) (<= terminal (true q)) (<= (goal a 100) (true q))" +
        rules);
}

std::vector<std::string> facts_of(const Program& program) { return lines_of(program.statics.to_text(program.terms)); }

const StaticRelation* find(const Program& program, const std::string& name, std::uint32_t arity) {
    gdl::Symbol symbol{};
    return program.terms.symbols().find(name, symbol) ? program.statics.find(symbol, arity) : nullptr;
}

TEST(Statics, WhatIsEvaluatedStays) {
    const Program program = program_of(R"(
        (role a) (init (at 1)) (succ 1 2) (succ 2 3)
        (<= (top ?x) (succ ?y ?x) (not (below ?x))) (<= (below ?x) (succ ?x ?y))
        (<= fine (top 3)) (<= wrong (top 1))
        (<= (legal a (go ?y)) (true (at ?x)) (succ ?x ?y) fine (not wrong))
        (<= (next (at ?y)) (does a (go ?y)))
        (<= terminal (true (at ?x)) (top ?x)) (<= (goal a 100) (true (at ?x)) (top ?x)))");
    EXPECT_THAT(facts_of(program),
                UnorderedElementsAre("(succ 1 2)", "(succ 2 3)", "(top 3)", "(below 1)", "(below 2)", "fine"));
    const StaticRelation* succ = find(program, "succ", 2);
    ASSERT_NE(succ, nullptr);
    EXPECT_TRUE(succ->complete());
    EXPECT_EQ(succ->size(), 2U);
    EXPECT_EQ(find(program, "succ", 3), nullptr);
    EXPECT_EQ(find(program, "wrong", 0), nullptr) << "never holds";
    EXPECT_EQ(find(program, "at", 1), nullptr) << "a fluent";
}

TEST(Statics, FlatRelationsArePutTogether) {
    const Program program = game_with(R"(
        (r (f a (g b)) (h 1)) (r c (h 2)) (r (f c (g a)) (h 3))
        (<= (next (s ?x ?y)) (r ?x ?y) (true p)))");
    EXPECT_THAT(facts_of(program),
                UnorderedElementsAre("(r (f a (g b)) (h 1))", "(r c (h 2))", "(r (f c (g a)) (h 3))"));
}

TEST(Statics, WhatGroundingMakesIsLeftOut) {
    // A disjunction and a long chain: both become relations of their own on the way.
    const Program program = game_with(R"(
        (e 1 2) (e 2 3) (e 3 4) (c 1)
        (<= (far ?a) (e ?a ?b) (e ?b ?c) (e ?c ?d) (or (c ?a) (c ?d)))
        (<= (next (s ?x)) (far ?x) (true p)))");
    EXPECT_THAT(facts_of(program), UnorderedElementsAre("(e 1 2)", "(e 2 3)", "(e 3 4)", "(c 1)", "(far 1)"));
}

TEST(Statics, RelationsOfTwoArgumentsNeedNotBeAskedFor) {
    const Program program = game_with(R"(
        (step 1 2) (step 2 3) (<= (less ?a ?b) (step ?a ?b)) (<= (less ?a ?c) (step ?a ?b) (less ?b ?c))
        (<= (base (count ?x)) (step ?x ?y)) (lonely x) (three 1 2 3)
        (<= (dynamic ?a ?b) (step ?a ?b) (true p)))");
    EXPECT_THAT(facts_of(program),
                UnorderedElementsAre("(step 1 2)", "(step 2 3)", "(less 1 2)", "(less 2 3)", "(less 1 3)"));
}

TEST(Statics, WhatIsAskedForIsNotEvaluatedTwice) {
    const Program program = game_with(R"(
        (step (n 1) (n 2)) (step (n 2) (n 3)) (<= (back ?a ?b) (step ?b ?a))
        (<= (next (s ?x)) (step ?x ?y) (true p)))");
    EXPECT_THAT(facts_of(program), UnorderedElementsAre("(step (n 1) (n 2))", "(step (n 2) (n 3))",
                                                        "(back (n 2) (n 1))", "(back (n 3) (n 2))"));
}

TEST(Statics, NobodyIsHurtByRulesWithoutEndThatNobodyAsksFor) {
    const Program program = game_with("(number z z) (<= (number (s ?x) ?y) (number ?x ?y)) (step 1 2)");
    const StaticRelation* number = find(program, "number", 2);
    ASSERT_NE(number, nullptr);
    EXPECT_FALSE(number->complete());
    EXPECT_THAT(facts_of(program), ::testing::Contains("; number with 2 arguments: cut short after 0 facts"));
}

TEST(Statics, LargeRelationsAreCutShort) {
    std::string rules = "(<= (pair ?x ?y) (d ?x) (d ?y)) (<= (next (s ?x ?x)) (pair ?x ?x) (true p))";
    for (int i = 0; i < 500; ++i) rules += fmt::format("(d {})", i);
    const Program program = game_with(rules);
    const StaticRelation* pair = find(program, "pair", 2);
    ASSERT_NE(pair, nullptr);
    EXPECT_FALSE(pair->complete());
    EXPECT_EQ(pair->size(), Statics::most_tuples);
    EXPECT_TRUE(find(program, "d", 1)->complete());
}

TEST(Statics, SmallRelationsAreKeptBeforeLargeOnes) {
    // Together more than there is room for; `first` is the largest.
    std::string rules;
    for (int i = 0; i < 400; ++i) rules += fmt::format("(d {})", i);
    for (const std::string name : {"first", "second", "third"}) {
        rules +=
            fmt::format("(<= ({0} ?x ?y 1 2 3 4) (d ?x) (d ?y){1}) (<= (next (s {0} ?x)) ({0} ?x ?x 1 2 3 4) (true p))",
                        name, name == "first" ? "" : " (distinct ?x ?y)");
    }
    const Program program = game_with(rules);
    EXPECT_LE(program.statics.term_count(), Statics::most_terms);
    EXPECT_FALSE(find(program, "first", 6)->complete());
    EXPECT_TRUE(find(program, "second", 6)->complete());
    EXPECT_TRUE(find(program, "third", 6)->complete());
}

TEST(Statics, MadeInCode) {
    gdl::TermPool terms;
    const gdl::Symbol less = terms.symbols().intern("less");
    const gdl::Symbol rain = terms.symbols().intern("rain");
    const std::vector<gdl::Term> pair{terms.constant(terms.symbols().intern("a")),
                                      terms.constant(terms.symbols().intern("b"))};
    Statics statics;
    EXPECT_TRUE(statics.empty());
    statics.add(terms, terms.constant(rain));
    statics.add(terms, terms.compound(less, pair));
    EXPECT_TRUE(statics.is_consistent(terms));
    EXPECT_EQ(statics.to_text(terms), "(less a b)\nrain\n");
    std::vector<gdl::Symbol> symbols;
    for (const StaticRelation& one : statics) symbols.push_back(one.symbol());
    EXPECT_THAT(symbols, ElementsAre(less, rain));
    EXPECT_THAT(statics.find(less, 2)->tuple(0), ElementsAre(pair[0], pair[1]));
    EXPECT_THAT(statics.find(rain, 0)->tuple(0), IsEmpty());
}

TEST(Statics, AnAuditFindsEachFault) {
    Program program = game_with("(step 1 2)");
    gdl::TermPool& terms = program.terms;
    const gdl::Symbol step = terms.symbols().intern("step");
    const gdl::Term one = terms.constant(terms.symbols().intern("1"));
    const auto spoiled = [&](const std::vector<gdl::Term>& tuple, gdl::Symbol symbol) {
        Program other = program;
        other.statics.relation(symbol, 2).add(tuple);
        return !other.is_consistent();
    };
    const gdl::Term two = terms.constant(terms.symbols().intern("2"));
    EXPECT_FALSE(spoiled({two, one}, step));
    EXPECT_TRUE(spoiled({one, two}, step)) << "twice";
    EXPECT_TRUE(spoiled({one, gdl::Term{1'000'000}}, step)) << "no term";
    EXPECT_TRUE(spoiled({one, terms.variable(step)}, step)) << "a variable";
    EXPECT_TRUE(spoiled({two, one}, gdl::keyword::legal)) << "a word of the language";
    EXPECT_TRUE(spoiled({two, one}, gdl::Symbol{1'000'000})) << "no symbol";
}

}  // namespace
}  // namespace stratagem::ground
