#include "gdl/scramble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "game_files.h"
#include "gdl/print.h"
#include "gdl/read.h"

namespace stratagem::gdl {
namespace {

using ::testing::Contains;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

Description read_clean(const std::string& text) {
    ReadResult result = read("test", text, Notation::kif);
    EXPECT_TRUE(result.ok()) << (result.diagnostics.all().empty() ? "" : result.diagnostics.all()[0].message);
    return std::move(result.description);
}

// A rule in KIF with words replaced by `names` (if there) and variables numbered in the order they appear.
class Normalised {
  public:
    Normalised(const Description& description, const std::map<std::string, std::string>& names)
        : terms_(description.terms), names_(names) {}

    std::string text(const Rule& rule) {
        variables_.clear();
        out_.clear();
        add(rule.head);
        for (const Literal& literal : rule.body) add(literal);
        return out_;
    }

  private:
    void add(Term term) {
        if (terms_.is_variable(term)) {
            const auto number = variables_.emplace(term, variables_.size()).first->second;
            out_ += " ?" + std::to_string(number);
            return;
        }
        const std::string name(terms_.symbols().name(terms_.symbol(term)));
        const auto renamed = names_.find(name);
        out_ += " (" + (renamed == names_.end() ? name : renamed->second);
        for (const Term argument : terms_.arguments(term)) add(argument);
        out_ += ")";
    }

    void add(const Literal& literal) {
        out_ += " [" + std::to_string(static_cast<int>(literal.kind));
        if (literal.parts.empty()) add(literal.atom);
        for (const Literal& part : literal.parts) add(part);
        out_ += "]";
    }

    const TermPool& terms_;
    const std::map<std::string, std::string>& names_;
    std::unordered_map<Term, std::size_t> variables_;
    std::string out_;
};

std::vector<std::string> normalised(const Description& description,
                                    const std::map<std::string, std::string>& names = {}) {
    Normalised printer(description, names);
    std::vector<std::string> rules;
    for (const Rule& rule : description.rules) rules.push_back(printer.text(rule));
    return rules;
}

void collect_words(const TermPool& terms, Term term, std::set<std::string>& words) {
    if (terms.is_variable(term)) return;
    words.emplace(terms.symbols().name(terms.symbol(term)));
    for (const Term argument : terms.arguments(term)) collect_words(terms, argument, words);
}

std::set<std::string> words_of(const Description& description) {
    std::set<std::string> words;
    for (const Rule& rule : description.rules) {
        collect_words(description.terms, rule.head, words);
        for (const Literal& literal : rule.body) {
            for_each_atom(literal, true,
                          [&](const Literal& part, bool) { collect_words(description.terms, part.atom, words); });
        }
    }
    return words;
}

bool is_keyword_name(const std::string& name) {
    Symbol symbol{};
    return SymbolTable().find(name, symbol);
}

void expect_same_game(const Description& original, std::uint64_t seed) {
    const Scrambled scrambled = scramble(original, seed);
    const Description other = read_clean(scrambled.text);
    ASSERT_EQ(other.rules.size(), original.rules.size());

    // A bijection that covers every word but the keywords.
    std::map<std::string, std::string> back;
    for (const auto& [from, to] : scrambled.names) {
        EXPECT_TRUE(back.emplace(to, from).second) << to << " stands for two names";
        EXPECT_FALSE(is_keyword_name(from)) << from;
        EXPECT_FALSE(is_keyword_name(to)) << to;
    }
    for (const std::string& word : words_of(original)) {
        EXPECT_TRUE(is_keyword_name(word) || scrambled.names.contains(word)) << word;
    }

    std::vector<std::string> expected = normalised(original);
    std::vector<std::string> found = normalised(other, back);
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);

    std::vector<std::string> roles;
    for (const Term role : original.roles()) {
        const std::string name = to_kif(original.terms, role);
        roles.push_back(scrambled.names.contains(name) ? scrambled.names.at(name) : name);
    }
    std::vector<std::string> new_roles;
    for (const Term role : other.roles()) new_roles.push_back(to_kif(other.terms, role));
    EXPECT_EQ(new_roles, roles);

    // Values written in goal rules mean themselves.
    for (const Rule& rule : original.rules) {
        if (original.terms.symbol(rule.head) != keyword::goal || original.terms.arity(rule.head) != 2) continue;
        const Term value = original.terms.argument(rule.head, 1);
        if (original.terms.is_variable(value) || original.terms.arity(value) > 0) continue;
        const std::string name = to_kif(original.terms, value);
        const bool is_number = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (is_number) {
            EXPECT_EQ(scrambled.names.at(name), name);
        }
    }
}

constexpr const char* small_game = R"(
; a comment
(role white) (role black) (role random)
(init (cell 1 1 b))
(<= (legal ?p (mark ?x ?y)) (role ?p) (true (cell ?x ?y b)) (distinct ?p white))
(<= (next (cell ?x ?y ?p)) (does ?p (mark ?x ?y)))
(<= terminal (or (not open) (true (cell 1 1 white))))
(<= open (true (cell ?x ?y b)))
(<= (goal white 100) (true (cell 1 1 white)))
(<= (goal white 0) (not (true (cell 1 1 white))))
)";

TEST(Scramble, SmallGame) {
    const Description original = read_clean(small_game);
    expect_same_game(original, 7);
    const Scrambled scrambled = scramble(original, 7);
    EXPECT_EQ(scrambled.text.find(';'), std::string::npos) << "comments speak of names";
    EXPECT_THAT(scrambled.names, Contains(Pair("100", "100")));
    EXPECT_THAT(scrambled.names, Contains(Pair("0", "0")));
    EXPECT_THAT(scrambled.names, Contains(Pair("1", Not("1"))));
    EXPECT_THAT(scrambled.names, Contains(Pair("cell", Not("cell"))));
    EXPECT_THAT(scrambled.names, Not(Contains(Key("random"))));
    EXPECT_THAT(scrambled.names, Not(Contains(Key("x")))) << "variables are not listed";
    for (const std::string& word : words_of(read_clean(scrambled.text))) {
        const bool meant = is_keyword_name(word) || word == "0" || word == "100";
        EXPECT_TRUE(meant || !words_of(original).contains(word)) << word;
    }
}

TEST(Scramble, SeedsDecide) {
    const Description original = read_clean(small_game);
    EXPECT_EQ(scramble(original, 1).text, scramble(original, 1).text);
    EXPECT_NE(scramble(original, 1).text, scramble(original, 2).text);
    EXPECT_NE(scramble(original, 1).names, scramble(original, 2).names);
    std::set<std::string> texts;
    for (std::uint64_t seed = 0; seed < 50; ++seed) texts.insert(scramble(original, seed).text);
    EXPECT_EQ(texts.size(), 50U);
}

// Spelt out, because it must be the same with every compiler and library.
TEST(Scramble, TheSameEverywhere) {
    const Description original = read_clean("(role a) (role b) (p b 1) (<= (q ?x) (p b ?x)) (<= (goal a 100) (q 1))");
    EXPECT_EQ(scramble(original, 1).text,
              "(role wawu)\n"
              "(<= (dusalo ?fohuve)\n"
              "  (vahubo vatuno ?fohuve))\n"
              "(vahubo vatuno wibi)\n"
              "(role vatuno)\n"
              "(<= (goal wawu 100)\n"
              "  (dusalo wibi))\n");
}

TEST(Scramble, RolesKeepTheirOrder) {
    std::string text;
    for (const char* name : {"a", "b", "c", "d", "e"}) text += std::string("(role ") + name + ")\n(p " + name + ")\n";
    const Description original = read_clean(text);
    for (std::uint64_t seed = 0; seed < 20; ++seed) expect_same_game(original, seed);
}

TEST(Scramble, NumbersThatReachGoalsAreKept) {
    const Scrambled scrambled = scramble(read_clean(R"(
        (role a)
        (init (score 0)) (init (place 7)) (init (clock 1))
        (<= (next (score ?n)) (true (score ?m)) (bonus ?k) (sum ?m ?k ?n))
        (<= (next (place ?n)) (true (place ?m)) (after ?m ?n) (distinct ?n ?k) (bonus ?k))
        (bonus 25) (sum 0 25 30) (after 7 8) (after 8 9)
        (<= (goal a ?v) (true (score ?v)))
        (<= (goal a 50) (true (clock 2)))
        (<= (wins ?w) (goal ?w (f 60)))
    )"),
                                         3);
    EXPECT_THAT(scrambled.names, Contains(Pair("0", "0")));
    EXPECT_THAT(scrambled.names, Contains(Pair("30", "30")));
    EXPECT_THAT(scrambled.names, Contains(Pair("50", "50")));
    for (const std::string other : {"7", "8", "9", "1", "2", "25", "60"}) {
        EXPECT_THAT(scrambled.names, Contains(Pair(other, Not(other))));
    }
}

// init and next, legal and does speak of the same things.
TEST(Scramble, NumbersFlowThroughFluentsAndMoves) {
    const Scrambled scrambled = scramble(read_clean(R"(
        (role a)
        (legal a (bid 40))
        (<= (input a (bid ?n)) (offer ?n)) (offer 60)
        (<= (next ?f) (does a (bid ?n)) (fluent ?n ?f)) (fluent 60 (paid 61)) (base (paid 62))
        (<= (next (paid ?n)) (does a (bid ?n)))
        (<= (goal ?r ?n) (role ?r) (true (paid ?n)))
    )"),
                                         3);
    for (const std::string kept : {"40", "60", "61", "62"}) EXPECT_THAT(scrambled.names, Contains(Pair(kept, kept)));
}

// A fluent or a move may be a bare number: each of these keywords is then the only way it reaches the goal.
TEST(Scramble, BareNumbersFlowBetweenTheKeywords) {
    for (const std::string source : {"(init 33)", "(base 33)", "(<= (next ?n) (q ?n)) (q 33)"}) {
        const std::string text = "(role a) (<= (goal a ?n) (true ?n)) (p 44) " + source;
        EXPECT_THAT(scramble(read_clean(text), 3).names, Contains(Pair("33", "33"))) << text;
        EXPECT_THAT(scramble(read_clean(text), 3).names, Contains(Pair("44", Not("44")))) << text;
    }
    for (const std::string source : {"(legal a 33)", "(input a 33)"}) {
        const std::string text = "(role a) (<= (r ?n) (does ?p ?n)) (<= (goal a ?n) (r ?n)) (p 44) " + source;
        EXPECT_THAT(scramble(read_clean(text), 3).names, Contains(Pair("33", "33"))) << text;
        EXPECT_THAT(scramble(read_clean(text), 3).names, Contains(Pair("44", Not("44")))) << text;
    }
}

TEST(Scramble, ARelationAndAFunctionOfOneNameStayOfOneName) {
    const Description original = read_clean("(role a)\n(cell b)\n(<= (p ?cell) (q (cell ?cell)))");
    for (std::uint64_t seed = 0; seed < 10; ++seed) expect_same_game(original, seed);
}

TEST(Scramble, NamesDoNotRunOut) {
    std::string text;
    for (int i = 0; i < 30'000; ++i) text += "(p c" + std::to_string(i) + ")\n";
    expect_same_game(read_clean(text), 5);
}

void expect_same_games(const std::vector<std::filesystem::path>& files) {
    std::uint64_t seed = 0;
    std::size_t rules = 0;
    for (const std::filesystem::path& path : files) {
        SCOPED_TRACE(path.string());
        const ReadResult result = read(path.string(), testing::content_of(path), Notation::kif);
        if (!result.ok()) continue;
        rules += result.description.rules.size();
        expect_same_game(result.description, ++seed);
    }
    EXPECT_GT(rules, files.size()) << "hardly anything could be read";
}

TEST(Scramble, BundledGames) {
    const auto files = testing::bundled_files();
    ASSERT_FALSE(files.empty());
    expect_same_games(files);
}

TEST(Scramble, SharedGames) {
    const auto files = testing::shared_files();
    if (files.empty()) GTEST_SKIP() << "no ../shared/games beside the project";
    expect_same_games(files);
}

}  // namespace
}  // namespace stratagem::gdl
