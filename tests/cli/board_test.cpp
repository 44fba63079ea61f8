// Boards are found and drawn by shape: other names, the same picture.
#include "cli/board.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gdl/read.h"

namespace stratagem::cli {
namespace {

// Fluents written one after the other, in KIF.
class BoardTest : public testing::Test {
  protected:
    std::vector<gdl::Term> fluents(const std::string& text) {
        if (text.empty()) return {};
        const gdl::ReadResult result = gdl::read("fluents.kif", text);
        EXPECT_TRUE(result.ok()) << text;
        std::vector<gdl::Term> terms;
        for (const gdl::Rule& rule : result.description.rules)
            terms.push_back(copy(result.description.terms, rule.head));
        return terms;
    }

    std::string draw(const std::string& all, const std::string& initial, const std::string& state) {
        const std::vector<gdl::Term> every = fluents(all);
        const std::vector<gdl::Term> first = fluents(initial);
        return Board(terms_, every, first).draw(fluents(state));
    }

  private:
    gdl::Term copy(const gdl::TermPool& from, gdl::Term term) {
        std::vector<gdl::Term> arguments;
        for (const gdl::Term argument : from.arguments(term)) arguments.push_back(copy(from, argument));
        return terms_.compound(terms_.symbols().intern(from.symbols().name(from.symbol(term))), arguments);
    }

    gdl::TermPool terms_;
};

TEST_F(BoardTest, FirstArgumentAcrossSecondUpwards) {
    const std::string all =
        "(at 2 10 x) (at 1 2 x) (at 1 2 o) (at 1 2 none) (at 1 10 none) (at 2 2 none) (at 2 10 none) (turn x)";
    const std::string initial = "(at 1 2 none) (at 1 10 none) (at 2 2 none) (at 2 10 none) (turn x)";
    EXPECT_EQ(draw(all, initial, "(at 1 2 o) (at 1 10 none) (at 2 2 none) (at 2 10 x) (turn x)"),
              "10  . x\n"
              " 2  o .\n"
              "    1 2\n"
              "(turn x)\n");
}

TEST_F(BoardTest, CellsWithoutFluentAreTheBackgroundWhereTheyAreMost) {
    EXPECT_EQ(draw("(p a a white) (p a b white) (p b a white) (p b b white)", "(p a a white)", "(p a b white)"),
              "b  w .\n"
              "a  . .\n"
              "   a b\n");
}

TEST_F(BoardTest, WholeNamesWhereFirstLettersAreTheSame) {
    EXPECT_EQ(draw("(p 1 1 red) (p 1 2 round) (p 2 1 red) (p 2 2 red)", "(p 1 1 red)", "(p 1 1 red) (p 2 1 red)"),
              "2    .   .\n"
              "1  red red\n"
              "     1   2\n");
}

TEST_F(BoardTest, NoBackgroundWhereAllContentsDiffer) {
    const std::string state = "(p 1 1 3) (p 1 2 2) (p 2 1 1) (p 2 2 hole)";
    EXPECT_EQ(draw(state, state, state),
              "2  2 h\n"
              "1  3 1\n"
              "   1 2\n");
}

TEST_F(BoardTest, TheLargerOfTwoGrids) {
    EXPECT_EQ(draw("(a 1 1 x) (a 2 2 x) (b 1 1 y) (b 2 2 y) (b 3 1 y)", "", "(a 1 1 x) (b 3 1 y)"),
              "2  . . .\n"
              "1  . . y\n"
              "   1 2 3\n"
              "(a 1 1 x)\n");
}

TEST_F(BoardTest, FluentsAreListedWhereThereIsNoGrid) {
    const std::string state = "(heap a 3) (control white)";
    EXPECT_EQ(draw(state, state, state), "(heap a 3) (control white)\n");
    EXPECT_EQ(draw("", "", ""), "");
}

TEST_F(BoardTest, FluentsAreListedWhereACellHoldsTwoThings) {
    const std::string all = "(p 1 1 x) (p 2 2 x) (p 1 1 y)";
    EXPECT_EQ(draw(all, "", "(p 1 1 x) (p 1 1 y)"), "(p 1 1 x) (p 1 1 y)\n");
}

TEST_F(BoardTest, LongDomainsAreNoGrid) {
    std::string all;
    for (int i = 0; i < 21; ++i) all += "(p " + std::to_string(i) + " " + std::to_string(i) + " x) ";
    EXPECT_EQ(draw(all, "", "(p 1 1 x)"), "(p 1 1 x)\n");
}

TEST_F(BoardTest, ContentsThatAreNoWords) {
    EXPECT_EQ(draw("(p 1 1 (f x)) (p 1 2 x) (p 2 1 x)", "", "(p 1 1 (f x))"),
              "2      .     .\n"
              "1  (f x)     .\n"
              "       1     2\n");
}

}  // namespace
}  // namespace stratagem::cli
