// Infix: the same rules as in KIF from another notation, and the place of each fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gdl/format.h"
#include "reading.h"

namespace stratagem::gdl {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

std::vector<std::string> rules_of(const std::string& text) {
    const ReadResult result = read("test", text, Notation::infix);
    EXPECT_TRUE(result.ok()) << testing::rendered(result);
    return testing::rules(result.description);
}

std::vector<std::string> faults_of(const std::string& text) {
    return testing::faults(read("test", text, Notation::infix));
}

TEST(ReadInfixTest, FactsAndRules) {
    EXPECT_THAT(
        rules_of("role(white).\nlegal(W, mark(X, Y)) :- true(cell(X, Y, b)), true(control(W)).\nterminal :- open."),
        ElementsAre("(role white)", "(<= (legal ?w (mark ?x ?y)) (true (cell ?x ?y b)) (true (control ?w)))",
                    "(<= terminal open)"));
}

TEST(ReadInfixTest, BothNotationsGiveTheSameRules) {
    const ReadResult kif = read("test",
                                "(role a) terminal (<= (p ?x) (q ?x 1) (not (r ?x)) (or (s ?x) (and t (not u))))"
                                "(<= (v ?x) (distinct ?x a) (w ?x))",
                                Notation::kif);
    EXPECT_EQ(rules_of("role(a). terminal. p(X) :- q(X, 1), ~r(X), (s(X) ; t, ~u). v(X) :- distinct(X, a), w(X)."),
              testing::rules(kif.description));
}

TEST(ReadInfixTest, FullStopsMayBeMissing) {
    EXPECT_THAT(rules_of("role(a)\nrole(b)\np(X) :- q(X),\n  r(X)\nterminal :- p(a)\nterminal"),
                ElementsAre("(role a)", "(role b)", "(<= (p ?x) (q ?x) (r ?x))", "(<= terminal (p a))", "terminal"));
}

TEST(ReadInfixTest, BothArrowsAndEmptyBodies) {
    EXPECT_THAT(rules_of("p(X) <= q(X). r :- . s<=t"), ElementsAre("(<= (p ?x) (q ?x))", "r", "(<= s t)"));
}

TEST(ReadInfixTest, Negations) {
    EXPECT_THAT(rules_of("p :- ~a, \\+b, not c, not(d), ~ ~e, ~(f, g), nothing."),
                ElementsAre("(<= p (not a) (not b) (not c) (not d) (not (not e)) (not (and f g)) nothing)"));
}

TEST(ReadInfixTest, CommaBindsTighterThanSemicolon) {
    EXPECT_THAT(rules_of("p :- a, b ; c."), ElementsAre("(<= p (or (and a b) c))"));
    EXPECT_THAT(rules_of("p :- a, (b ; c | d)."), ElementsAre("(<= p a (or b c d))"));
    EXPECT_THAT(rules_of("p :- a & b, c."), ElementsAre("(<= p a b c)"));
    EXPECT_THAT(rules_of("p :- (a, b), c."), ElementsAre("(<= p (and a b) c)"));
    EXPECT_THAT(rules_of("p :- ((a))."), ElementsAre("(<= p a)"));
}

TEST(ReadInfixTest, VariablesAndNames) {
    EXPECT_THAT(rules_of("p(X, Xyz, _x, X1, ?y, aB, 1, 100a)."), ElementsAre("(p ?x ?xyz ?_x ?x1 ?y ab 1 100a)"));
}

TEST(ReadInfixTest, QuotedNames) {
    EXPECT_THAT(rules_of("p('A-b', 'it\\'s', 'c\\\\d', '<=', ?'x-y', ?'?z', '\xC3\xA4')."),
                ElementsAre("(p a-b it's c\\d <= ?x-y ??z \xC3\xA4)"));
    EXPECT_THAT(rules_of("q :- 'or'(a), 'not'(b)."), ElementsAre("(<= q (or a) (not b))"));
    // The examples of docs/infix.md.
    EXPECT_THAT(rules_of("successor('-1', 0). step('index++'). says('it\\'s'). gate('and'). p(?'n++', ?'1', ?'_')."),
                ElementsAre("(successor -1 0)", "(step index++)", "(says it's)", "(gate and)", "(p ?n++ ?1 ?_)"));
}

TEST(ReadInfixTest, EveryUnderscoreIsAVariableOfItsOwn) {
    EXPECT_THAT(rules_of("p :- q(_, _), r(_)."), ElementsAre("(<= p (q ?any1 ?any2) (r ?any3))"));
    EXPECT_THAT(rules_of("p(_). q(_)."), ElementsAre("(p ?any1)", "(q ?any1)"));
    // Never one that is written anywhere, before or after.
    EXPECT_THAT(rules_of("p(Any1) :- q(_, Any2, ?'any3')."), ElementsAre("(<= (p ?any1) (q ?any4 ?any2 ?any3))"));
}

TEST(ReadInfixTest, CommentsRunFromPercentToTheEndOfTheLine) {
    const ReadResult result = read("test", "% one\np( % two ).\r\n a) % three\n. % four", Notation::infix);
    EXPECT_TRUE(result.ok()) << testing::rendered(result);
    EXPECT_THAT(testing::rules(result.description), ElementsAre("(p a)"));
    EXPECT_THAT(result.description.syntax.comments, SizeIs(4));
}

TEST(ReadInfixTest, ASemicolonThatCannotMeanOrBeginsAComment) {
    const ReadResult result = read("test",
                                   ";;; the board\nrole(white).  ; moves first\nfact(a) ; without a full stop\n"
                                   "p(X) :-\n    ; first\n    q(X),  ; second\n    r( ; inside\n X) ;; third\n"
                                   "    , s(X) ; t(X). ; the end",
                                   Notation::infix);
    EXPECT_TRUE(result.ok()) << testing::rendered(result);
    EXPECT_THAT(testing::rules(result.description),
                ElementsAre("(role white)", "(fact a)", "(<= (p ?x) (or (and (q ?x) (r ?x) (s ?x)) (t ?x)))"));
    EXPECT_THAT(result.description.syntax.comments, SizeIs(8));
    // Written with the marker that is a comment everywhere, it means the same.
    const std::string formatted = format(result.description, Notation::infix);
    EXPECT_THAT(formatted, ::testing::HasSubstr("% first"));
    EXPECT_EQ(testing::rules(read("test", formatted, Notation::infix).description), testing::rules(result.description));
}

TEST(ReadInfixTest, SpansPointAtTheText) {
    const ReadResult result = read("test", "p(X) :- q(X), ~r(X) ; s .", Notation::infix);
    const Description& description = result.description;
    const Rule& rule = description.rules.at(0);
    EXPECT_EQ(description.source->text(description.span(rule.node)), "p(X) :- q(X), ~r(X) ; s");
    EXPECT_EQ(description.source->text(description.span(rule.head_node)), "p(X)");
    const Literal& conjunction = rule.body.at(0).parts.at(0);
    EXPECT_EQ(description.source->text(description.span(conjunction.node)), "q(X), ~r(X)");
    EXPECT_EQ(description.source->text(description.span(conjunction.parts.at(1).node)), "~r(X)");
}

// ---- Faults ------------------------------------------------------------------------------------------------------

TEST(InfixFaultTest, EveryFaultOfAFileIsReported) {
    EXPECT_THAT(faults_of("p(.\n"
                          "q(X :- r.\n"
                          ":- s.\n"
                          "p(a)) .\n"
                          "X(a).\n"
                          "p (a).\n"
                          "p :- , q.\n"
                          "~p.\n"
                          "p(?).\n"
                          "p(a b).\n"
                          "p :- X.\n"
                          "p('').\n"
                          "p() .\n"
                          "last.\n"),
                ElementsAre("E116 1:3", "E116 2:5", "E116 3:1", "E116 4:5", "E116 5:1", "E116 6:3", "E116 7:6",
                            "E116 8:1", "E118 9:3", "E116 10:5", "E116 11:6", "E116 12:3", "E116 13:3"));
}

TEST(InfixFaultTest, ReadingGoesOnAfterTheNextFullStop) {
    const ReadResult result = read("test", "a. b(. c. d(X :- e. f.", Notation::infix);
    EXPECT_THAT(testing::faults(result), ElementsAre("E116 1:6", "E116 1:15"));
    EXPECT_THAT(testing::rules(result.description), ElementsAre("a", "c", "f"));
    // A quotation mark left open costs its own line only.
    const ReadResult quoted = read("test", "a('b).\nc('d).\ne.", Notation::infix);
    EXPECT_THAT(testing::faults(quoted), ElementsAre("E117 1:3", "E117 2:3"));
    EXPECT_THAT(testing::rules(quoted.description), ElementsAre("e"));
}

TEST(InfixFaultTest, TheTextEndsTooEarly) {
    EXPECT_THAT(faults_of("p(a"), ElementsAre("E116 1:4"));
    EXPECT_THAT(faults_of("p :-"), ElementsAre("E116 1:5"));
    EXPECT_THAT(faults_of("p :- q,\n"), ElementsAre("E116 2:1"));
    EXPECT_THAT(faults_of("p('abc"), ElementsAre("E117 1:3"));
    EXPECT_THAT(faults_of("p('ab\nc')."), ElementsAre("E117 1:3"));
    EXPECT_THAT(faults_of("p('abc\\"), ElementsAre("E117 1:3"));
}

TEST(InfixFaultTest, QuotesMustHoldWhatKifCanWrite) {
    for (const char* name : {"''", "'a b'", "'a\\\nb'", "'('", "'a;'", "'?x'", "'a\x01'", "'a\x7F'", "?''", "?'a b'"}) {
        const ReadResult result = read("test", "p(" + std::string(name) + ").", Notation::infix);
        EXPECT_FALSE(result.ok()) << name;
    }
}

TEST(InfixFaultTest, StrayCharacters) {
    EXPECT_THAT(faults_of("p(\xC3\xA4)."), ElementsAre("E116 1:3"));
    EXPECT_THAT(faults_of("p(\xC3\xA4, \xC3\xA4).\n p(\"a\")."), ElementsAre("E116 1:3", "E116 2:4"));
    EXPECT_THAT(faults_of("p(\x01 a)."), ElementsAre("E106 1:3"));
}

TEST(InfixFaultTest, FaultsOfRulesAreThoseOfKif) {
    EXPECT_THAT(faults_of("p :- distinct(a)."), ElementsAre("E112 1:6"));
    EXPECT_THAT(faults_of("p('not'(a))."), ElementsAre("E113 1:3"));
    EXPECT_THAT(faults_of("p :- q('<='(a, b))."), ElementsAre("E113 1:8"));
}

TEST(InfixFaultTest, NothingToRead) {
    EXPECT_THAT(faults_of(""), ElementsAre("E109 1:1"));
    EXPECT_THAT(faults_of("% only a comment"), ElementsAre("E109 1:1"));
}

}  // namespace
}  // namespace stratagem::gdl
