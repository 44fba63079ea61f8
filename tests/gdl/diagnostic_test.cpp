#include "gdl/diagnostic.h"

#include <gtest/gtest.h>

#include <set>

namespace stratagem::gdl {
namespace {

TEST(DiagnosticTest, CodesAreUniqueOrderedAndExplained) {
    std::set<std::string_view> numbers;
    std::string_view last;
    for (const DiagnosticCode& code : diagnostic_codes()) {
        ASSERT_EQ(code.code.size(), 4U);
        EXPECT_TRUE(code.code.front() == 'E' || code.code.front() == 'W') << code.code;
        EXPECT_TRUE(numbers.insert(code.code.substr(1)).second) << code.code << " has the number of another";
        EXPECT_LT(last, code.code.substr(1)) << code.code << " is out of order";
        last = code.code.substr(1);
        EXPECT_FALSE(code.title.empty()) << code.code;
        EXPECT_FALSE(code.remedy.empty()) << code.code;
    }
}

TEST(DiagnosticTest, SeverityAndHintFollowFromTheCode) {
    Diagnostics diagnostics;
    diagnostics.add("E101", {0, 1}, "one");
    diagnostics.add("W119", {2, 3}, "two", "do this");
    ASSERT_EQ(diagnostics.all().size(), 2U);
    EXPECT_EQ(diagnostics.all()[0].severity, Severity::error);
    EXPECT_EQ(diagnostics.all()[0].hint, "add the missing ')' where the form should end");
    EXPECT_EQ(diagnostics.all()[1].severity, Severity::warning);
    EXPECT_EQ(diagnostics.all()[1].hint, "do this");
    EXPECT_EQ(diagnostics.errors(), 1U);
    EXPECT_EQ(diagnostics.warnings(), 1U);
    EXPECT_TRUE(diagnostics.has_errors());
    EXPECT_EQ(diagnostics.dropped(), 0U);
}

TEST(DiagnosticTest, SortsByPlaceThenCodeAndKeepsTheOrderOfEqualOnes) {
    Diagnostics diagnostics;
    diagnostics.add("E110", {5, 6}, "c");
    diagnostics.add("E103", {5, 6}, "b");
    diagnostics.add("E110", {1, 2}, "a");
    diagnostics.add("E110", {5, 6}, "d");
    diagnostics.sort();
    std::string order;
    for (const Diagnostic& diagnostic : diagnostics.all()) order += diagnostic.message;
    EXPECT_EQ(order, "abcd");
}

TEST(DiagnosticTest, KeepsABoundedNumberAndCountsAll) {
    Diagnostics diagnostics;
    for (std::uint32_t i = 0; i < 5000; ++i) diagnostics.add("E102", {i, i + 1}, "x");
    EXPECT_EQ(diagnostics.all().size(), Diagnostics::max_kept);
    EXPECT_EQ(diagnostics.errors(), 5000U);
    EXPECT_EQ(diagnostics.dropped(), 5000U - Diagnostics::max_kept);
}

TEST(DiagnosticTest, WarningsDoNotCrowdOutErrors) {
    Diagnostics diagnostics;
    for (std::uint32_t i = 0; i < 5000; ++i) diagnostics.add("W119", {i, i + 1}, "x");
    diagnostics.add("E102", {9000, 9001}, "the one that matters");
    EXPECT_EQ(diagnostics.all().back().message, "the one that matters");

    Diagnostics later;
    later.add("E103", {9500, 9501}, "and this");
    diagnostics.append(later);
    EXPECT_EQ(diagnostics.all().back().message, "and this");
    EXPECT_EQ(diagnostics.errors(), 2U);
    EXPECT_EQ(diagnostics.warnings(), 5000U);
    EXPECT_EQ(diagnostics.dropped(), 4000U);
}

TEST(DiagnosticTest, AppendKeepsTheBound) {
    Diagnostics all;
    Diagnostics many;
    for (std::uint32_t i = 0; i < 700; ++i) many.add("E102", {i, i + 1}, "x");
    all.append(many);
    all.append(many);
    EXPECT_EQ(all.all().size(), Diagnostics::max_kept);
    EXPECT_EQ(all.errors(), 1400U);
}

TEST(DiagnosticTest, LongMessagesLoseTheirMiddle) {
    Diagnostics diagnostics;
    diagnostics.add("E105", {}, "begin " + std::string(60'000, 'x') + " end");
    const std::string& message = diagnostics.all()[0].message;
    EXPECT_LE(message.size(), Diagnostics::max_message_bytes);
    EXPECT_TRUE(message.starts_with("begin xxx"));
    EXPECT_TRUE(message.ends_with("xxx end"));
}

std::string rendered(const std::string& text, Span span, std::string_view code = "E102") {
    Diagnostics diagnostics;
    diagnostics.add(code, span, "message", "hint");
    return render(Source("game.kif", text), diagnostics.all()[0]);
}

TEST(RenderTest, ShowsTheLineWithACaret) {
    EXPECT_EQ(rendered("(p a)\n(q bcd e)\n", {9, 12}),
              "game.kif:2:4: error[E102]: message\n"
              "     2 | (q bcd e)\n"
              "       |    ^^^\n"
              "       = hint: hint\n");
    EXPECT_EQ(rendered("(p a)", {3, 4}, "W119").substr(0, 31), "game.kif:1:4: warning[W119]: me");
}

TEST(RenderTest, CaretsStandUnderWhatIsShown) {
    // A tab is shown as one blank, a character of several bytes takes one column.
    EXPECT_EQ(rendered("\t(\xC3\xA4\xC3\xB6 x)", {7, 8}),
              "game.kif:1:6: error[E102]: message\n"
              "     1 |  (\xC3\xA4\xC3\xB6 x)\n"
              "       |      ^\n"
              "       = hint: hint\n");
}

TEST(RenderTest, StopsAtTheEndOfTheLine) {
    EXPECT_EQ(rendered("(p\n a)", {0, 6}),
              "game.kif:1:1: error[E102]: message\n"
              "     1 | (p\n"
              "       | ^^\n"
              "       = hint: hint\n");
}

TEST(RenderTest, AnEmptyLineShowsNoText) {
    EXPECT_EQ(rendered("", {0, 0}), "game.kif:1:1: error[E102]: message\n       = hint: hint\n");
    EXPECT_EQ(rendered("a\n", {2, 2}), "game.kif:2:1: error[E102]: message\n       = hint: hint\n");
}

TEST(RenderTest, PlaceAtTheEndOfTheText) {
    EXPECT_EQ(rendered("(p", {2, 2}),
              "game.kif:1:3: error[E102]: message\n"
              "     1 | (p\n"
              "       |   ^\n"
              "       = hint: hint\n");
}

TEST(RenderTest, LongLinesAreShownAsAWindow) {
    std::string text(5000, 'a');
    text += " here ";
    text.append(5000, 'b');
    const std::string shown = rendered(text, {5001, 5005});
    EXPECT_LT(shown.size(), 400U);
    EXPECT_NE(shown.find("aaa here bbb"), std::string::npos) << shown;
    // The caret stands under the word.
    const std::size_t second = shown.find('\n') + 1;
    const std::size_t third = shown.find('\n', second) + 1;
    EXPECT_EQ(shown.find("here", second) - second, shown.find("^^^^", third) - third) << shown;
    // Even when the place is the whole line.
    EXPECT_LT(rendered(text, {0, 10'000}).size(), 500U);
}

TEST(RenderTest, NothingThatDisturbsATerminal) {
    const std::string shown = rendered("(p \x1B[31m \xC2\x9B \xFF \x7F x)", {3, 4});
    EXPECT_NE(shown.find("(p .[31m . . . x)"), std::string::npos) << shown;

    Diagnostics diagnostics;
    diagnostics.add("E102", {0, 1}, "name \x1B[2J", "hint \x07");
    const std::string message = render(Source("", "x"), diagnostics.all()[0]);
    EXPECT_EQ(message.find('\x1B'), std::string::npos);
    EXPECT_EQ(message.find('\x07'), std::string::npos);
}

TEST(RenderTest, ColourOnlyWhenWanted) {
    Diagnostics diagnostics;
    diagnostics.add("E102", {0, 1}, "message");
    const Source source("", "x");
    EXPECT_EQ(render(source, diagnostics.all()[0], false).find('\033'), std::string::npos);
    EXPECT_NE(render(source, diagnostics.all()[0], true).find("\033[1;31m"), std::string::npos);
}

}  // namespace
}  // namespace stratagem::gdl
