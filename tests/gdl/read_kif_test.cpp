// Prefix KIF: what is read from it, and what is said of faults, with the place of each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gdl/reader.h"
#include "reading.h"

namespace stratagem::gdl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> rules_of(const std::string& text) {
    const ReadResult result = read("test", text, Notation::kif);
    EXPECT_TRUE(result.ok()) << testing::rendered(result);
    return testing::rules(result.description);
}

std::vector<std::string> faults_of(const std::string& text) {
    return testing::faults(read("test", text, Notation::kif));
}

std::string hint_of_first(const std::string& text) {
    const ReadResult result = read("test", text, Notation::kif);
    return result.diagnostics.all().empty() ? "" : result.diagnostics.all()[0].hint;
}

TEST(ReadKifTest, FactsAndRules) {
    EXPECT_THAT(rules_of("(role white)\n(<= (legal ?w (mark ?x)) (true (cell ?x b)) (true (control ?w)))"),
                ElementsAre("(role white)", "(<= (legal ?w (mark ?x)) (true (cell ?x b)) (true (control ?w)))"));
}

TEST(ReadKifTest, ConnectivesMayBeNested) {
    EXPECT_THAT(rules_of("(<= p (or a (and b (not (or c d e))) (distinct x y)))"),
                ElementsAre("(<= p (or a (and b (not (or c d e))) (distinct x y)))"));
    const ReadResult result = read("test", "(<= p (or a b) (not c) (distinct ?x d) (and e))", Notation::kif);
    const std::vector<Literal>& body = result.description.rules.at(0).body;
    ASSERT_THAT(body, SizeIs(4));
    EXPECT_EQ(body[0].kind, Literal::Kind::disjunction);
    EXPECT_THAT(body[0].parts, SizeIs(2));
    EXPECT_EQ(body[1].kind, Literal::Kind::negation);
    EXPECT_THAT(body[1].parts, SizeIs(1));
    EXPECT_EQ(body[2].kind, Literal::Kind::distinct);
    EXPECT_EQ(result.description.terms.arity(body[2].atom), 2U);
    EXPECT_EQ(body[3].kind, Literal::Kind::conjunction);
}

TEST(ReadKifTest, ZeroArityBothWays) {
    EXPECT_THAT(rules_of("terminal (terminal) (<= (terminal) open) (<= terminal (open))"),
                ElementsAre("terminal", "terminal", "(<= terminal open)", "(<= terminal open)"));
    const ReadResult result = read("test", "terminal (terminal)", Notation::kif);
    EXPECT_EQ(result.description.rules[0].head, result.description.rules[1].head);
}

TEST(ReadKifTest, NestedFunctionTerms) {
    EXPECT_THAT(rules_of("(true (cell 1 (succ (succ 0)) b))"), ElementsAre("(true (cell 1 (succ (succ 0)) b))"));
    EXPECT_THAT(rules_of("(p (noop) noop)"), ElementsAre("(p noop noop)"));
}

TEST(ReadKifTest, EmptyBodies) { EXPECT_THAT(rules_of("(<= (p a)) (<= terminal)"), ElementsAre("(p a)", "terminal")); }

TEST(ReadKifTest, NumbersAreNames) {
    EXPECT_THAT(rules_of("(p 0 007 -1 +1 1.5 1e3)"), ElementsAre("(p 0 007 -1 +1 1.5 1e3)"));
}

TEST(ReadKifTest, UpperCaseIsFolded) {
    EXPECT_THAT(rules_of("(ROLE White) (<= (Legal WHITE ?X) (P ?x))"),
                ElementsAre("(role white)", "(<= (legal white ?x) (p ?x))"));
    const ReadResult result = read("test", "(ROLE White)", Notation::kif);
    EXPECT_EQ(result.description.terms.symbol(result.description.rules[0].head), keyword::role);
}

TEST(ReadKifTest, BlanksOfAllKinds) {
    EXPECT_THAT(rules_of("\n\n\t(role\ta)\r\n\r\n(role b)\r(role c)\f\v( role\n\nd\n)  \n"),
                ElementsAre("(role a)", "(role b)", "(role c)", "(role d)"));
    EXPECT_THAT(rules_of("(p a)(q(f b)c)"), ElementsAre("(p a)", "(q (f b) c)"));
}

TEST(ReadKifTest, ByteOrderMark) {
    EXPECT_THAT(rules_of("\xEF\xBB\xBF(role a)"), ElementsAre("(role a)"));
    EXPECT_THAT(faults_of("\xEF\xBB\xBF(role a))"), ElementsAre("E102 1:10"));
    // Files joined together have it in the middle.
    EXPECT_THAT(rules_of("(role a)\n\xEF\xBB\xBF(role b)\xEF\xBB\xBF"
                         "c\xEF\xBB\xBF\n(p\xEF\xBB\xBFq)"),
                ElementsAre("(role a)", "(role b)", "c", "(p q)"));
    const ReadResult comment = read("test", "\xEF\xBB\xBF; title\n(role a)", Notation::kif);
    EXPECT_TRUE(comment.description.syntax.comments.at(0).own_line);
}

TEST(ReadKifTest, CommentsAreKeptBesideTheTree) {
    const ReadResult result = read("test", "; one\n(p ; two ( \r  ;three\r\n a);four", Notation::kif);
    EXPECT_TRUE(result.ok());
    EXPECT_THAT(testing::rules(result.description), ElementsAre("(p a)"));
    std::vector<std::string> comments;
    for (const Comment& comment : result.description.syntax.comments) {
        comments.push_back((comment.own_line ? "own " : "trailing ") +
                           std::string(result.description.source->text(comment.span)));
    }
    EXPECT_THAT(comments, ElementsAre("own ; one", "trailing ; two ( ", "own ;three", "trailing ;four"));
}

TEST(ReadKifTest, AnyBytesInComments) {
    EXPECT_THAT(rules_of("(p a) ; \xE4\xFF\x01\x7F caf\xC3\xA9\n(q b)"), ElementsAre("(p a)", "(q b)"));
}

TEST(ReadKifTest, NamesMayBeNonAscii) {
    EXPECT_THAT(rules_of("(r\xC3\xB4le \xE4\xB8\xAD ?\xC3\xA4)"), ElementsAre("(r\xC3\xB4le \xE4\xB8\xAD ?\xC3\xA4)"));
    // Other encodings are kept as they are, with a warning.
    const ReadResult latin = read("test", "(role \xE4rger)", Notation::kif);
    EXPECT_TRUE(latin.ok());
    EXPECT_THAT(testing::faults(latin), ElementsAre("W119 1:7"));
    EXPECT_THAT(testing::rules(latin.description), ElementsAre("(role \xE4rger)"));
}

TEST(ReadKifTest, NamesMayHoldAlmostAnything) {
    EXPECT_THAT(rules_of("(p <> => a-b a.b 'a \"b c\\d %e #f ?x-y ??z ?_ :- , ~g <=> <=)"),
                ElementsAre("(p <> => a-b a.b 'a \"b c\\d %e #f ?x-y ??z ?_ :- , ~g <=> <=)"));
}

TEST(ReadKifTest, RepeatedFactsAreKept) { EXPECT_THAT(rules_of("(p a) (p a)"), ElementsAre("(p a)", "(p a)")); }

TEST(ReadKifTest, RolesInOrderWithoutRepetition) {
    const ReadResult result =
        read("test", "(role b) (role a) (role b) (<= (role c) x) (role ?y) (role d e)", Notation::kif);
    std::vector<std::string> roles;
    for (const Term role : result.description.roles()) roles.push_back(to_kif(result.description.terms, role));
    EXPECT_THAT(roles, ElementsAre("b", "a"));
}

TEST(ReadKifTest, SpansPointAtTheText) {
    const ReadResult result = read("test", "(p a)\n(<= (q ?x) (r ?x)\n    (not s))", Notation::kif);
    const Description& description = result.description;
    const Rule& rule = description.rules.at(1);
    EXPECT_EQ(description.source->text(description.span(rule.node)), "(<= (q ?x) (r ?x)\n    (not s))");
    EXPECT_EQ(description.source->text(description.span(rule.head_node)), "(q ?x)");
    EXPECT_EQ(description.source->text(description.span(rule.body.at(0).node)), "(r ?x)");
    EXPECT_EQ(description.source->text(description.span(rule.body.at(1).parts.at(0).node)), "s");
    EXPECT_EQ(description.span(Node::none), Span{});
}

// ---- Faults ------------------------------------------------------------------------------------------------------

TEST(KifFaultTest, ClosingParenthesisTooMany) {
    EXPECT_THAT(faults_of("(p a))\n(q b)\n  )"), ElementsAre("E102 1:6", "E102 3:3"));
    EXPECT_THAT(testing::rules(read("test", "(p a))\n(q b)", Notation::kif).description),
                ElementsAre("(p a)", "(q b)"));
}

TEST(KifFaultTest, MissingParenthesisIsFoundWhereTheRuleBegins) {
    // A rule inside a form proves that the form was not closed.
    EXPECT_THAT(faults_of("(role a)\n (<= (p ?x)\n   (q ?x)\n (<= (r ?x) (s ?x))\n"), ElementsAre("E101 2:2"));
    // Statements are taken to begin in the first column.
    EXPECT_THAT(faults_of("(role a)\n(init (cell 1 b)\n(role b)\n(init (cell 2 b))\n"), ElementsAre("E101 2:1"));
    EXPECT_EQ(hint_of_first("(role a)\n(init (cell 1 b\n(role b)"),
              "the next statement starts on line 3; before it 2 ')' are missing");
    EXPECT_EQ(hint_of_first("(init (cell 1 b)"), "the text ends and 1 ')' is missing");
}

TEST(KifFaultTest, ReadingGoesOnAfterAMissingParenthesis) {
    const ReadResult result = read("test", "(p a)\n(<= (q ?x) (r ?x)\n(s b)\n(<= t u\n(<= v w)\n(", Notation::kif);
    EXPECT_THAT(testing::faults(result), ElementsAre("E101 2:1", "E101 4:1", "E101 6:1"));
    EXPECT_THAT(testing::rules(result.description), ElementsAre("(p a)", "(s b)", "(<= v w)"));
}

TEST(KifFaultTest, EveryFaultOfAFileIsReported) {
    EXPECT_THAT(faults_of("()\n"
                          "(?x a)\n"
                          "((a) b)\n"
                          "(<=)\n"
                          "(<= ?x a)\n"
                          "(p (not a))\n"
                          "(<= p (not a b) (distinct a) ?y (or))\n"
                          "(p ?)\n"
                          "or\n"
                          "(p a))\n"
                          "(p\x01 b)\n"
                          "(<= p (q (r ())))\n"),
                ElementsAre("E103 1:1", "E111 2:2", "E111 3:2", "E110 4:1", "E115 5:5", "E113 6:4",  //
                            "E112 7:7", "E112 7:17", "E115 7:30", "E112 7:33", "E118 8:4", "E112 9:1", "E102 10:6",
                            "E106 11:3", "E103 12:13"));
}

TEST(KifFaultTest, ConnectivesInWrongPlaces) {
    EXPECT_THAT(faults_of("(not p)"), ElementsAre("E113 1:1"));
    EXPECT_THAT(faults_of("(<= (or a b) c)"), ElementsAre("E113 1:5"));
    EXPECT_THAT(faults_of("(p (distinct a b))"), ElementsAre("E113 1:4"));
    EXPECT_THAT(faults_of("(<= p distinct)"), ElementsAre("E112 1:7"));
    EXPECT_THAT(faults_of("(<= p not)"), ElementsAre("E112 1:7"));
    EXPECT_THAT(faults_of("(<= p (not))"), ElementsAre("E112 1:7"));
    EXPECT_THAT(faults_of("(<= p (and))"), ElementsAre("E112 1:7"));
    EXPECT_THAT(faults_of("(<= p (distinct a b c))"), ElementsAre("E112 1:7"));
    EXPECT_THAT(faults_of("?x"), ElementsAre("E115 1:1"));
}

TEST(KifFaultTest, NestedRuleIsAnUnclosedForm) {
    EXPECT_THAT(faults_of("(<= p (<= q r))"), ElementsAre("E101 1:1", "E102 1:15"));
    EXPECT_THAT(faults_of("(<= p ( <= q r))"), ElementsAre("E101 1:1", "E102 1:16"));
}

TEST(KifFaultTest, ColumnsCountCharacters) {
    EXPECT_THAT(faults_of("(p \xC3\xA4\xC3\xA4) )"), ElementsAre("E102 1:8"));
    EXPECT_THAT(faults_of("(p a)\r\n)\r)"), ElementsAre("E102 2:1", "E102 3:1"));
    EXPECT_THAT(faults_of("\t)"), ElementsAre("E102 1:2"));
}

TEST(KifFaultTest, ControlCharacters) {
    EXPECT_THAT(faults_of("(p a\x01\x02 b\x7F)"), ElementsAre("E106 1:5", "E106 1:9"));
}

TEST(KifFaultTest, NothingToRead) {
    EXPECT_THAT(faults_of(""), ElementsAre("E109 1:1"));
    EXPECT_THAT(faults_of("  \n\t\r\n"), ElementsAre("E109 1:1"));
    EXPECT_THAT(faults_of("; only\n; comments"), ElementsAre("E109 1:1"));
    // The cause is enough: no second error for the empty rest.
    EXPECT_THAT(faults_of(")"), ElementsAre("E102 1:1"));
}

TEST(KifFaultTest, OtherEncodings) {
    using namespace std::string_literals;
    EXPECT_THAT(faults_of("\xFF\xFE(\0r\0"s), ElementsAre("E107 1:1"));
    EXPECT_THAT(faults_of("\xFE\xFF\0(\0r"s), ElementsAre("E107 1:1"));
    EXPECT_THAT(faults_of("\xFF\xFE\0\0(\0\0\0"s), ElementsAre("E107 1:1"));
    EXPECT_THAT(faults_of("\0\0\xFE\xFF\0\0\0("s), ElementsAre("E107 1:1"));
    EXPECT_THAT(faults_of("(role a)\n(\0r\0"s), ElementsAre("E107 2:2"));
    EXPECT_THAT(faults_of("(role a)\n (role \xFE\xFF)"), ElementsAre("E107 2:8", "W119 2:8"));
    const ReadResult result = read("test", "\xFF\xFE\0\0(\0\0\0"s);
    EXPECT_EQ(result.diagnostics.all()[0].message, "the text is encoded in UTF-32");
}

TEST(KifFaultTest, ChecksStillRunOnWhatCouldBeRead) {
    const ReadResult result = read_and_check("test", "(role a)\n(<= (p ?x) (not (q ?x)))\n(r a))\n", Notation::kif);
    EXPECT_THAT(testing::faults(result), ::testing::Contains("E102 3:6"));
    EXPECT_THAT(testing::faults(result), ::testing::Contains(::testing::StartsWith("E50")));
    // What concerns the game as a whole would only be an echo.
    EXPECT_THAT(testing::faults(result), ::testing::Not(::testing::Contains(::testing::HasSubstr("70"))));
}

TEST(GuessNotationTest, ByTheFirstStatement) {
    for (const char* kif : {"", "(role a)", "; p(x).\n(role a)", "terminal", "terminal\n(role a)", "\xEF\xBB\xBF (p)",
                            "% odd\n(p)", ")", "a b c"}) {
        EXPECT_EQ(guess_notation(kif), Notation::kif) << kif;
    }
    for (const char* infix : {"role(a).", "% c\n; d\nrole(a)", "terminal :- p(X).", "terminal.", "terminal <= p(X)",
                              "'A b'(c).", "\xEF\xBB\xBFp(a)"}) {
        EXPECT_EQ(guess_notation(infix), Notation::infix) << infix;
    }
}

}  // namespace
}  // namespace stratagem::gdl
