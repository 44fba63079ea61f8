#include "gdl/format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "game_files.h"
#include "gdl/print.h"
#include "gdl/read.h"

namespace stratagem::gdl {
namespace {

Description read_clean(const std::string& text, Notation notation) {
    ReadResult result = read("test", text, notation);
    EXPECT_TRUE(result.ok()) << (result.diagnostics.all().empty()
                                     ? text.substr(0, 2000)
                                     : render(*result.description.source, result.diagnostics.all()[0]));
    return std::move(result.description);
}

std::string formatted(const std::string& text, Notation from, Notation to) {
    return format(read_clean(text, from), to);
}
std::string kif(const std::string& text) { return formatted(text, Notation::kif, Notation::kif); }
std::string infix(const std::string& text) { return formatted(text, Notation::kif, Notation::infix); }

std::vector<std::string> rules_of(const Description& description) {
    std::vector<std::string> rules;
    for (const Rule& rule : description.rules) rules.push_back(to_kif(description.terms, rule));
    return rules;
}

// Texts of all comments without markers and trailing blanks, sorted.
std::vector<std::string> comments_of(const Description& description) {
    std::vector<std::string> comments;
    for (const Comment& comment : description.syntax.comments) {
        const std::string_view text = description.source->text(comment.span);
        const std::size_t begin = text.find_first_not_of(";%");
        const std::size_t end = text.find_last_not_of(" \t\r\f\v");
        const bool empty = begin == std::string_view::npos || end == std::string_view::npos || end < begin;
        comments.emplace_back(empty ? std::string_view{} : text.substr(begin, end - begin + 1));
    }
    std::sort(comments.begin(), comments.end());
    return comments;
}

void expect_clean_lines(const std::string& text) {
    EXPECT_TRUE(text.empty() || text.ends_with('\n'));
    EXPECT_FALSE(text.ends_with("\n\n"));
    EXPECT_FALSE(text.starts_with('\n'));
    EXPECT_EQ(text.find("\n\n\n"), std::string::npos);
    EXPECT_EQ(text.find(" \n"), std::string::npos);
    EXPECT_EQ(text.find('\r'), std::string::npos);
}

// All that format() promises, for a text and both notations to print it in.
void expect_promises(const std::string& text, Notation from) {
    const Description original = read_clean(text, from);
    for (const Notation to : {Notation::kif, Notation::infix}) {
        const std::string once = format(original, to);
        expect_clean_lines(once);
        const Description again = read_clean(once, to);
        EXPECT_EQ(rules_of(again), rules_of(original));
        EXPECT_EQ(comments_of(again), comments_of(original));
        EXPECT_EQ(format(again, to), once) << "not idempotent";
        const Notation other = to == Notation::kif ? Notation::infix : Notation::kif;
        const Description over = read_clean(format(again, other), other);
        EXPECT_EQ(rules_of(over), rules_of(original));
        EXPECT_EQ(comments_of(over), comments_of(original));
    }
}

TEST(Format, KifLayout) {
    EXPECT_EQ(kif("(ROLE x)(<= (p ?X) (q ?x)(not (r ?x)))\n(<= terminal\n decided) (terminal)"),
              "(role x)\n"
              "(<= (p ?x)\n"
              "  (q ?x)\n"
              "  (not (r ?x)))\n"
              "(<= terminal\n"
              "  decided)\n"
              "terminal\n");
}

TEST(Format, InfixLayout) {
    EXPECT_EQ(infix("(role x)\n(<= (p ?x) (q ?x) (not (r ?x)) (or (a ?x) (and b c)) (distinct ?x -1))\n(<= t)"),
              "role(x).\n"
              "p(X) :-\n"
              "    q(X),\n"
              "    ~r(X),\n"
              "    (a(X) ; (b, c)),\n"
              "    distinct(X, '-1').\n"
              "t.\n");
    EXPECT_EQ(infix("(<= p (not (or a b)) (not (not c)) (and d e))"),
              "p :-\n"
              "    ~(a ; b),\n"
              "    ~~c,\n"
              "    (d, e).\n");
}

TEST(Format, InfixToKif) {
    EXPECT_EQ(formatted("p(X):-q(X),not r(X);s. t(_x) :- u('a.b').", Notation::infix, Notation::kif),
              "(<= (p ?x)\n"
              "  (or (and (q ?x) (not (r ?x))) s))\n"
              "(<= (t ?_x)\n"
              "  (u a.b))\n");
}

// One operand is no disjunction infix could show; it must not get lost.
TEST(Format, ConnectivesWithOneOperandSurvive) {
    expect_promises("(<= p (or a))\n(<= p (and (not b)) (not (or (and c d))))", Notation::kif);
    EXPECT_EQ(infix("(<= p (or (not a)))"), "p :-\n    'or'('not'(a)).\n");
}

TEST(Format, BlankLinesAreKeptButNotMultiplied) {
    EXPECT_EQ(kif("\n\n(a)\n(b)\n\n(c)\r\n \t\r\n\r\n\r\n(d)\r(e)\r\r(f)\n\n"), "a\nb\n\nc\n\nd\ne\n\nf\n");
}

TEST(Format, FactsOnOneLineStayTogetherWhileTheyFit) {
    EXPECT_EQ(kif("(s 1 2)   (s 2 3)\n(s 3 4)"), "(s 1 2) (s 2 3)\n(s 3 4)\n");
    EXPECT_EQ(kif("(a) (<= b c) (d) (e)"), "a\n(<= b\n  c)\nd e\n");
    std::string row;
    for (int i = 0; i < 60; ++i) row += "(p 12345)";
    const std::string text = kif(row);
    EXPECT_EQ(text.find('\n'), 99U);  // ten facts of nine characters and nine blanks
    expect_promises(row, Notation::kif);
}

TEST(Format, CommentsBetweenStatements) {
    EXPECT_EQ(kif("; first  \n\n\n;;; second\n(a) ; behind\n  ; before b\n(b)\n(c)(d);behind d\n; last"),
              "; first\n\n;;; second\na  ; behind\n; before b\nb\nc d  ;behind d\n; last\n");
    EXPECT_EQ(infix(";;; a; b\n(a);c % d\n;"), "%%% a; b\na.  %c % d\n%\n");
}

TEST(Format, CommentsInsideARuleStayAtTheirCondition) {
    EXPECT_EQ(kif("(<= (p ?x) ; head\n ; about q\n (q ?x) ; behind q\n (r ?x) ; behind r\n)"),
              "(<= (p ?x)  ; head\n"
              "  ; about q\n"
              "  (q ?x)  ; behind q\n"
              "  (r ?x))  ; behind r\n");
    EXPECT_EQ(infix("(<= (p ?x) ; head\n ; about q\n (q ?x) ; behind q\n (r ?x) ; behind r\n)"),
              "p(X) :-  % head\n"
              "    % about q\n"
              "    q(X),  % behind q\n"
              "    r(X).  % behind r\n");
}

TEST(Format, ConditionsCommentedOutAtTheEndStayInside) {
    const std::string text = "(<= p\n  q  ; one\n  ; (r)\n  ; (s)\n  )\n";
    EXPECT_EQ(kif(text), text);
    EXPECT_EQ(infix(text), "p :-\n    q  % one\n    % (r)\n    % (s)\n    .\n");
    expect_promises(text, Notation::kif);
    expect_promises(infix(text), Notation::infix);
}

TEST(Format, CommentsInsideTermsBreakThem) {
    EXPECT_EQ(kif("(<= p (or ; either\n a ; this\n (b ?x ; column\n ?y)))"),
              "(<= p\n"
              "  ; either\n"
              "  (or a  ; this\n"
              "      (b ?x  ; column\n"
              "        ?y)))\n");
    expect_promises("(<= p (or ; either\n a ; this\n (b ?x ; column\n ?y)))", Notation::kif);
}

TEST(Format, CommentsInOddPlacesAreKept) {
    for (const std::string text : {
             "( ; c1\n p ; c2\n a ; c3\n )",
             "( ; c1\n <= ; c2\n p ; c3\n )  ; c4",
             "(<= ; c1\n ; c2\n (p ; c3\n (f ; c4\n 1 ; c5\n 2 ; c6\n ) ; c7\n ) ; c8\n (not ; c9\n (not ; c10\n q)))",
             "(<= p (or a b ; c1\n ; c2\n ) ; c3\n ; c4\n ) ; c5\n; c6",
             "(terminal ; c1\n) ; c2\n",
             "(terminal\n ; c1\n) ; c2\n(<= (q)\n ; c3\n) (r)",
             "(<= p (q ; c1\n ) ; c2\n) ; c3\n (a) (b ; c4\n) (c)",
             "\xEF\xBB\xBF; c1\n(a)",
             "(a) ; c1\r\n(b) ; c2\r(c)\t; c3\x0B\n\x0C; c4\xFF\n",
             "; only\n(a)\n\n\n; end",
         }) {
        SCOPED_TRACE(text);
        expect_promises(text, Notation::kif);
    }
    for (const std::string text : {
             "p % c1\n .",
             "p(% c1\n a % c2\n , % c3\n b % c4\n ) % c5\n :- % c6\n q % c7\n , ( % c8\n a % c9\n ; % c10\n b % c11\n "
             ") % c12\n .",
             "p :- ~ % c1\n ( % c2\n a , % c3\n b % c4\n ) % c5\n . % c6\nq.",
             "p :- q\n% c1\n\n% c2\n.\n% c3",
             "p :- q % c1\nr :- s % c2\n\n",
             "p :- . % c1\n",
         }) {
        SCOPED_TRACE(text);
        expect_promises(text, Notation::infix);
    }
}

// The word @ becomes one of 44 letters, so that two fit on a line and three do not.
std::string with_long_words(std::string text) {
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@')) {
        text.replace(at, 1, std::string(44, 'a'));
    }
    return text;
}

TEST(Format, LongConditionsAreBroken) {
    const std::string rule = with_long_words("(<= p (or (q @) (r @)) (not (s @ @ @)))");
    EXPECT_EQ(kif(rule), with_long_words("(<= p\n"
                                         "  (or (q @)\n"
                                         "      (r @))\n"
                                         "  (not (s @ @\n"
                                         "         @)))\n"));
    EXPECT_EQ(infix(rule), with_long_words("p :-\n"
                                           "    (q(@) ;\n"
                                           "     r(@)),\n"
                                           "    ~s(@, @,\n"
                                           "         @).\n"));
    expect_promises(rule, Notation::kif);
}

TEST(Format, NestingNearTheLimitIsSetInBoundedSpace) {
    std::string text = "(p ";
    for (int i = 0; i < 900; ++i) text += "(f a ";
    text += "b";
    text.append(900, ')');
    text += ")";
    const Description description = read_clean(text, Notation::kif);
    for (const Notation notation : {Notation::kif, Notation::infix}) {
        const std::string once = format(description, notation);
        EXPECT_LT(once.size(), 100'000U);
        const Description again = read_clean(once, notation);
        EXPECT_EQ(rules_of(again), rules_of(description));
        EXPECT_EQ(format(again, notation), once);
    }
}

// Work that grows with the square of the size would take hours here.
TEST(Format, ManyFactsOnOneLineAndManyConditionsInOneRule) {
    std::string facts;
    std::string rule = "(<= p";
    for (int i = 0; i < 100'000; ++i) {
        facts += "(fact " + std::to_string(i) + ") ";
        rule += " (fact " + std::to_string(i) + ") ; c\n";
    }
    const std::string text = facts + "\n" + rule + ")";
    const Description description = read_clean(text, Notation::kif);
    for (const Notation notation : {Notation::kif, Notation::infix}) {
        const std::string once = format(description, notation);
        const Description again = read_clean(once, notation);
        ASSERT_EQ(again.rules.size(), 100'001U);
        EXPECT_EQ(again.rules.back().body.size(), 100'000U);
        EXPECT_EQ(again.syntax.comments.size(), 100'000U);
        EXPECT_EQ(format(again, notation), once);
    }
}

// Random statements with comments at random places between the tokens.
class RandomText {
  public:
    explicit RandomText(std::uint64_t seed) : engine_(seed) {}

    std::string statements() {
        text_.clear();
        for (std::size_t i = 0, count = 1 + below(4); i < count; ++i) {
            if (below(3) == 0) {
                term(2, true);
            } else {
                token("(");
                token("<=");
                term(2, true);
                for (std::size_t k = 0, conditions = below(4); k < conditions; ++k) condition(3);
                token(")");
            }
        }
        return text_;
    }

  private:
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(engine_() % bound); }

    void token(const std::string& word) {
        text_ += word;
        switch (below(10)) {
            case 0:
                text_ += " ; c" + std::to_string(++comments_) + "\n";
                break;
            case 1:
                text_ += "\n\n ;; c" + std::to_string(++comments_) + "  \n";
                break;
            case 2:
                text_ += "\n; c" + std::to_string(++comments_) + "\n;; d\n\n";
                break;
            case 3:
                text_ += "\n";
                break;
            case 4:
                text_ += "\n\n\n";
                break;
            default:
                text_ += " ";
                break;
        }
    }

    void term(std::size_t depth, bool is_atom = false) {
        if (!is_atom && below(3) == 0) {
            token("?v" + std::to_string(below(3)));
        } else if (depth == 0 || below(3) == 0) {
            token(below(8) == 0 ? std::string(40, 'w') : "w" + std::to_string(below(5)));
        } else {
            token("(");
            token("f" + std::to_string(below(3)));
            for (std::size_t i = 0, count = below(4); i < count; ++i) term(depth - 1);
            token(")");
        }
    }

    void condition(std::size_t depth) {
        const std::size_t kind = depth == 0 ? 0 : below(6);
        if (kind < 3) {
            term(2, true);
            return;
        }
        token("(");
        token(kind == 3 ? "not" : kind == 4 ? "or" : "and");
        for (std::size_t i = 0, count = kind == 3 ? 1 : 1 + below(3); i < count; ++i) condition(depth - 1);
        token(")");
    }

    std::mt19937_64 engine_;
    std::string text_;
    int comments_ = 0;
};

TEST(Format, PromisesHoldForRandomTexts) {
    for (std::uint64_t seed = 1; seed <= 2000 && !::testing::Test::HasFailure(); ++seed) {
        const std::string text = RandomText(seed).statements();
        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
        expect_promises(text, Notation::kif);
        expect_promises(infix(text), Notation::infix);
    }
}

void expect_promises_for(const std::vector<std::filesystem::path>& files) {
    std::size_t rules = 0;
    for (const std::filesystem::path& path : files) {
        SCOPED_TRACE(path.string());
        const std::string text = testing::content_of(path);
        ReadResult result = read(path.string(), text, Notation::kif);
        if (!result.ok()) continue;  // format() promises nothing for those
        rules += result.description.rules.size();
        expect_promises(text, Notation::kif);
    }
    EXPECT_GT(rules, files.size()) << "hardly anything could be read";
}

TEST(Format, PromisesHoldForBundledGames) {
    const auto files = testing::bundled_files();
    ASSERT_FALSE(files.empty());
    expect_promises_for(files);
}

// The house keeps its own games in the form it recommends: `stratagem format` leaves them as they are.
TEST(Format, BundledGamesAreFormatted) {
    for (const std::filesystem::path& path : testing::bundled_files()) {
        const std::string text = testing::content_of(path);
        EXPECT_TRUE(kif(text) == text) << "run `stratagem format` on " << path.filename();
    }
}

TEST(Format, PromisesHoldForSharedGames) {
    const auto files = testing::shared_files();
    if (files.empty()) GTEST_SKIP() << "no ../shared/games beside the project";
    expect_promises_for(files);
}

}  // namespace
}  // namespace stratagem::gdl
