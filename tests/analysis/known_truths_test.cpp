// Games about which the truth is known.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "analysis/known_game.h"
#include "gdl/scramble.h"
#include "machine/circuit/circuit.h"
#include "test_size.h"

namespace stratagem::analysis {
namespace {

using Known = testing::KnownGame;

TEST(KnownTruths, TwoPlayersWithConstantSumTakeTurns) {
    for (const std::string name : {"breakthrough", "english_draughts", "connect_four", "hex", "quarto", "pentago",
                                   "othello", "tic_tac_toe", "amazons", "knightthrough"}) {
        SCOPED_TRACE(name);
        const Known known(name);
        EXPECT_EQ(known->kind().turn_taking, Verdict::proved);
        EXPECT_EQ(known->goal_sum().constant, Verdict::proved);
        EXPECT_EQ(known->goal_sum().sum, 100);
    }
}

TEST(KnownTruths, SimultaneousMovesAreRefuted) {
    const Known known("rock_paper_scissors");
    EXPECT_EQ(known->kind().turn_taking, Verdict::refuted);
    EXPECT_EQ(Known("farmers")->goal_sum().constant, Verdict::refuted);
}

// By the last argument: marks stay, blanks never come back.
TEST(KnownTruths, MarkedCellsStay) {
    const std::map<std::string, std::string> blanks{
        {"tic_tac_toe", "blank"}, {"connect_four", "empty"}, {"connect_five", "empty"}, {"quarto", "empty"}};
    for (const auto& [game, blank] : blanks) {
        SCOPED_TRACE(game);
        const Known known(game);
        std::size_t marked = 0, empty = 0;
        const Family& cells = known->families()[known.structure("cell").family];
        for (const Fluent fluent : cells.members) {
            const std::string text = known.name(fluent);
            const bool is_blank = text.substr(text.rfind(' ') + 1) == blank + ")";
            const std::uint32_t i = ground::index(fluent);
            if (is_blank) {
                EXPECT_EQ(known->persistence().gone[i], Verdict::proved) << text;
                EXPECT_NE(known->persistence().stays[i], Verdict::proved) << text;
            } else {
                EXPECT_EQ(known->persistence().stays[i], Verdict::proved) << text;
                EXPECT_NE(known->persistence().gone[i], Verdict::proved) << text;
            }
            (is_blank ? empty : marked) += 1;
        }
        EXPECT_GT(empty, 0U);
        EXPECT_GT(marked, empty);
    }
}

TEST(KnownTruths, Boards) {
    const Known breakthrough("breakthrough");
    const Structure& cells = breakthrough.structure("cell");
    EXPECT_EQ(cells.kind, Structure::Kind::board);
    EXPECT_EQ(cells.verdict, Verdict::proved);
    EXPECT_EQ(cells.total, Verdict::proved);
    ASSERT_EQ(cells.arguments.size(), 3U);
    EXPECT_TRUE(cells.arguments[0].order && !cells.arguments[0].output);
    EXPECT_TRUE(cells.arguments[1].order && !cells.arguments[1].output);
    EXPECT_TRUE(!cells.arguments[2].order && cells.arguments[2].output);
    EXPECT_EQ(cells.contents.size(), 3U);
    EXPECT_EQ(breakthrough.structure("control").kind, Structure::Kind::control);

    const Known puzzle("eight_puzzle");
    const Structure& tiles = puzzle.structure("cell");
    EXPECT_EQ(tiles.kind, Structure::Kind::board);
    EXPECT_EQ(tiles.contents.size(), 9U);
    for (const Verdict single : tiles.single) EXPECT_EQ(single, Verdict::proved);
    EXPECT_EQ(puzzle.structure("step").kind, Structure::Kind::step_counter);
    EXPECT_EQ(puzzle.structure("step").verdict, Verdict::proved);
    EXPECT_TRUE(puzzle.structure("step").only_ends);
}

TEST(KnownTruths, PiecesWithPlaces) {
    const Known chess("minichess");
    EXPECT_EQ(chess.structure("at").kind, Structure::Kind::places);
    EXPECT_EQ(chess.structure("at").verdict, Verdict::proved);
    EXPECT_EQ(chess.structure("moves_left").kind, Structure::Kind::quantity);
    const Known hallway("hallway");
    EXPECT_EQ(hallway.structure("pawn").kind, Structure::Kind::places);
    EXPECT_EQ(hallway.structure("walls_left").kind, Structure::Kind::amounts);
    EXPECT_EQ(hallway.structure("moves_made").kind, Structure::Kind::step_counter);
    const Known race("racetrack_corridor");
    EXPECT_EQ(race.structure("car").kind, Structure::Kind::places);
    EXPECT_EQ(race.structure("step").kind, Structure::Kind::step_counter);
    const Known farmers("farmers");
    EXPECT_EQ(farmers.structure("money").kind, Structure::Kind::amounts);
}

// The rook crosses its row in one step, the king needs one for each column.
TEST(KnownTruths, PiecesMoveAsTheyDo) {
    const Known known("minichess");
    const std::string files = "abcd";
    for (std::size_t from = 0; from < files.size(); ++from) {
        for (std::size_t to = 0; to < files.size(); ++to) {
            const auto at = [&](const std::string& piece, std::size_t file) {
                return fmt::format("(at {} {} 1)", piece, files[file]);
            };
            const std::size_t apart = from > to ? from - to : to - from;
            EXPECT_EQ(known.steps(at("white_rook", from), at("white_rook", to)), apart == 0 ? 0U : 1U);
            EXPECT_EQ(known.steps(at("white_king", from), at("white_king", to)), apart);
        }
    }
    EXPECT_EQ(known.steps("(at white_king a 1)", "(at black_king a 1)"), FluentGraph::never);
}

TEST(KnownTruths, PawnsOfBreakthroughOnlyGoForward) {
    const Known known("breakthrough");
    EXPECT_EQ(known.steps("(cell 1 2 white)", "(cell 4 5 white)"), 3U);
    EXPECT_EQ(known.steps("(cell 4 5 white)", "(cell 4 4 white)"), FluentGraph::never);
}

TEST(KnownTruths, AmountsThatOnlyGoOneWay) {
    const Known hallway("hallway");
    // Wherever the order of the numbers begins: the number of walls only goes down, which is one way along it.
    const Structure& walls = hallway.structure("walls_left");
    EXPECT_TRUE((walls.rising == Verdict::refuted) != (walls.falling == Verdict::refuted));
    EXPECT_TRUE((walls.rising == Verdict::proved) != (walls.falling == Verdict::proved));
    EXPECT_EQ(hallway.structure("moves_made").rising, Verdict::proved);
    EXPECT_EQ(hallway.structure("moves_made").falling, Verdict::refuted);
    EXPECT_EQ(Known("nim").structure("heap").falling, Verdict::proved);
    const Known farmers("farmers");
    EXPECT_EQ(farmers.structure("money").rising, Verdict::refuted);
    EXPECT_EQ(farmers.structure("money").falling, Verdict::refuted);
}

// Two lamps of which each has its own switch, and a clock; a fluent that both switches change makes it one piece.
const std::string lamps = R"(
    (role r) (init (lamp a off)) (init (lamp b off)) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal r (press ?x)) (true (lamp ?x ?s)))
    (<= (next (lamp ?x on)) (does r (press ?x)))
    (<= (next (lamp ?x ?s)) (true (lamp ?x ?s)) (not (does r (press ?x))))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= terminal (true (step 3)))
    (<= (goal r 100) (true (lamp a on)) (true (lamp b on))) (<= (goal r 0) (true (lamp a off)))
)";

TEST(KnownTruths, PartsThatDoNotTouch) {
    const Known two(machine::testing::described(lamps));
    ASSERT_TRUE(two->subgames().complete);
    ASSERT_EQ(two->subgames().parts.size(), 2U);
    for (const Subgame& part : two->subgames().parts) {
        EXPECT_EQ(part.moves.size(), 1U);
        EXPECT_EQ(part.fluents.size(), 2U);
    }
    EXPECT_EQ(two->subgames().untouched.size(), 4U);
    const Known tied(machine::testing::described(
        lamps +
        "(init (both no)) (<= (next (both yes)) (does r (press ?x))) (<= (next (both no)) (true (both no)) "
        "(not (does r (press a))) (not (does r (press b))))"));
    EXPECT_EQ(tied->subgames().parts.size(), 1U);
    EXPECT_EQ(Known("tic_tac_toe")->subgames().parts.size(), 1U);
}

// Kinds with their verdicts, of whatever is called what.
std::map<std::string, std::size_t> summary(const Findings& known) {
    std::map<std::string, std::size_t> result;
    for (const Structure& one : known.structures()) {
        std::string key = fmt::format("{} {} {} {}", to_string(one.kind), to_string(one.verdict), to_string(one.total),
                                      one.only_ends);
        for (std::size_t i = 0; i < one.arguments.size(); ++i) {
            key += fmt::format(" {}{}{}", one.arguments[i].output ? "-" : "+", one.arguments[i].order ? "<" : "",
                               known.families()[one.family].values[i].size());
        }
        ++result[key];
    }
    // What is only observed depends on the games that were played, and these on the order of moves.
    for (const Group& group : known.groups()) {
        if (group.verdict != Verdict::proved) continue;
        ++result[fmt::format("group {} {}", group.fluents.size(), group.at_least_one)];
    }
    for (const Verdict verdict : known.persistence().stays) result["stays"] += verdict == Verdict::proved ? 1 : 0;
    for (const Verdict verdict : known.persistence().gone) result["gone"] += verdict == Verdict::proved ? 1 : 0;
    result["orders"] = known.orders().size();
    result["turns"] = known.kind().turn_taking == Verdict::proved ? 1 : 0;
    result["sum"] = known.goal_sum().constant == Verdict::proved ? 1 : 0;
    return result;
}

// Of all bundled games but the large ones, which take their time twice here.
TEST(KnownTruths, AreTheSameUnderOtherNames) {
    constexpr std::size_t most_rules = sanitized ? 5'000 : 15'000;
    std::size_t compared = 0;
    for (const std::filesystem::path& path : some_of(gdl::testing::bundled_files())) {
        SCOPED_TRACE(path.stem().string());
        const gdl::Description description = machine::testing::described_file(path);
        if (machine::GdlGame(description).circuit()->program().rule_count() > most_rules) continue;
        const Known known(description);
        const gdl::Scrambled scrambled = gdl::scramble(known.description, 99);
        const Known other(machine::testing::described(scrambled.text));
        ASSERT_FALSE(known.cut_short() || other.cut_short());
        EXPECT_EQ(summary(*known), summary(*other));
        ++compared;
    }
    EXPECT_GE(compared, at_least(41));
}

TEST(Analysis, SaysWhatTimeDidNotAllow) {
    const machine::GdlGame game(machine::testing::bundled("english_draughts"));
    AnalysisOptions options;
    options.stop.deadline = Deadline::after(std::chrono::seconds(0));
    const auto known = analyze(game, options);
    ASSERT_TRUE(known);
    EXPECT_GE(known->samples()->size(), 1U);
    EXPECT_EQ(known->kind().turn_taking, Verdict::unknown);
    EXPECT_EQ(known->goal_sum().constant, Verdict::unknown);
    EXPECT_TRUE(std::ranges::any_of(known->stages(), [](const Stage& stage) { return !stage.complete; }));
    for (const Group& group : known->groups()) EXPECT_NE(group.verdict, Verdict::proved);
    EXPECT_EQ(known->graph()->distances_to(Fluent{0}).size(), known->program()->fluents.size() + 1);
}

}  // namespace
}  // namespace stratagem::analysis
