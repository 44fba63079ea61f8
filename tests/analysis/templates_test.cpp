// Structures as the thesis of Kuhlmann finds them, on bundled games and under scrambling.
#include "analysis/templates.h"

#include <gmock/gmock.h>

#include "analysis/analysis.h"
#include "gdl/print.h"
#include "gdl/scramble.h"
#include "machine/machine_games.h"

namespace stratagem::analysis {
namespace {

struct Templates {
    explicit Templates(const gdl::Description& rules, std::size_t states = 400) : game(rules), program(game.program()) {
        SampleLimits limits;
        limits.states = states;
        const Samples samples(game, program->fluents.size(), limits);
        found = find_by_templates(*program, samples, {});
    }
    explicit Templates(const std::string& name) : Templates(machine::testing::bundled(name)) {}

    std::string name(std::size_t family) const {
        return std::string(program->terms.symbols().name(found.families[family].name));
    }
    // Null where there is none, or several.
    const PlainBoard* board(const std::string& family) const {
        const PlainBoard* result = nullptr;
        for (const PlainBoard& one : found.boards) {
            if (name(one.family) != family) continue;
            if (result != nullptr) return nullptr;
            result = &one;
        }
        return result;
    }
    std::vector<std::string> pieces(const PlainBoard& board) const {
        std::vector<std::string> names;
        for (const PlainMarker& marker : board.markers) {
            if (marker.piece) names.push_back(gdl::to_kif(program->terms, marker.content[0]));
        }
        return names;
    }

    machine::GdlGame game;
    std::shared_ptr<const ground::Program> program;
    PlainStructures found;
};

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(Templates, TicTacToeHasABoardWithoutPieces) {
    const Templates game("tic_tac_toe");
    ASSERT_EQ(game.found.boards.size(), 1u);
    const PlainBoard& board = game.found.boards[0];
    EXPECT_EQ(game.name(board.family), "cell");
    EXPECT_THAT(board.content, ElementsAre(2));
    EXPECT_THAT(board.coordinates, ElementsAre(0, 1));
    EXPECT_EQ(board.cells, 9u);
    EXPECT_EQ(board.markers.size(), 3u);
    EXPECT_EQ(board.pieces(), 0u);
    EXPECT_THAT(game.found.team, ElementsAre(0, 1));
    EXPECT_THAT(game.found.counters, IsEmpty());
}

TEST(Templates, HallwayHasPawnsWallsLeftAndACounter) {
    const Templates game("hallway");
    const PlainBoard* pawns = game.board("pawn");
    ASSERT_NE(pawns, nullptr);
    EXPECT_TRUE(pawns->is_ordered());
    EXPECT_THAT(pawns->coordinates, ElementsAre(1, 2));
    EXPECT_THAT(game.pieces(*pawns), UnorderedElementsAre("white", "black"));
    ASSERT_EQ(game.found.counters.size(), 1u);
    EXPECT_EQ(game.name(game.found.counters[0].family), "moves_made");
    ASSERT_EQ(game.found.quantities.size(), 1u);
    EXPECT_EQ(game.name(game.found.quantities[0].family), "walls_left");
    EXPECT_EQ(game.found.quantities[0].amounts.size(), 2u);
}

TEST(Templates, MarkersOfNothelloAreNoPieces) {
    const Templates game("nothello");
    const PlainBoard* board = game.board("cell");
    ASSERT_NE(board, nullptr);
    EXPECT_EQ(board->cells, 64u);
    EXPECT_EQ(board->pieces(), 0u);
}

TEST(Templates, KingsOfMinichessArePieces) {
    const Templates game("minichess");
    std::size_t pieces = 0;
    for (const PlainBoard& board : game.found.boards) pieces += board.pieces();
    EXPECT_GE(pieces, 2u);
}

// A number that is written out is no step counter, unless every step is the rule.
TEST(Templates, ACounterGoesByTheRuleAlone) {
    const std::string rules = R"(
        (role a) (init (step 0)) (init (count 0)) (s 0 1) (s 1 2) (s 2 3) (legal a go) (legal a stay)
        (<= (next (step ?y)) (true (step ?x)) (s ?x ?y))
        (<= (next (count ?y)) (true (count ?x)) (does a go) (s ?x ?y))
        (<= (next (count ?x)) (true (count ?x)) (does a stay))
        (<= terminal (true (step 3))) (goal a 100))";
    const Templates game(machine::testing::described(rules));
    ASSERT_EQ(game.found.counters.size(), 1u);
    EXPECT_EQ(game.name(game.found.counters[0].family), "step");
    ASSERT_EQ(game.found.quantities.size(), 1u);
    EXPECT_EQ(game.name(game.found.quantities[0].family), "count");
}

TEST(Templates, TeamsAlwaysGetTheSame) {
    const std::string rules = R"(
        (role a) (role b) (role c) (init (on 0)) (s 0 1)
        (legal a go) (legal a stay) (legal b go) (legal c go)
        (<= (next (on 1)) (does a go)) (<= (next (on 2)) (does a stay))
        (<= terminal (true (on 1))) (<= terminal (true (on 2)))
        (<= (goal a 100) (true (on 1))) (<= (goal c 100) (true (on 1))) (<= (goal b 0) (true (on 1)))
        (<= (goal a 50) (true (on 2))) (<= (goal c 50) (true (on 2))) (<= (goal b 50) (true (on 2))))";
    EXPECT_THAT(Templates(machine::testing::described(rules)).found.team, ElementsAre(0, 1, 0));
}

std::string counts(const Templates& game) {
    std::string text = std::to_string(game.found.orders.size()) + " orders, " +
                       std::to_string(game.found.counters.size()) + " counters, boards";
    std::vector<std::string> boards;
    for (const PlainBoard& one : game.found.boards) {
        boards.push_back(" " + std::to_string(one.cells) + "/" + std::to_string(one.markers.size()) + "/" +
                         std::to_string(one.pieces()) + (one.is_ordered() ? "o" : ""));
    }
    std::ranges::sort(boards);
    for (const std::string& one : boards) text += one;
    std::size_t amounts = 0;
    for (const PlainQuantity& one : game.found.quantities) amounts += one.amounts.size();
    return text + ", " + std::to_string(amounts) + " amounts";
}

TEST(Templates, NamesPlayNoPart) {
    for (const std::string name : {"tic_tac_toe", "hallway", "nothello", "minichess", "farmers", "breakthrough_6x6"}) {
        const gdl::Description rules = machine::testing::bundled(name);
        const gdl::Scrambled scrambled = gdl::scramble(rules, 7);
        EXPECT_EQ(counts(Templates(machine::testing::described(scrambled.text))), counts(Templates(rules))) << name;
    }
}

TEST(Templates, AreTheSameAsByMeaningWhereGamesArePlain) {
    for (const std::string name : {"tic_tac_toe", "hallway"}) {
        const Analysis analysis(std::make_shared<machine::GdlGame>(machine::testing::bundled(name)),
                                {.seed = 1, .sample_states = 300, .repeatable = true});
        const Findings known = analysis.ask({Item::structures}, {});
        const PlainStructures meant = plain_structures_by_meaning(known);
        const PlainStructures found = find_by_templates(*known.program(), *known.samples(), {});
        EXPECT_EQ(meant.counters.size(), found.counters.size()) << name;
        ASSERT_EQ(meant.boards.size(), found.boards.size()) << name;
        for (std::size_t i = 0; i < found.boards.size(); ++i) {
            EXPECT_EQ(meant.boards[i].content, found.boards[i].content) << name;
            EXPECT_EQ(meant.boards[i].pieces(), found.boards[i].pieces()) << name;
        }
    }
}

}  // namespace
}  // namespace stratagem::analysis
