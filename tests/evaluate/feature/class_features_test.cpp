// Features of kinds of games: moves, pieces, depth, goals before the end.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>

#include "evaluate/neural_game.h"

namespace stratagem::evaluate::neural::testing {
namespace {

using feature::ClassFeatures;
using feature::ClassSettings;
using feature::Feature;
using feature::RandomGames;

Settings with_classes(const ClassSettings& classes) {
    Settings settings;
    settings.classes = classes;
    return settings;
}

TEST(Correlation, OfWhatIsAlwaysTheSameIsNone) {
    feature::Correlation same, other;
    machine::Random random(1);
    for (int i = 0; i < 1000; ++i) {
        const double goal = random.below(2) * 100.0;
        same.add(i % 2 == 0 ? 0.1 + 0.2 : 0.3, goal);  // these differ in the last digit
        other.add(goal / 1000 + 0.3, goal);
    }
    EXPECT_EQ(same.value(), 0);
    EXPECT_NEAR(other.value(), 1, 1e-9);
}

TEST(PieceValue, IsTheMovesOfAPieceAlone) {
    const NeuralGame game(machine::testing::bundled("breakthrough"), {}, 5);
    ClassSettings settings;
    settings.pieces = 10;
    const ClassFeatures found(game.prepared.circuit(), RandomGames(game.prepared.circuit(), game.known.get(), {}),
                              game.known.get(), settings, {});
    EXPECT_GE(found.counts().found(Feature::piece_value), 2U) << found.counts().to_text();
    const auto value = [&](const char* fluent, std::uint32_t role) {
        return found.piece_value(*game.machine->find_fluent(fluent), Role{role});
    };
    // Three moves forward, two at the sides, none on the last row: (3 * 6 + 2 * 2) * 7 / 64.
    EXPECT_NEAR(value("(cell 3 4 white)", 0), 22 * 7 / 64.0, 1e-9);
    EXPECT_NEAR(value("(cell 3 4 black)", 1), 22 * 7 / 64.0, 1e-9);
    EXPECT_EQ(value("(cell 3 4 white)", 1), 0);
    EXPECT_EQ(value("(cell 3 4 black)", 0), 0);
}

TEST(PieceValue, OfMarksThatDoNotMoveIsNothing) {
    const NeuralGame game(machine::testing::bundled("tic_tac_toe"), {}, 5);
    ClassSettings settings;
    settings.pieces = 10;
    const ClassFeatures found(game.prepared.circuit(), RandomGames(game.prepared.circuit(), game.known.get(), {}),
                              game.known.get(), settings, {});
    EXPECT_EQ(found.counts().found(Feature::piece_value), 0U);
    EXPECT_GT(found.counts().skipped(Feature::piece_value), 0U);
}

// The same game, and it is lost where it was won.
TEST(PieceValue, IsNegativeWherePiecesDoHarm) {
    const std::string rules =
        gdl::testing::content_of(std::filesystem::path(STRATAGEM_GAMES_DIR) / "breakthrough_6x6.kif");
    const std::string lost = std::regex_replace(
        std::regex_replace(std::regex_replace(rules, std::regex("\\(goal (\\S+) 100\\)"), "(goal $1 none)"),
                           std::regex("\\(goal (\\S+) 0\\)"), "(goal $1 100)"),
        std::regex("\\(goal (\\S+) none\\)"), "(goal $1 0)");
    ClassSettings settings;
    settings.pieces = 10;
    const auto use = [&](const std::string& text) {
        const NeuralGame game(machine::testing::described(text), {}, 5);
        return ClassFeatures(game.prepared.circuit(), RandomGames(game.prepared.circuit(), game.known.get(), {}),
                             game.known.get(), settings, {})
            .use_of_pieces();
    };
    EXPECT_EQ(use(rules), 1);
    EXPECT_EQ(use(lost), -1);
}

// Values with bonuses are the same from scratch and following a game, and the bonus is no more than what was set.
TEST(ClassFeatures, AddLittleAndFollowTheGame) {
    ClassSettings classes;
    classes.mobility = 0.5;
    classes.pieces = 1;
    classes.depth = 0.25;
    for (const char* name : {"breakthrough_6x6", "skirmish", "hallway", "english_draughts", "amazons"}) {
        SCOPED_TRACE(name);
        NeuralGame game(machine::testing::bundled(name), {}, 1);
        const NeuralEvaluator plain(game.prepared.circuit()->shared_program(), game.known, {});
        game.set(with_classes(classes));
        const std::unique_ptr<Evaluation> following = game.evaluator->start();
        machine::Random random(4);
        State state = game.machine->initial();
        std::size_t moved = 0;
        for (int step = 0; step < 60; ++step) {
            for (std::uint32_t role = 0; role < game.machine->role_count(); ++role) {
                const double value = game.evaluator->value(state, Role{role});
                ASSERT_EQ(following->value(state, Role{role}), value);
                ASSERT_LE(std::abs(value - plain.value(state, Role{role})), 1.75 + 1e-9);
                moved += value != plain.value(state, Role{role}) ? 1 : 0;
            }
            game.advance(state, random);
        }
        EXPECT_GT(moved, 60U);
    }
}

TEST(ClassFeatures, CountMovesOfBothSides) {
    ClassSettings classes;
    classes.mobility = 1;
    NeuralGame game(machine::testing::bundled("breakthrough_6x6"), {}, 0);
    const NeuralEvaluator plain(game.prepared.circuit()->shared_program(), nullptr, {});
    game.set(with_classes(classes));
    const State state = game.machine->initial();
    const auto bonus = [&](const State& of, std::uint32_t role) {
        return game.evaluator->value(of, Role{role}) - plain.value(of, Role{role});
    };
    EXPECT_EQ(bonus(state, 0), -bonus(state, 1));
    // The more moves white has when it is its turn, the better for white.
    std::map<std::size_t, double> by_moves;
    machine::Random random(5);
    State at = state;
    std::vector<machine::Move> legal;
    for (int step = 0; step < 100; ++step) {
        game.machine->legal(at, Role{0}, legal);
        if (!game.machine->terminal(at) && legal.size() > 1) by_moves.emplace(legal.size(), bonus(at, 0));
        game.advance(at, random);
    }
    ASSERT_GE(by_moves.size(), 5U);
    double last = -2;
    for (const auto& [moves, one] : by_moves) {
        EXPECT_GT(one, last) << moves;
        last = one;
    }
    const Explanation why = game.evaluator->explain(state, Role{0});
    EXPECT_EQ(why.value, game.evaluator->value(state, Role{0}));
}

// Points that are won one by one, and a state worth what it would be worth at the end.
const std::string points = R"(
    (role player)
    (succ 0 1) (succ 1 2) (succ 2 3) (worth 0 0) (worth 1 30) (worth 2 60) (worth 3 100)
    (init (points 0)) (init (round 0))
    (<= (legal player win)) (<= (legal player wait))
    (<= (next (points ?y)) (does player win) (true (points ?x)) (succ ?x ?y))
    (<= (next (points 3)) (does player win) (true (points 3)))
    (<= (next (points ?x)) (does player wait) (true (points ?x)))
    (<= (next (round ?y)) (true (round ?x)) (succ ?x ?y))
    (<= terminal (true (round 3)))
    (<= (goal player ?v) (true (points ?x)) (worth ?x ?v))
)";

TEST(GoalValue, IsBlendedInWhereItIsDefined) {
    ClassSettings classes;
    classes.goals = 1;
    NeuralGame game(machine::testing::described(points), {}, 0);
    game.set(with_classes(classes));
    EXPECT_EQ(game.evaluator->feature_counts().found(Feature::goal_value), 1U);
    EXPECT_NEAR(game.value(game.state({"(points 1)", "(round 2)"})), 30, 1e-9);
    EXPECT_NEAR(game.value(game.state({"(points 2)", "(round 2)"})), 60, 1e-9);
    // No goal before the end says anything here.
    NeuralGame other(machine::testing::bundled("tic_tac_toe"), {}, 0);
    other.set(with_classes(classes));
    EXPECT_EQ(other.evaluator->feature_counts().found(Feature::goal_value), 0U);
    EXPECT_EQ(other.evaluator->feature_counts().skipped(Feature::goal_value), 2U);
}

}  // namespace
}  // namespace stratagem::evaluate::neural::testing
