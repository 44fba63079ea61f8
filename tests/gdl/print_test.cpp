#include "gdl/print.h"

#include <gtest/gtest.h>

#include "gdl/read.h"

namespace stratagem::gdl {
namespace {

// The rules of a text, which must have no faults, each in KIF.
std::vector<std::string> rules_of(const std::string& text, Notation notation) {
    const ReadResult result = read("test", text, notation);
    EXPECT_TRUE(result.ok()) << text << "\n"
                             << (result.diagnostics.all().empty() ? "" : result.diagnostics.all()[0].message);
    std::vector<std::string> rules;
    for (const Rule& rule : result.description.rules) rules.push_back(to_kif(result.description.terms, rule));
    return rules;
}

TEST(Print, TermsInBothNotations) {
    TermPool terms;
    SymbolTable& symbols = terms.symbols();
    const Term x = terms.variable(symbols.intern("x"));
    const Term one = terms.constant(symbols.intern("1"));
    const Term pair = terms.compound(symbols.intern("pair"), std::vector{x, one});
    const Term fluent = terms.compound(keyword::true_, std::vector{pair});
    EXPECT_EQ(to_kif(terms, one), "1");
    EXPECT_EQ(to_kif(terms, x), "?x");
    EXPECT_EQ(to_kif(terms, fluent), "(true (pair ?x 1))");
    EXPECT_EQ(to_infix(terms, one), "1");
    EXPECT_EQ(to_infix(terms, x), "X");
    EXPECT_EQ(to_infix(terms, fluent), "true(pair(X, 1))");
}

TEST(Print, RulesInKifOnOneLine) {
    const auto rules = rules_of(
        "(ROLE White)\n(terminal)\n"
        "(<= (p ?X)\n  (or (q ?x) (and (r ?x) s))\n  (not (t ?x)) (distinct ?x 1))",
        Notation::kif);
    ASSERT_EQ(rules.size(), 3U);
    EXPECT_EQ(rules[0], "(role white)");
    EXPECT_EQ(rules[1], "terminal");
    EXPECT_EQ(rules[2], "(<= (p ?x) (or (q ?x) (and (r ?x) s)) (not (t ?x)) (distinct ?x 1))");
}

TEST(Print, LiteralsAlone) {
    const ReadResult result = read("test", "(<= p (not (or a (distinct 1 2))))", Notation::kif);
    ASSERT_EQ(result.description.rules.size(), 1U);
    EXPECT_EQ(to_kif(result.description.terms, result.description.rules[0].body[0]), "(not (or a (distinct 1 2)))");
}

TEST(Print, InfixWordsAreQuotedOnlyWhereNeeded) {
    EXPECT_EQ(infix_word("cell"), "cell");
    EXPECT_EQ(infix_word("8x8_board"), "8x8_board");
    EXPECT_EQ(infix_word("moveUp"), "moveUp");
    EXPECT_EQ(infix_word("100"), "100");
    EXPECT_EQ(infix_word("distinct"), "distinct");
    EXPECT_EQ(infix_word("knot"), "knot");
    EXPECT_EQ(infix_word("not"), "'not'");
    EXPECT_EQ(infix_word("or"), "'or'");
    EXPECT_EQ(infix_word("and"), "'and'");
    EXPECT_EQ(infix_word("<="), "'<='");
    EXPECT_EQ(infix_word("-1"), "'-1'");
    EXPECT_EQ(infix_word("index++"), "'index++'");
    EXPECT_EQ(infix_word("_a"), "'_a'");
    EXPECT_EQ(infix_word("White"), "'White'");
    EXPECT_EQ(infix_word("caf\xC3\xA9"), "'caf\xC3\xA9'");
    EXPECT_EQ(infix_word("it's\\"), "'it\\'s\\\\'");
}

TEST(Print, InfixVariables) {
    EXPECT_EQ(infix_variable("x"), "X");
    EXPECT_EQ(infix_variable("next_row2"), "Next_row2");
    EXPECT_EQ(infix_variable("_x"), "_x");
    EXPECT_EQ(infix_variable("__"), "__");
    EXPECT_EQ(infix_variable("_"), "?'_'");
    EXPECT_EQ(infix_variable("1"), "?'1'");
    EXPECT_EQ(infix_variable("x++"), "?'x++'");
    EXPECT_EQ(infix_variable("o'clock"), "?'o\\'clock'");
}

// What is printed must be read as the same symbol, or formatting would change games.
TEST(Print, InfixNamesReadBackAsTheSameSymbols) {
    const std::vector<std::string> words = {
        "a",  "1", "-1",  "+",  "<=", "not", "or", "and",         "distinct", "_a",  "a_b",   "a-b", "it's",
        "\\", "%", "a.b", ":-", "~",  "'",   "''", "caf\xC3\xA9", "true",     "[x]", "\"q\"", "x,y", "\\'\\"};
    for (const std::string& word : words) {
        const auto rules = rules_of("p(" + infix_word(word) + ").", Notation::infix);
        ASSERT_EQ(rules.size(), 1U) << word;
        EXPECT_EQ(rules[0], "(p " + word + ")");
    }
    for (const std::string name : {"x", "x1", "_", "__", "_x", "1", "x++", "a-b", "'", "\\", "%", "not"}) {
        const std::string variable = infix_variable(name);
        const auto rules = rules_of("p(" + variable + ") :- q(" + variable + ").", Notation::infix);
        ASSERT_EQ(rules.size(), 1U) << name;
        EXPECT_EQ(rules[0], "(<= (p ?" + name + ") (q ?" + name + "))");
    }
}

TEST(Print, InfixTermsReadBack) {
    const std::string fact = "(p (f 1 (g -2 not)) (h it's))";
    const ReadResult result = read("test", fact, Notation::kif);
    ASSERT_EQ(result.description.rules.size(), 1U);
    const std::string infix = to_infix(result.description.terms, result.description.rules[0].head);
    EXPECT_EQ(infix, "p(f(1, g('-2', 'not')), h('it\\'s'))");
    EXPECT_EQ(rules_of(infix + ".", Notation::infix), std::vector<std::string>{fact});
}

}  // namespace
}  // namespace stratagem::gdl
