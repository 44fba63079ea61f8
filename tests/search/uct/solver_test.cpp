// What the tree search calls proved is compared with exhaustive search.
#include "search/uct/solver.h"

#include "search/uct/uct_games.h"

namespace stratagem::search {
namespace {

using machine::testing::bundled;
using machine::testing::described;
using uct::testing::Minimax;
using uct::testing::nodes;
using uct::testing::Prepared;

struct SolverCase {
    std::string game;
    std::size_t longest;  // random moves before the position
    std::uint64_t budget;
    int positions;
};

class SolverAgreement : public ::testing::TestWithParam<SolverCase> {};

TEST_P(SolverAgreement, ProvedValuesAreMinimaxValues) {
    const SolverCase& param = GetParam();
    Prepared game(bundled(param.game));
    Minimax minimax(game);
    machine::Random random(7);
    int proved = 0;
    int tried = 0;
    for (int i = 0; i < param.positions; ++i) {
        const auto state = game.random_state(random, random.below(static_cast<std::uint32_t>(param.longest)));
        if (!state) continue;
        const auto mover = game.mover(*state);
        if (!mover) continue;
        ++tried;
        const int exact = minimax.value(*state);
        const int own = *mover == Role{0} ? exact : 100 - exact;
        const auto search = game.make();
        const Choice choice = search->choose(*state, *mover, nodes(param.budget));
        ASSERT_TRUE(game.is_legal(*state, *mover, choice));
        EXPECT_TRUE(search->shared().tree.is_consistent(*search->shared().tree.find(*state)));
        if (!choice.proved) continue;
        ++proved;
        EXPECT_DOUBLE_EQ(choice.value, own);
        // The move keeps the value.
        std::vector<Move> joint;
        for (std::uint32_t role = 0; role < 2; ++role) joint.push_back(game.legal(*state, role).front());
        joint[ground::index(*mover)] = *choice.move;
        EXPECT_EQ(minimax.value(game.after(*state, joint)), exact) << game.name(choice);
    }
    EXPECT_GT(tried, 0);
    EXPECT_EQ(proved, tried);
}

INSTANTIATE_TEST_SUITE_P(Games, SolverAgreement,
                         ::testing::Values(SolverCase{"tic_tac_toe", 8, 40'000, 60}, SolverCase{"nim", 4, 2'000, 30},
                                           SolverCase{"nim_four_heaps", 8, 40'000, 20},
                                           SolverCase{"capture_go_3x3", 5, 60'000, 6}),
                         [](const auto& one) { return one.param.game; });

TEST(Solver, ProvesTicTacToeFromTheStart) {
    Prepared game(bundled("tic_tac_toe"));
    const auto search = game.make();
    const Choice choice = search->choose(game.initial(), Role{0}, nodes(200'000));
    EXPECT_TRUE(choice.proved);
    EXPECT_DOUBLE_EQ(choice.value, 50);
}

TEST(Solver, BringsAProvedWinHome) {
    Prepared game(bundled("nim_four_heaps"));
    Minimax minimax(game);
    machine::Random random(3);
    // Second to move wins from the start; the winner goes on with one search and must never let go.
    State state = game.initial();
    const auto search = game.make();
    while (!game.machine->terminal(state)) {
        const auto mover = game.mover(state);
        std::vector<Move> joint;
        for (std::uint32_t role = 0; role < 2; ++role) {
            const std::vector<Move> moves = game.legal(state, role);
            joint.push_back(moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
        }
        if (mover == Role{1}) joint[1] = *search->choose(state, Role{1}, nodes(60'000)).move;
        state = game.after(state, joint);
        search->advance(state);
    }
    EXPECT_EQ(game.machine->goal(state, Role{1}), 100);
}

// One move each; chance decides between two ends.
const std::string gamble = R"(
    (role player) (role random)
    (init (stage 1))
    (<= (legal player safe) (true (stage 1)))
    (<= (legal player risk) (true (stage 1)))
    (<= (legal player wait) (true (stage 2)))
    (<= (legal random wait) (true (stage 1)))
    (<= (legal random heads) (true (stage 2)))
    (<= (legal random tails) (true (stage 2)))
    (<= (legal random edge) (true (stage 2)))
    (<= (next (stage 2)) (does player risk))
    (<= (next (end 40)) (does player safe))
    (<= (next (end 90)) (does random heads))
    (<= (next (end 30)) (does random tails))
    (<= (next (end 15)) (does random edge))
    (<= terminal (true (end ?n)))
    (<= (goal player ?n) (true (end ?n)))
    (<= (goal random 0) (true (end ?n)))
)";

TEST(Solver, AveragesOverChance) {
    Prepared game(described(gamble));
    const auto search = game.make();
    const Choice choice = search->choose(game.initial(), Role{0}, nodes(1'000));
    EXPECT_EQ(game.name(choice), "risk");
    EXPECT_TRUE(choice.proved);
    EXPECT_NEAR(choice.value, 45, 1e-3);
}

// Both choose at once; rows and columns decide. The table has a saddle point in pure moves or none.
std::string matrix_game(const std::vector<std::vector<int>>& table) {
    std::string rules = "(role row) (role column) (init start)\n(<= terminal (not (true start)))\n";
    for (std::size_t i = 0; i < table.size(); ++i)
        rules += "(<= (legal row r" + std::to_string(i) + ") (true start))\n";
    for (std::size_t j = 0; j < table[0].size(); ++j) {
        rules += "(<= (legal column c" + std::to_string(j) + ") (true start))\n";
    }
    for (std::size_t i = 0; i < table.size(); ++i) {
        for (std::size_t j = 0; j < table[i].size(); ++j) {
            const std::string end = "(end " + std::to_string(i) + " " + std::to_string(j) + ")";
            rules += "(<= (next " + end + ") (does row r" + std::to_string(i) + ") (does column c" + std::to_string(j) +
                     "))\n(<= (goal row " + std::to_string(table[i][j]) + ") (true " + end + "))\n(<= (goal column " +
                     std::to_string(100 - table[i][j]) + ") (true " + end + "))\n";
        }
    }
    return rules;
}

TEST(Solver, ProvesSaddlePointsOfSimultaneousMoves) {
    Prepared game(described(matrix_game({{60, 40, 90}, {55, 50, 70}, {100, 10, 0}})));
    for (const std::uint32_t role : {0U, 1U}) {
        const auto search = game.make();
        const Choice choice = search->choose(game.initial(), Role{role}, nodes(5'000));
        EXPECT_TRUE(choice.proved);
        EXPECT_DOUBLE_EQ(choice.value, 50);
        EXPECT_EQ(game.name(choice), role == 0 ? "r1" : "c1");
    }
}

TEST(Solver, ProvesNothingWhereMovesMustBeMixed) {
    Prepared game(described(matrix_game({{100, 0}, {0, 100}})));
    const auto search = game.make();
    const Choice choice = search->choose(game.initial(), Role{0}, nodes(5'000));
    EXPECT_FALSE(choice.proved);
    EXPECT_NEAR(choice.value, 50, 25);
}

// Goals add up to 100 in most ends, but not where the second role helps: a belief in a constant sum would be wrong.
const std::string almost_constant = R"(
    (role a) (role b)
    (init (turn a))
    (<= (legal a left) (true (turn a)))
    (<= (legal a right) (true (turn a)))
    (<= (legal a wait) (true (turn b)))
    (<= (legal b wait) (true (turn a)))
    (<= (legal b left) (true (turn b)))
    (<= (legal b right) (true (turn b)))
    (<= (next (turn b)) (true (turn a)))
    (<= (next (went ?m)) (does a ?m) (true (turn a)))
    (<= (next (end ?k ?m)) (true (went ?k)) (does b ?m))
    (<= terminal (true (end ?k ?m)))
    (<= (goal a 0) (true (end left ?m)))   (<= (goal b 100) (true (end left left)))  (<= (goal b 20) (true (end left right)))
    (<= (goal a 30) (true (end right left)))  (<= (goal b 70) (true (end right left)))
    (<= (goal a 60) (true (end right right))) (<= (goal b 40) (true (end right right)))
)";

TEST(Solver, DropsABeliefThatProvesWrong) {
    Prepared game(described(almost_constant));
    game.problem.facts.constant_sum = game.problem.facts.two_player_zero_sum = analysis::Verdict::observed;
    const auto search = game.make();
    const Choice choice = search->choose(game.initial(), Role{0}, nodes(2'000));
    EXPECT_EQ(game.name(choice), "right");
    // Sure of 30 by going right, and 60 is possible: nothing exact can be said.
    EXPECT_GE(choice.value, 30);
    EXPECT_FALSE(choice.proved);
    const uct::Node* const root = search->shared().tree.find(game.initial());
    EXPECT_EQ(root->roles[0].lo, 30);
    EXPECT_EQ(root->roles[0].hi, 60);
    // The other is sure of 70; how much of that is found depends on how often the move that is worse for the first
    // role was looked at before it was known to be.
    EXPECT_GE(root->roles[1].lo, 20);
    EXPECT_LE(root->roles[1].lo, 70);
    EXPECT_EQ(root->roles[1].hi, 100);
}

TEST(Solver, BoundsHoldForThreePlayers) {
    Prepared game(bundled("three_player_tic_tac_toe"));
    machine::Random random(5);
    int seen = 0;
    for (int i = 0; i < 40; ++i) {
        const auto state = game.random_state(random, 6 + random.below(8));
        if (!state || !game.mover(*state)) continue;
        ++seen;
        const Role mover = *game.mover(*state);
        const auto search = game.make();
        const Choice choice = search->choose(*state, mover, nodes(5'000));
        const uct::Node* const root = search->shared().tree.find(*state);
        const bool win = uct::testing::wins_within(game, *state, mover, 1);
        if (win) {
            EXPECT_TRUE(choice.proved);
            EXPECT_EQ(root->roles[ground::index(mover)].lo, 100);
        }
        EXPECT_LE(root->roles[ground::index(mover)].lo, choice.value);
        EXPECT_GE(root->roles[ground::index(mover)].hi, choice.value);
    }
    EXPECT_GT(seen, 5);
}

}  // namespace
}  // namespace stratagem::search
