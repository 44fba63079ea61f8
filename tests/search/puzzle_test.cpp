// Wins in n moves, made and verified by puzzles/make_puzzles.
#include "search/puzzles/puzzle.h"

#include <gmock/gmock.h>

#include <chrono>
#include <fstream>

#include "search/search_games.h"

namespace stratagem::search::testing {
namespace {

PuzzleFile read_puzzles(const std::string& name) {
    std::ifstream stream(std::string(STRATAGEM_TEST_DIR) + "/puzzles/" + name + ".json");
    return nlohmann::json::parse(stream).get<PuzzleFile>();
}

State position(const Prepared& game, const Puzzle& puzzle) {
    State state = game.machine->initial();
    for (const std::string& step : puzzle.moves) {
        std::vector<Move> joint;
        std::size_t from = 0;
        for (std::uint32_t role = 0; role < game.problem.facts.roles; ++role) {
            const std::size_t to = step.find(" | ", from);
            const Move move = game.move(role, step.substr(from, to - from));
            EXPECT_TRUE(game.is_legal(state, role, move)) << step;
            joint.push_back(move);
            from = to + 3;
        }
        State next;
        game.machine->next(state, joint, next);
        state = next;
    }
    return state;
}

void expect_solved(const std::string& name) {
    const PuzzleFile file = read_puzzles(name);
    ASSERT_GE(file.puzzles.size(), 15U);
    const Prepared game = prepared(file.game);
    double slowest = 0;
    for (std::size_t i = 0; i < file.puzzles.size(); ++i) {
        const Puzzle& puzzle = file.puzzles[i];
        const State state = position(game, puzzle);
        // Two seconds are the aim; how long it takes on a busy machine must not decide the test.
        Budget budget;
        budget.stop.deadline = Deadline::after(std::chrono::seconds(60));
        const Choice choice = game.make("alphabeta")->choose(state, Role{puzzle.role}, budget);
        const int goal = game.problem.facts.most_goal[puzzle.role];
        ASSERT_TRUE(choice.proved) << name << " " << i;
        EXPECT_EQ(choice.value, goal) << name << " " << i;
        EXPECT_LE(choice.depth, puzzle.win_in) << name << " " << i;
        // The move really wins: exhaustive search agrees, with some moves more where a longer way was found first.
        PlainForce force(*game.machine, puzzle.role, goal);
        EXPECT_TRUE(force.by_move(state, *choice.move, puzzle.win_in) ||
                    force.by_move(state, *choice.move, puzzle.win_in + 4))
            << name << " " << i;
        slowest = std::max(slowest, choice.seconds);
    }
    ::testing::Test::RecordProperty("slowest_seconds", std::to_string(slowest));
}

TEST(Puzzles, ConnectFour) { expect_solved("connect_four"); }
TEST(Puzzles, EnglishDraughts) { expect_solved("english_draughts"); }

}  // namespace
}  // namespace stratagem::search::testing
