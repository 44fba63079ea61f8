// Input nobody would write: whatever the bytes, reading ends with an answer, a place inside the text and bounded
// memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <random>

#include "game_files.h"
#include "reading.h"
#include "test_size.h"

namespace stratagem::gdl {
namespace {

using ::testing::ElementsAre;

constexpr Notation notations[] = {Notation::kif, Notation::infix};

std::string repeated(std::string_view part, std::size_t count) {
    std::string text;
    text.reserve(part.size() * count);
    for (std::size_t i = 0; i < count; ++i) text += part;
    return text;
}

// Ok with rules, or an error; every diagnostic inside the text and printable.
void expect_answer(const ReadResult& result) {
    const std::size_t size = result.description.source->text().size();
    EXPECT_TRUE(result.ok() ? !result.description.rules.empty() : result.diagnostics.errors() > 0);
    EXPECT_LE(result.diagnostics.all().size(), 2 * Diagnostics::max_kept);
    for (const Diagnostic& diagnostic : result.diagnostics.all()) {
        ASSERT_LE(diagnostic.span.begin, diagnostic.span.end) << diagnostic.code;
        ASSERT_LE(diagnostic.span.end, size) << diagnostic.code;
    }
    const std::size_t shown = std::min<std::size_t>(5, result.diagnostics.all().size());
    for (const Diagnostic& diagnostic : result.diagnostics.all().first(shown)) {
        const std::string text = render(*result.description.source, diagnostic);
        EXPECT_LT(text.size(), 4000U);
    }
}

// The sanitizers keep freed memory and shadow bytes, which says nothing about the reader.
constexpr bool memory_is_measurable = !sanitized;

std::size_t peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) / 1024;
}

// Reading `text` may add at most this many megabytes to the peak of the process so far.
void expect_peak_growth_below(std::size_t megabytes, std::size_t before) {
    if (memory_is_measurable) {
        EXPECT_LT(peak_megabytes() - before, megabytes);
    }
}

TEST(ReadLimitsTest, TruncatedAtEveryByte) {
    const std::string kif =
        "; h\xC3\xA4\n(role white)\r\n(<= (legal ?w (mark ?x 1)) ; c\n  (true (cell ?x b))\n\t(or (not (p ?x)) (and q "
        "r))\n"
        "  (distinct ?x 2))\n(<= terminal (line x))\n(goal white 100)\n";
    const std::string infix =
        "% h\xC3\xA4\nrole(white).\r\nlegal(W, mark(X, 1)) :- % c\n  true(cell(X, b)),\n\t(~p(X) ; q, 'R s\\'t'(_)),\n"
        "  distinct(X, ?y).\nterminal <= line(x)\ngoal(white, 100).\n";
    for (const Notation notation : notations) {
        const std::string& text = notation == Notation::kif ? kif : infix;
        for (std::size_t size = 0; size <= text.size(); ++size) {
            SCOPED_TRACE(size);
            expect_answer(read_and_check("test", text.substr(0, size), notation));
            expect_answer(read_and_check("test", text.substr(size), notation));
            expect_answer(read_and_check("test", text.substr(0, size)));
        }
    }
}

TEST(ReadLimitsTest, ABundledGameTruncatedAtEveryByte) {
    const auto files = testing::bundled_files();
    ASSERT_FALSE(files.empty());
    // The smallest: the work grows with the square of the size.
    const auto smallest = std::min_element(files.begin(), files.end(), [](const auto& a, const auto& b) {
        return std::filesystem::file_size(a) < std::filesystem::file_size(b);
    });
    const std::string text = testing::content_of(*smallest);
    for (std::size_t size = 0; size <= text.size(); ++size) {
        SCOPED_TRACE(size);
        expect_answer(read("test", text.substr(0, size)));
    }
}

TEST(ReadLimitsTest, OneByteChangedAnywhere) {
    const std::string text = "(role a)\n(<= (legal a (m ?x)) (true (c ?x)) (not (d ?x)))\n(<= terminal (or p q))\n";
    using namespace std::string_view_literals;
    const std::string_view bytes = "\0\x01\t\n\r\x1B\x7F\x80\xC3\xE4\xFE\xFF ()?;%.:,~&|'\"\\<=_-+#aZ09"sv;
    for (std::size_t at = 0; at < text.size(); ++at) {
        for (const char byte : bytes) {
            std::string changed = text;
            changed[at] = byte;
            for (const Notation notation : notations) expect_answer(read("test", changed, notation));
        }
    }
}

TEST(ReadLimitsTest, RandomBytes) {
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
        std::string text(random() % 3000, '\0');
        // In half of the rounds no zero byte, which alone would end it all.
        for (char& c : text) c = static_cast<char>(round % 2 == 0 ? random() % 256 : 1 + random() % 255);
        for (const Notation notation : notations) expect_answer(read_and_check("test", text, notation));
        expect_answer(read_and_check("test", text));
    }
}

TEST(ReadLimitsTest, RandomTokens) {
    const std::vector<std::string> tokens = {
        "(",   ")",   "(<= ", "?x", " ",  "\n", "p",   "not ", "(or ",  "terminal", "'",  ",",
        ". ",  ":-",  "~",    ";",  "%",  "X",  "_",   "role", "(role", "\\",       "\r", "\xC3\xA4",
        "p(a", "(p(", "<=",   "?",  "\t", "0",  "100", "|",    "&",     "distinct", "(",  ")"};
    std::mt19937 random(2);
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (std::size_t i = random() % 60; i > 0; --i) text += tokens[random() % tokens.size()];
        SCOPED_TRACE(text);
        for (const Notation notation : notations) expect_answer(read_and_check("test", text, notation));
    }
}

TEST(ReadLimitsTest, NestedParentheses) {
    for (const std::size_t depth : {std::size_t{1'001}, std::size_t{100'000}, std::size_t{10'000'000}}) {
        const ReadResult open = read_and_check("test", repeated("(", depth), Notation::kif);
        expect_answer(open);
        EXPECT_THAT(testing::faults(open), ElementsAre("E101 1:1", "E104 1:1001"));
        EXPECT_LE(open.description.syntax.nodes.size(), max_nesting);

        const ReadResult closed =
            read_and_check("test", repeated("(p ", depth) + repeated(")", depth) + "\n(q a)", Notation::kif);
        EXPECT_THAT(testing::faults(closed), ElementsAre("E104 1:3001"));
        EXPECT_THAT(testing::rules(closed.description), ElementsAre("(q a)"));
        EXPECT_LE(closed.description.syntax.nodes.size(), 2 * max_nesting + 10);
    }
}

TEST(ReadLimitsTest, NestedInfix) {
    for (const std::size_t depth : {std::size_t{2'000}, std::size_t{100'000}}) {
        const ReadResult infix = read_and_check("test", "a :- " + repeated("(", depth) + ". b.", Notation::infix);
        expect_answer(infix);
        EXPECT_THAT(infix.diagnostics.all()[0].code, "E104");
        EXPECT_THAT(testing::rules(infix.description), ElementsAre("b"));
        expect_answer(read_and_check("test", repeated("p(", depth), Notation::infix));
        expect_answer(read_and_check("test", "p :- " + repeated("~", depth), Notation::infix));
        expect_answer(read_and_check("test", "p :- " + repeated("not ", depth), Notation::infix));
    }
}

TEST(ReadLimitsTest, BothNotationsAllowTheSameDepth) {
    for (const bool allowed : {true, false}) {
        // The statement itself is a list too.
        const std::size_t depth = allowed ? max_nesting - 1 : max_nesting;
        const std::vector<std::string> expected =
            allowed ? std::vector<std::string>{} : std::vector<std::string>{"E104"};
        const auto codes = [](const ReadResult& result) {
            std::vector<std::string> all;
            for (const Diagnostic& diagnostic : result.diagnostics.all()) all.emplace_back(diagnostic.code);
            return all;
        };
        EXPECT_EQ(
            codes(read("t", "(<= p " + repeated("(not ", depth) + "q" + repeated(")", depth) + ")", Notation::kif)),
            expected);
        EXPECT_EQ(codes(read("t", "(p " + repeated("(f ", depth) + "q" + repeated(")", depth) + ")", Notation::kif)),
                  expected);
        EXPECT_EQ(codes(read("t", "p :- " + repeated("~", depth) + "q.", Notation::infix)), expected);
        EXPECT_EQ(codes(read("t", "p(" + repeated("f(", depth) + "q" + repeated(")", depth) + ").", Notation::infix)),
                  expected);
        EXPECT_EQ(
            codes(read("t", "p :- " + repeated("(a, ", depth) + "q" + repeated(")", depth) + ".", Notation::infix)),
            expected);
    }
}

TEST(ReadLimitsTest, EndlessWord) {
    const std::size_t length = 5'000'000;
    const std::size_t before = peak_megabytes();
    const ReadResult kif = read_and_check("test", "(role " + std::string(length, 'a') + ")\n(p b)", Notation::kif);
    EXPECT_THAT(testing::faults(kif), ElementsAre("E105 1:7"));
    expect_answer(kif);
    const ReadResult infix = read_and_check("test", "role(" + std::string(length, 'a') + ").", Notation::infix);
    EXPECT_THAT(testing::faults(infix), ElementsAre("E105 1:6"));
    const ReadResult quoted = read_and_check("test", "role('" + std::string(length, 'a'), Notation::infix);
    EXPECT_THAT(testing::faults(quoted), ElementsAre("E117 1:6"));
    expect_answer(read_and_check("test", std::string(length, '?'), Notation::kif));
    expect_answer(read_and_check("test", std::string(length, ';'), Notation::kif));
    expect_peak_growth_below(300, before);
}

TEST(ReadLimitsTest, TheLongestNameThereMayBe) {
    const std::string name(max_word_bytes, 'a');
    EXPECT_TRUE(read("test", "(role " + name + ")", Notation::kif).ok());
    EXPECT_FALSE(read("test", "(role " + name + "a)", Notation::kif).ok());
    // Messages that quote it stay short.
    expect_answer(
        read_and_check("test", "(<= p ?" + name + ")\n(<= (" + name + " ?x))\n(" + name + " a b)", Notation::kif));
}

TEST(ReadLimitsTest, HugeArity) {
    const ReadResult kif = read_and_check("test", "(p" + repeated(" a", 100'000) + ")\n(q b)", Notation::kif);
    EXPECT_THAT(testing::faults(kif), ElementsAre("E114 1:2"));
    EXPECT_THAT(testing::rules(kif.description), ElementsAre("(q b)"));
    const ReadResult infix = read_and_check("test", "p(a" + repeated(", a", 100'000) + ").\nq(b).", Notation::infix);
    EXPECT_THAT(testing::faults(infix), ElementsAre("E114 1:1"));
    EXPECT_TRUE(read("test", "(p" + repeated(" a", max_arity) + ")", Notation::kif).ok());
    EXPECT_FALSE(read("test", "(p" + repeated(" a", max_arity + 1) + ")", Notation::kif).ok());
    // A rule may have any number of conditions, and so may a disjunction.
    EXPECT_TRUE(read("test", "(<= p" + repeated(" q", 100'000) + ")", Notation::kif).ok());
    EXPECT_TRUE(read("test", "(<= p (or" + repeated(" q", 100'000) + "))", Notation::kif).ok());
}

TEST(ReadLimitsTest, AMillionStatements) {
    constexpr std::size_t count = 1'000'000;
    const std::size_t before = peak_megabytes();
    const ReadResult same = read("test", repeated("(p a)\n", count), Notation::kif);
    EXPECT_TRUE(same.ok());
    EXPECT_EQ(same.description.rules.size(), count);
    EXPECT_LE(same.description.terms.size(), 2U);
    EXPECT_EQ(same.description.syntax.nodes.size(), 3 * count);
    expect_peak_growth_below(1000, before);
}

TEST(ReadLimitsTest, ManyDifferentStatements) {
    constexpr std::size_t count = 200'000;
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += fmt::format("(role r{})\n", i);
    const std::size_t before = peak_megabytes();
    const ReadResult result = read_and_check("test", text, Notation::kif);
    expect_answer(result);
    EXPECT_EQ(result.description.roles().size(), count);
    expect_peak_growth_below(1000, before);
}

TEST(ReadLimitsTest, AHundredThousandErrors) {
    for (const char* part : {")\n", "()\n", ") ", "(?x a)\n", "(<= ", "(<= p (not))\n", "?x ", "\x01 "}) {
        SCOPED_TRACE(part);
        const ReadResult result = read_and_check("test", repeated(part, 100'000), Notation::kif);
        expect_answer(result);
        EXPECT_GE(result.diagnostics.errors(), 99'999U);
        EXPECT_EQ(result.diagnostics.all().size(), Diagnostics::max_kept);
        EXPECT_GE(result.diagnostics.dropped(), 98'999U);
    }
    for (const char* part : {"p(. ", ":- .\n", "p(' .\n", "p :- q('<='(a)).\n"}) {
        SCOPED_TRACE(part);
        const ReadResult result = read_and_check("test", repeated(part, 100'000), Notation::infix);
        expect_answer(result);
        EXPECT_EQ(result.diagnostics.errors(), 100'000U);
        EXPECT_EQ(result.diagnostics.all().size(), Diagnostics::max_kept);
    }
}

// Hundreds of kilobytes in which something quadratic would take hours.
TEST(ReadLimitsTest, LongLines) {
    expect_answer(read("test", repeated("(<= p q ", 100'000), Notation::kif));
    expect_answer(read("test", "(p" + std::string(1'000'000, ' ') + "a", Notation::kif));
    expect_answer(read("test", repeated("(" + std::string(50, ' '), 100'000), Notation::kif));
    expect_answer(read("test", repeated("p. ", 200'000), Notation::infix));
    expect_answer(read("test", repeated("p(_). ", 100'000), Notation::infix));
    expect_answer(read("test", "p :- q" + repeated(", q", 200'000) + ".", Notation::infix));
    expect_answer(read("test", "p :- q" + repeated(" ; q", 200'000) + ".", Notation::infix));
}

TEST(ReadLimitsTest, TextsThatAreTooLarge) {
    const std::size_t before = peak_megabytes();
    const ReadResult result = read_and_check("test", std::string(70'000'000, '('));
    EXPECT_THAT(testing::faults(result), ElementsAre("E108 1:1"));
    EXPECT_EQ(result.diagnostics.all()[0].message, "the text has 70000000 bytes");
    EXPECT_TRUE(result.description.syntax.nodes.empty());
    expect_peak_growth_below(200, before);
}

}  // namespace
}  // namespace stratagem::gdl
