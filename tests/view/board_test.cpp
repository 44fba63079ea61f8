// Boards are found and drawn by shape: other names, the same picture.
#include "view/board.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "gdl/scramble.h"
#include "machine/machine_games.h"
#include "view/signs.h"
#include "view/text_picture.h"

namespace stratagem::view {
namespace {

// Fluents written one after the other, in KIF.
FluentTexts fluents(const std::string& text) {
    FluentTexts result;
    std::size_t depth = 0;
    std::string word;
    for (const char c : text + " ") {
        if (c == '(') ++depth;
        if (c == ')') --depth;
        if (c == ' ' && depth == 0) {
            if (!word.empty()) result.push_back(read_fluent(word));
            word.clear();
        } else {
            word += c;
        }
    }
    return result;
}

BoardEvidence seen(const std::string& all, const std::string& initial) {
    BoardEvidence evidence;
    evidence.fluents = fluents(all);
    evidence.states.push_back(fluents(initial));
    return evidence;
}

std::string draw(const std::string& all, const std::string& initial, const std::string& state) {
    return to_text(Board(seen(all, initial)).picture(fluents(state)));
}

// Every content in every cell of a square of numbers.
std::string square(const std::string& relation, int side, const std::vector<std::string>& contents) {
    std::string text;
    for (int x = 1; x <= side; ++x) {
        for (int y = 1; y <= side; ++y) {
            for (const std::string& content : contents) {
                text += "(" + relation + " " + std::to_string(x) + " " + std::to_string(y) +
                        (content.empty() ? "" : " " + content) + ") ";
            }
        }
    }
    return text;
}

TEST(FluentText, ReadsWhatMachinesWrite) {
    EXPECT_EQ(read_fluent("(cell 1 (f x (g y)) b)"), (FluentText{"cell", {"1", "(f x (g y))", "b"}}));
    EXPECT_EQ(read_fluent("done"), (FluentText{"done", {}}));
    EXPECT_EQ(read_fluent("(a b))"), (FluentText{"(a b))", {}}));
    EXPECT_EQ(read_fluent(""), (FluentText{"", {}}));
    for (const char* text : {"(cell 1 (f x (g y)) b)", "done", "(p x)"}) EXPECT_EQ(to_text(read_fluent(text)), text);
}

TEST(FluentText, NumbersAreSortedByValue) {
    EXPECT_TRUE(natural_less("c2", "c10"));
    EXPECT_FALSE(natural_less("c10", "c2"));
    EXPECT_TRUE(natural_less("(drop 9)", "(drop 10)"));
    EXPECT_TRUE(natural_less("a", "b"));
    EXPECT_TRUE(natural_less("a", "a1"));
    EXPECT_FALSE(natural_less("a", "a"));
    EXPECT_TRUE(natural_less("01", "1") != natural_less("1", "01"));
    EXPECT_TRUE(natural_less("99999999999999999999", "100000000000000000000"));
}

TEST(ShortSigns, LettersThatTellNamesApart) {
    using Signs = std::map<std::string, std::string>;
    EXPECT_EQ(short_signs({"black", "white"}), (Signs{{"black", "b"}, {"white", "w"}}));
    EXPECT_EQ(short_signs({"white_king", "white_knight", "white_pawn", "black_king", "black_pawn"}),
              (Signs{{"white_king", "wki"},
                     {"white_knight", "wkn"},
                     {"white_pawn", "wp"},
                     {"black_king", "bk"},
                     {"black_pawn", "bp"}}));
    EXPECT_EQ(short_signs({"queen"}), (Signs{{"queen", "q"}}));
    EXPECT_EQ(short_signs({"1", "12", "gap"}), (Signs{{"1", "1"}, {"12", "12"}, {"gap", "g"}}));
    EXPECT_EQ(short_signs({"(f x)", "white"}), (Signs{{"(f x)", "(f x)"}, {"white", "white"}}));
    EXPECT_TRUE(short_signs({}).empty());
}

TEST(ShortSigns, AreNeverTheSame) {
    for (const std::set<std::string>& names : {std::set<std::string>{"b", "black", "blue", "bluebird"},
                                               {"x1", "x10", "x2", "y"},
                                               {"ab", "abc", "abcd", "b"},
                                               {"1", "x1", "x12", "21"}}) {
        std::set<std::string> used;
        for (const auto& [name, sign] : short_signs(names)) {
            EXPECT_FALSE(sign.empty());
            EXPECT_TRUE(used.insert(sign).second) << name << " " << sign;
        }
    }
}

TEST(Board, FirstArgumentAcrossSecondUpwards) {
    const std::string all =
        "(at 2 10 x) (at 1 2 x) (at 1 2 o) (at 1 2 none) (at 1 10 none) (at 2 2 none) (at 2 10 none) (turn x)";
    const std::string initial = "(at 1 2 none) (at 1 10 none) (at 2 2 none) (at 2 10 none) (turn x)";
    EXPECT_EQ(draw(all, initial, "(at 1 2 o) (at 1 10 none) (at 2 2 none) (at 2 10 x) (turn x)"),
              "10  . x\n"
              " 2  o .\n"
              "    1 2\n"
              "(turn x)\n");
}

TEST(Board, CellsWithoutFluentAreTheBackgroundWhereTheyAreMost) {
    EXPECT_EQ(draw("(p a a white) (p a b white) (p b a white) (p b b white)", "(p a a white)", "(p a b white)"),
              "b  w .\n"
              "a  . .\n"
              "   a b\n");
}

TEST(Board, CellsThatNeverHoldAnythingStayEmpty) {
    EXPECT_EQ(draw("(p 1 1 x) (p 2 2 x) (p 3 1 x) (p 1 3 x) (p 3 3 x)", "(p 2 2 x)", "(p 2 2 x)"),
              "3  .   .\n"
              "2    x\n"
              "1  .   .\n"
              "   1 2 3\n");
}

TEST(Board, ThePieceMayComeFirst) {
    std::string all;
    for (const char* piece : {"king", "queen"}) {
        for (int x = 1; x <= 3; ++x) {
            for (int y = 1; y <= 3; ++y) {
                all += std::string("(on ") + piece + " " + std::to_string(x) + " " + std::to_string(y) + ") ";
            }
        }
    }
    EXPECT_EQ(draw(all, "(on king 1 1) (on queen 2 3)", "(on king 1 1) (on queen 2 3)"),
              "3  . q .\n"
              "2  . . .\n"
              "1  k . .\n"
              "   1 2 3\n");
}

TEST(Board, MarksWithoutContent) {
    EXPECT_EQ(draw(square("lit", 3, {""}) + "(step 1)", "(lit 1 1) (lit 2 2)", "(lit 3 1) (step 1)"),
              "3  . . .\n"
              "2  . . .\n"
              "1  . . l\n"
              "   1 2 3\n"
              "(step 1)\n");
}

TEST(Board, RelationsOverTheSameCellsAreLayers) {
    const std::string all = square("cell", 3, {"white", "empty"}) + square("seen", 3, {""});
    std::string state;
    for (const FluentText& fluent : fluents(square("cell", 3, {"empty"}))) state += to_text(fluent) + " ";
    EXPECT_EQ(draw(all, state, "(cell 1 1 white) (cell 2 1 empty) (cell 3 1 white) (seen 3 1) (seen 2 2)"),
              "3\n"
              "2      s\n"
              "1   w  . ws\n"
              "    1  2  3\n");
}

TEST(Board, ArgumentsThatNumberBoards) {
    std::string all;
    std::string initial;
    for (const char* board : {"left", "right"}) {
        for (const FluentText& fluent : fluents(square("c", 3, {"x", "none"}))) {
            FluentText placed = fluent;
            placed.arguments.insert(placed.arguments.begin(), board);
            all += to_text(placed) + " ";
            if (placed.arguments.back() == "none") initial += to_text(placed) + " ";
        }
    }
    EXPECT_EQ(draw(all, initial, initial),
              "   left        right\n"
              "3  . . .    3  . . .\n"
              "2  . . .    2  . . .\n"
              "1  . . .    1  . . .\n"
              "   1 2 3       1 2 3\n");
}

TEST(Board, TwoBoardsThatAreAlwaysFull) {
    const std::string all = square("one", 2, {"x", "none"}) + square("two", 2, {"x", "none"});
    const std::string initial = square("one", 2, {"none"}) + square("two", 2, {"none"});
    const Board board(seen(all, initial));
    ASSERT_EQ(board.shapes().size(), 2U);
    EXPECT_EQ(to_text(board.picture(fluents(initial))),
              "   one\n"
              "2  . .\n"
              "1  . .\n"
              "   1 2\n"
              "   two\n"
              "2  . .\n"
              "1  . .\n"
              "   1 2\n");
}

TEST(Board, NoBackgroundWhereAllContentsDiffer) {
    const std::string state = "(p 1 1 3) (p 1 2 2) (p 2 1 1) (p 2 2 hole)";
    EXPECT_EQ(draw(state, state, state),
              "2  2 h\n"
              "1  3 1\n"
              "   1 2\n");
}

TEST(Board, WhoIsNamedLikeARoleIsNoBackground) {
    BoardEvidence evidence = seen(square("p", 2, {"red", "none"}), square("p", 2, {"red"}));
    evidence.roles = {"red"};
    EXPECT_EQ(Board(evidence).background(0), std::nullopt);
    evidence.roles.clear();
    EXPECT_EQ(Board(evidence).background(0), "red");
}

TEST(Board, FluentsAreListedWhereThereIsNoGrid) {
    const std::string state = "(heap a 3) (control white)";
    EXPECT_EQ(draw(state, state, state), "(heap a 3) (control white)\n");
    EXPECT_EQ(draw("", "", ""), "");
    // Players and their points are no board.
    const std::string points = "(score anna 1) (score anna 2) (score anna 3) (score ben 1) (score ben 2) (score ben 3)";
    EXPECT_EQ(draw(points, "(score anna 1) (score ben 1)", "(score ben 2)"), "(score ben 2)\n");
}

TEST(Board, FluentsNobodyKnewOfAreListed) {
    EXPECT_EQ(draw("(p 1 1 x) (p 2 2 x) (p 1 2 x)", "(p 1 1 x)", "(p 1 1 x) (p 7 1 x) (q 1 1 x)"),
              "2  . .\n"
              "1  x\n"
              "   1 2\n"
              "(p 7 1 x) (q 1 1 x)\n");
}

TEST(Board, LongDomainsAreNoGrid) {
    std::string all;
    for (int i = 0; i < 40; ++i) all += "(p " + std::to_string(i) + " " + std::to_string(i) + " x) ";
    EXPECT_EQ(draw(all, "", "(p 1 1 x)"), "(p 1 1 x)\n");
}

TEST(Board, LongNamesOfCoordinatesAreShortened) {
    std::string all;
    for (const char* x : {"january", "february", "march"}) {
        for (const char* y : {"monday", "tuesday", "wednesday"}) {
            all += std::string("(p ") + x + " " + y + " busy) (p " + x + " " + y + " free) ";
        }
    }
    const Board board(seen(all, ""));
    EXPECT_EQ(to_text(board.picture(fluents("(p march monday busy)")), {.width = 24}),
              "w  . . .\n"
              "t  . . .\n"
              "m  . . b\n"
              "   f j m\n"
              "columns: f=february\n"
              "j=january m=march\n"
              "rows: m=monday t=tuesday\n"
              "w=wednesday\n");
}

TEST(Board, ColourOnlyWhereItIsWanted) {
    const Board board(seen(square("p", 2, {"x", "o"}), "(p 1 1 x)"));
    const FluentTexts before = fluents("(p 1 1 x)");
    const FluentTexts now = fluents("(p 1 1 x) (p 2 2 o)");
    const Picture picture = board.picture(now, &before);
    EXPECT_EQ(to_text(picture).find('\x1b'), std::string::npos);
    const std::string coloured = to_text(picture, {.colour = true});
    std::size_t changed = 0;
    for (std::size_t at = coloured.find(";7m"); at != std::string::npos; at = coloured.find(";7m", at + 1)) ++changed;
    EXPECT_EQ(changed, 1U);  // the one cell that is new
}

// A game of the collection, watched.
struct Watched {
    explicit Watched(gdl::Description description)
        : prepared(std::move(description)), evidence(look_at(prepared)), board(evidence) {}

    machine::GdlGame prepared;
    BoardEvidence evidence;
    Board board;
};

// What is drawn is all there is to see.
void expect_different_drawings(const Watched& game) {
    std::map<std::string, std::size_t> drawings;
    for (std::size_t i = 0; i < game.evidence.states.size(); ++i) {
        const FluentTexts& state = game.evidence.states[i];
        const auto [same, fresh] = drawings.emplace(to_text(game.board.picture(state)), i);
        EXPECT_TRUE(fresh || game.evidence.states[same->second] == state) << same->first;
    }
}

TEST(BoardOfGames, ScrambledTheyHaveTheSameBoards) {
    std::size_t games = 0;
    std::size_t found = 0;
    for (const std::filesystem::path& path : gdl::testing::bundled_files()) {
        SCOPED_TRACE(path.filename().string());
        const Watched plain(machine::testing::described_file(path));
        ++games;
        if (plain.board.found()) ++found;
        expect_different_drawings(plain);
        const gdl::Scrambled scrambled = gdl::scramble(plain.prepared.description(), 11);
        const Watched other(machine::testing::described(scrambled.text));
        const auto renamed = [&](const std::string& name) {
            const auto other_name = scrambled.names.find(name);
            return other_name == scrambled.names.end() ? name : other_name->second;
        };
        const std::vector<BoardShape> expected = plain.board.shapes();
        const std::vector<BoardShape> got = other.board.shapes();
        ASSERT_EQ(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            ASSERT_EQ(got[i].layers.size(), expected[i].layers.size());
            for (BoardLayer layer : expected[i].layers) {
                layer.relation = renamed(layer.relation);
                EXPECT_NE(std::ranges::find(got[i].layers, layer), got[i].layers.end()) << layer.relation;
            }
            const auto same_order = [&](const OrderedDomain& before, const OrderedDomain& after) {
                std::vector<std::string> names;
                for (const std::string& name : before.names) names.push_back(renamed(name));
                EXPECT_EQ(after.ordered, before.ordered);
                if (!before.ordered) return std::ranges::is_permutation(names, after.names);
                // Which end of a chain is the first may be lost with the names.
                if (names.front() != after.names.front()) std::ranges::reverse(names);
                return names == after.names;
            };
            EXPECT_TRUE(same_order(expected[i].columns, got[i].columns));
            EXPECT_TRUE(same_order(expected[i].rows, got[i].rows));
            const std::optional<std::string> background = plain.board.background(i);
            EXPECT_EQ(other.board.background(i), background ? std::optional(renamed(*background)) : std::nullopt);
        }
    }
    EXPECT_GE(found * 10, games * 8) << found << " of " << games;
}

}  // namespace
}  // namespace stratagem::view
