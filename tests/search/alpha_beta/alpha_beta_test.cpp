// Alpha-beta against the definition of minimax, from many positions.
#include "search/alpha_beta/alpha_beta.h"

#include <gmock/gmock.h>

#include "search/graph_game.h"
#include "search/search_games.h"

namespace stratagem::search::testing {
namespace {

// Searched to the end: the value is the one of plain minimax, proved, and the move keeps it.
void expect_exact(const Prepared& game, Search& search, PlainMinimax& plain, const State& state, std::uint32_t role,
                  const std::string& where) {
    const Choice choice = search.choose(state, Role{role}, {});
    ASSERT_TRUE(game.is_legal(state, role, choice.move)) << where;
    ASSERT_TRUE(choice.proved) << where;
    ASSERT_EQ(choice.value, plain.value(state)) << where;
    ASSERT_EQ(plain.value_of_move(state, *choice.move), plain.value(state)) << where;
}

TEST(AlphaBeta, PlaysTicTacToePerfectlyFromEveryPosition) {
    const Prepared game = prepared("tic_tac_toe");
    const std::vector<State> states = game.reachable();
    ASSERT_GT(states.size(), 4000U);
    for (std::uint32_t role = 0; role < 2; ++role) {
        const std::unique_ptr<Search> search = game.make("alphabeta");
        PlainMinimax plain = plain_against_all(*game.machine, role);
        for (const State& state : states) expect_exact(game, *search, plain, state, role, "tic_tac_toe");
    }
}

TEST(AlphaBeta, PlaysNimPerfectlyFromEveryPosition) {
    for (const std::string name : {"nim", "nim_four_heaps"}) {
        const Prepared game = prepared(name);
        for (std::uint32_t role = 0; role < 2; ++role) {
            const std::unique_ptr<Search> search = game.make("alphabeta");
            PlainMinimax plain = plain_against_all(*game.machine, role);
            for (const State& state : game.reachable()) expect_exact(game, *search, plain, state, role, name);
        }
    }
}

TEST(AlphaBeta, AgreesWithPlainMinimaxWhateverTheOptions) {
    for (const std::string name : {"connect_three", "minichess", "capture_go_3x3"}) {
        const Prepared game = prepared(name);
        for (const std::string options :
             {"", "nonuniform=on", "forced=off", "aspiration=off", "mask=on", "ranking=values", "view=both"}) {
            for (std::uint32_t role = 0; role < 2; ++role) {
                const std::unique_ptr<Search> search = game.make("alphabeta", options);
                PlainMinimax plain = plain_against_all(*game.machine, role);
                for (std::uint64_t seed = 0; seed < 12; ++seed) {
                    expect_exact(game, *search, plain, game.walk(seed % 8, seed), role, name + " " + options);
                }
            }
        }
    }
}

// Interrupted anywhere, with opinions that are nonsense: what is said to be proved is true all the same.
TEST(AlphaBeta, OpinionsAreNeverTakenForProofs) {
    std::size_t proofs = 0;
    std::size_t opinions = 0;
    for (const std::string name : {"tic_tac_toe", "connect_three", "minichess"}) {
        Prepared game = prepared(name);
        game.problem.evaluator = std::make_shared<NoiseEvaluator>();
        PlainMinimax plains[] = {plain_against_all(*game.machine, 0), plain_against_all(*game.machine, 1)};
        for (const std::string options : {"", "nonuniform=off", "mask=on", "ranking=values", "view=both"}) {
            for (std::uint64_t seed = 0; seed < 60; ++seed) {
                const State state = game.walk(seed % 9, seed);
                const std::uint32_t role = seed % 2 == 0 ? 0 : 1;
                const std::unique_ptr<Search> search = game.make("alphabeta", options);
                for (const std::uint64_t limit : {1U, 10U, 100U, 1000U, 10'000U}) {
                    const Choice choice = search->choose(state, Role{role}, nodes(limit));
                    ASSERT_TRUE(game.is_legal(state, role, choice.move));
                    ASSERT_LE(choice.nodes, limit);
                    if (!choice.proved) {
                        ++opinions;
                        continue;
                    }
                    ++proofs;
                    ASSERT_EQ(choice.value, plains[role].value(state)) << name << " " << options << " " << seed;
                    ASSERT_EQ(plains[role].value_of_move(state, *choice.move), choice.value) << name;
                }
            }
        }
    }
    EXPECT_GT(proofs, 200U);
    EXPECT_GT(opinions, 200U);
}

// In these games a position always comes after the same number of moves, so the table has nothing deeper to offer and
// the value must be that of plain minimax to the same depth.
TEST(AlphaBeta, AgreesWithPlainMinimaxToAFixedDepth) {
    for (const std::string name : {"connect_three", "tic_tac_toe"}) {
        Prepared game = prepared(name);
        game.problem.evaluator = std::make_shared<NoiseEvaluator>();
        const ScoreScale scale(0, 100);
        for (std::uint32_t role = 0; role < 2; ++role) {
            PlainDepthLimited plain(*game.machine, *game.problem.evaluator, scale, role);
            for (std::uint64_t seed = 0; seed < 20; ++seed) {
                const State state = game.walk(seed % 5, seed);
                const std::string options =
                    seed % 2 == 0 ? "nonuniform=off,forced=off,ranking=values" : "nonuniform=off,forced=off";
                const std::unique_ptr<Search> search = game.make("alphabeta", options);
                for (std::uint32_t d = 1; d <= 5; ++d) {
                    const Choice choice = search->choose(state, Role{role}, depth(d));
                    if (choice.proved) break;
                    EXPECT_EQ(choice.depth, d);
                    EXPECT_EQ(choice.value, scale.value(plain.value(state, d))) << name << " " << seed << " " << d;
                }
            }
        }
    }
}

// Our moves by what they were worth before: others are searched first, so it is another search.
TEST(AlphaBeta, RankingByValuesIsAnotherOrder) {
    Prepared game = prepared("connect_four");
    game.problem.evaluator = std::make_shared<NoiseEvaluator>();
    std::size_t different = 0;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const State state = game.walk(seed, seed);
        const Role role{game.mover(state)};
        const Choice history = game.make("alphabeta", "ranking=history")->choose(state, role, depth(5));
        const Choice values = game.make("alphabeta", "ranking=values")->choose(state, role, depth(5));
        different += history.nodes != values.nodes ? 1U : 0U;
    }
    EXPECT_GT(different, 3u);
}

TEST(AlphaBeta, NoSearchGoesBeyondItsHorizon) {
    Prepared game = prepared("connect_four");
    game.problem.evaluator = std::make_shared<NoiseEvaluator>();
    for (const std::string name : {"alphabeta", "paranoid", "maxn"}) {
        const Choice choice = game.make(name, "horizon=2")->choose(game.machine->initial(), Role{0}, nodes(1'000'000));
        EXPECT_EQ(choice.depth, 2u) << name;
        EXPECT_GT(game.make(name)->choose(game.machine->initial(), Role{0}, nodes(20'000)).depth, 2u) << name;
    }
}

TEST(AlphaBeta, IsRightOnRandomGraphs) {
    std::size_t proved = 0;
    std::size_t left_open = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const bool cycles = seed % 2 == 0;
        const GraphGame graph(12, cycles, seed);
        Prepared game = prepared_rules(graph.rules());
        game.problem.evaluator = std::make_shared<NoiseEvaluator>();
        const int expected = graph.values()[0];
        for (std::uint32_t role = 0; role < 2; ++role) {
            const std::unique_ptr<Search> search = game.make("paranoid", "teams=off");
            const Choice choice = search->choose(game.machine->initial(), Role{role}, nodes(20'000));
            if (expected == GraphGame::open) {
                EXPECT_FALSE(choice.proved) << seed;
                ++left_open;
            } else if (choice.proved) {
                EXPECT_EQ(choice.value, role == 0 ? expected : 100 - expected) << seed;
                ++proved;
            } else {
                EXPECT_TRUE(cycles) << seed;  // without cycles everything can be proved
            }
        }
    }
    EXPECT_GT(proved, 60U);
    EXPECT_GT(left_open, 0U);
}

TEST(AlphaBeta, PrefersTheQuickWin) {
    // Taking the prize ends the game now, waiting wins later all the same.
    const Prepared game = prepared_rules(R"(
        (role a) (role b) (init (step 0)) (init (control a))
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
        (<= (legal a wait) (true (control a))) (<= (legal a xtake) (true (control a)))
        (<= (legal b wait) (true (control b))) (<= (legal b xwait) (true (control b)))
        (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= (next taken) (does a xtake))
        (<= terminal (true taken)) (<= terminal (true (step 6)))
        (<= (goal a 100) (true taken)) (<= (goal a 100) (true (step 6)) (not (true taken)))
        (<= (goal b 0) (true taken)) (<= (goal b 0) (true (step 6)) (not (true taken)))
    )");
    const Choice choice = game.make("paranoid", "teams=off")->choose(game.machine->initial(), Role{0}, {});
    EXPECT_EQ(game.machine->move_name(*choice.move), "xtake");
    EXPECT_TRUE(choice.proved);
    EXPECT_EQ(choice.line.size(), 1U);
}

TEST(AlphaBeta, PrefersTheSlowLoss) {
    // White has lost whatever he does: at once, or three moves later.
    const Prepared game = prepared_rules(R"(
        (role white) (role black) (init (at start)) (other white black) (other black white)
        (edge start white early lost) (edge start white zlate one)
        (edge one black a two) (edge one black b won) (edge two white a three) (edge two white b three)
        (edge three black a lost) (edge three black b lost)
        (<= (legal ?p ?m) (true (at ?n)) (edge ?n ?p ?m ?x))
        (<= (mover ?p) (true (at ?n)) (edge ?n ?p ?m ?x))
        (<= (legal ?q noop) (mover ?p) (other ?p ?q))
        (<= (next (at ?x)) (true (at ?n)) (edge ?n ?p ?m ?x) (does ?p ?m))
        (<= terminal (true (at lost))) (<= terminal (true (at won)))
        (<= (goal white 0) (true (at lost))) (<= (goal black 100) (true (at lost)))
        (<= (goal white 100) (true (at won))) (<= (goal black 0) (true (at won)))
    )");
    const Choice choice = game.make("paranoid")->choose(game.machine->initial(), Role{0}, {});
    EXPECT_EQ(game.machine->move_name(*choice.move), "zlate");
    EXPECT_EQ(choice.value, 0);
    EXPECT_EQ(choice.line.size(), 4U);
}

TEST(AlphaBeta, OneThreadIsTheSameInEveryRun) {
    Prepared game = prepared("breakthrough_6x6");
    game.problem.evaluator = std::make_shared<NoiseEvaluator>();
    const auto play = [&] {
        const std::unique_ptr<Search> search = game.make("alphabeta");
        std::vector<std::string> story;
        for (const std::size_t steps : {0U, 1U, 2U, 3U}) {
            const State state = game.walk(steps, 9);
            const std::uint32_t role = game.mover(state);
            const Choice choice = search->choose(state, Role{role}, nodes(20'000));
            story.push_back(game.machine->move_name(*choice.move) + " " + std::to_string(choice.value) + " " +
                            std::to_string(choice.nodes) + " " + std::to_string(choice.depth));
        }
        return story;
    };
    EXPECT_EQ(play(), play());
}

TEST(AlphaBeta, ThreadsAgreeOnProofs) {
    const Prepared game = prepared("connect_three");
    PlainMinimax plain = plain_against_all(*game.machine, 0);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const std::unique_ptr<Search> search = game.make("alphabeta", "", 3);
        expect_exact(game, *search, plain, game.walk(seed % 6, seed), 0, "threads");
    }
}

TEST(AlphaBeta, ThreadsStopTogetherAndCountTogether) {
    const Prepared game = prepared("breakthrough");
    // On a busy computer one thread may be through with its half before the other has begun; not every time.
    std::uint64_t most = 0;
    for (int tries = 0; tries < 100 && most <= 10'000; ++tries) {
        const std::unique_ptr<Search> search = game.make("alphabeta", "", 2);
        const Choice choice = search->choose(game.machine->initial(), Role{0}, nodes(20'000));
        EXPECT_LE(choice.nodes, 20'000U);
        most = std::max(most, choice.nodes);
    }
    EXPECT_GT(most, 10'000U);
}

TEST(AlphaBeta, HasALegalMoveWhenThereIsNoTime) {
    const Prepared game = prepared("connect_four");
    const std::unique_ptr<Search> search = game.make("alphabeta");
    Budget budget;
    budget.stop.deadline = Deadline(Deadline::Clock::time_point::min());
    for (std::uint32_t role = 0; role < 2; ++role) {
        const State state = game.walk(5, role);
        EXPECT_TRUE(game.is_legal(state, role, search->choose(state, Role{role}, budget).move));
    }
    const std::atomic<bool> stop{true};
    budget.stop = {Deadline::never(), &stop};
    EXPECT_TRUE(
        game.is_legal(game.machine->initial(), 0, search->choose(game.machine->initial(), Role{0}, budget).move));
}

TEST(AlphaBeta, ReportsEachDepthAndALineThatCanBePlayed) {
    const Prepared game = prepared("connect_four");
    const std::unique_ptr<Search> search = game.make("alphabeta");
    std::vector<std::uint32_t> depths;
    const Choice choice = search->choose(game.machine->initial(), Role{0}, depth(6), [&](const Choice& better) {
        depths.push_back(better.depth);
        State state = game.machine->initial();
        ASSERT_FALSE(better.line.empty());
        EXPECT_EQ(better.line[0][0], *better.move);
        for (const std::vector<Move>& joint : better.line) {
            for (std::uint32_t role = 0; role < 2; ++role) ASSERT_TRUE(game.is_legal(state, role, joint[role]));
            State next;
            game.machine->next(state, joint, next);
            state = next;
        }
    });
    EXPECT_THAT(depths, ::testing::ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_EQ(choice.depth, 6U);
    EXPECT_FALSE(choice.proved);
}

TEST(AlphaBeta, IsOfferedForItsKindOfGameOnly) {
    EXPECT_TRUE(alpha_beta_entry.can_handle(prepared("tic_tac_toe").problem.facts));
    EXPECT_FALSE(alpha_beta_entry.can_handle(prepared("three_player_tic_tac_toe").problem.facts));
    EXPECT_FALSE(alpha_beta_entry.can_handle(prepared("rock_paper_scissors").problem.facts));
    EXPECT_FALSE(alpha_beta_entry.can_handle(prepared("eight_puzzle").problem.facts));
}

TEST(AlphaBeta, WorksOnTheInterpreter) {
    Prepared game(machine::testing::bundled("tic_tac_toe"), machine::MachineKind::interpreter);
    PlainMinimax plain = plain_against_all(*game.machine, 0);
    const std::unique_ptr<Search> search = game.make("alphabeta", "", 2);
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        expect_exact(game, *search, plain, game.walk(2 + seed, seed), 0, "interpreter");
    }
}

}  // namespace
}  // namespace stratagem::search::testing
