#include "search/solve/solve.h"

#include <gmock/gmock.h>

#include <set>

#include "machine/circuit/circuit.h"
#include "search/graph_game.h"
#include "search/search_games.h"

namespace stratagem::search::testing {
namespace {

TEST(Solve, PlaysPerfectlyFromEveryPosition) {
    for (const std::string name : {"tic_tac_toe", "nim", "nim_four_heaps", "connect_three", "minichess"}) {
        const Prepared game = prepared(name);
        const std::unique_ptr<Search> search = game.make("solve");
        (void)search->choose(game.machine->initial(), Role{0}, {});
        for (std::uint32_t role = 0; role < 2; ++role) {
            PlainMinimax plain = plain_against_all(*game.machine, role);
            for (const State& state : game.reachable()) {
                const Choice choice = search->choose(state, Role{role}, {});
                ASSERT_EQ(choice.nodes, 0U) << name;  // known since the first move
                ASSERT_TRUE(choice.proved) << name;
                ASSERT_EQ(choice.value, plain.value(state)) << name;
                ASSERT_TRUE(game.is_legal(state, role, choice.move)) << name;
                ASSERT_EQ(plain.value_of_move(state, *choice.move), choice.value) << name;
            }
        }
    }
}

// Fewer states stand for all, and what is found of one holds for those it stands for.
TEST(Solve, StatesThatAreAlikeAreSolvedOnce) {
    const Prepared game = prepared("tic_tac_toe");
    const ground::Program& program = game.problem.game->circuit()->program();
    const analysis::RuleIndex rules(program);
    const auto alike = std::make_shared<analysis::Canonical>(program, analysis::find_symmetries(rules, false, {}));
    EXPECT_EQ(alike->size(), 8U);
    StateSpace all(game.machine->initial(), 1 << 24), fewer(game.machine->initial(), 1 << 24, alike);
    ASSERT_EQ(all.grow(*game.machine, {}, 100), StateSpace::Status::growing);
    EXPECT_TRUE(all.is_consistent());
    ASSERT_EQ(all.grow(*game.machine, {}), StateSpace::Status::complete);
    EXPECT_TRUE(all.is_consistent());
    ASSERT_EQ(fewer.grow(*game.machine, {}), StateSpace::Status::complete);
    EXPECT_EQ(all.size(), 5478U);
    EXPECT_EQ(fewer.size(), 765U) << "a known number";
    const std::optional<Solution> exact = Solution::find(all, game.problem.facts, {});
    const std::optional<Solution> shared = Solution::find(fewer, game.problem.facts, {});
    ASSERT_TRUE(exact && shared);
    for (StateSpace::Number n = 0; n < all.size(); ++n) {
        const std::optional<StateSpace::Number> same = fewer.find(all.state(n));
        ASSERT_TRUE(same);
        EXPECT_EQ(exact->value(n, 0).value, shared->value(*same, 0).value);
        EXPECT_EQ(exact->value(n, 0).steps, shared->value(*same, 0).steps);
    }
}

TEST(Solve, TheLineLeadsToItsValueInTheStepsItSays) {
    const Prepared game = prepared("connect_three");
    const Choice choice = game.make("solve")->choose(game.machine->initial(), Role{0}, {});
    State state = game.machine->initial();
    for (const std::vector<Move>& joint : choice.line) {
        State next;
        game.machine->next(state, joint, next);
        state = next;
    }
    EXPECT_TRUE(game.machine->terminal(state));
    EXPECT_EQ(game.machine->goal(state, Role{0}), choice.value);
    EXPECT_EQ(choice.line.size(), choice.depth);
    // The shortest: a win in fewer moves cannot be forced.
    PlainForce force(*game.machine, 0, 100);
    EXPECT_TRUE(force.within(game.machine->initial(), choice.depth));
    EXPECT_FALSE(force.within(game.machine->initial(), choice.depth - 1));
}

// Follows the line as far as it goes.
State end_of_line(const Prepared& game, State state, const Choice& choice) {
    State next;
    for (const std::vector<Move>& joint : choice.line) {
        game.machine->next(state, joint, next);
        std::swap(state, next);
    }
    return state;
}

// Where many states are alike, each of them is found again by the state that stands for it.
void expect_solved_without_getting_lost(const Prepared& game, std::uint64_t seed) {
    const std::unique_ptr<Search> search = game.make("solve");
    ASSERT_THAT(search->choose(game.machine->initial(), Role{0}, {}).note, ::testing::HasSubstr("solved"));
    for (std::size_t steps = 0; steps < 40; ++steps) {
        const State state = game.walk(steps, seed + steps);
        for (std::uint32_t role = 0; role < game.problem.facts.roles; ++role) {
            const Choice choice = search->choose(state, Role{role}, {});
            ASSERT_EQ(choice.nodes, 0U) << "known since the first move";
            ASSERT_TRUE(game.is_legal(state, role, choice.move));
            const State end = end_of_line(game, state, choice);
            ASSERT_EQ(choice.line.size(), choice.depth);
            ASSERT_TRUE(game.machine->terminal(end));
            ASSERT_EQ(game.machine->goal(end, Role{role}), choice.value);
        }
    }
}

TEST(Solve, NeverLeavesTheStatesItKnows) {
    for (const std::string name : {"sim_five_points", "sim", "dots_and_boxes_2x2", "nim_four_heaps"}) {
        SCOPED_TRACE(name);
        expect_solved_without_getting_lost(prepared(name), 100);
    }
}

TEST(Solve, NeverLeavesTheStatesItKnowsOfSharedGames) {
    std::size_t played = 0;
    for (const auto& file : gdl::testing::shared_files()) {
        const std::string name = file.stem().string();
        if (name != "factoringEasyTurtleBrain" && name != "ticTacToeSerial") continue;
        SCOPED_TRACE(name);
        const Prepared game(machine::testing::described_file(file));
        const std::unique_ptr<Search> search = game.make("solve");
        for (std::size_t steps = 0; steps < 30; ++steps) {
            const State state = game.walk(steps, steps);
            const Choice choice = search->choose(state, Role{game.mover(state)}, nodes(20'000));
            ASSERT_TRUE(game.is_legal(state, game.mover(state), choice.move));
        }
        ++played;
    }
    if (played == 0) GTEST_SKIP() << "no ../shared/games beside the project";
}

TEST(Solve, ValuesOfTheSmallGamesThatHaveLargeGroups) {
    const auto value = [](const std::string& name) {
        const Prepared game = prepared(name);
        const Choice choice = game.make("solve")->choose(game.machine->initial(), Role{0}, {});
        EXPECT_TRUE(choice.proved) << name;
        return choice.value;
    };
    EXPECT_EQ(value("sim"), 0) << "the second player wins (Mead, Rosa and Huang, 1974)";
    EXPECT_EQ(value("sim_five_points"), 50);
    EXPECT_EQ(value("dots_and_boxes_2x2"), 100);
}

// Positions with few moves to go in games too large to be solved from the start.
TEST(Solve, LatePositionsOfLargeGames) {
    const Prepared game = prepared("three_dimensional_tic_tac_toe");
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const State state = game.late(56, seed);
        const std::unique_ptr<Search> fresh = game.make("solve");
        const Choice choice = fresh->choose(state, Role{game.mover(state)}, {});
        EXPECT_THAT(choice.note, ::testing::HasSubstr("solved"));
        EXPECT_TRUE(game.machine->terminal(end_of_line(game, state, choice)));
        EXPECT_EQ(choice.line.size(), choice.depth);
    }
}

// Cycles: what can be forced, what stays open, and that a forced win comes to its end.
TEST(Solve, IsRightOnRandomGraphsWithCycles) {
    std::size_t exact = 0;
    std::size_t left_open = 0;
    std::size_t on_cycles = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const GraphGame graph(14, true, 1000 + seed);
        const Prepared game = prepared_rules(graph.rules());
        StateSpace space(game.machine->initial(), 1 << 24);
        ASSERT_EQ(space.grow(*game.machine, {}), StateSpace::Status::complete);
        const std::optional<Solution> solution = Solution::find(space, game.problem.facts, {});
        if (!solution) continue;  // no end can be reached at all, or nobody ever has a choice
        on_cycles += solution->open_count();
        const std::vector<int> expected = graph.values();
        const auto node_of = [&](StateSpace::Number number) {
            for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
                const auto fluent = game.machine->find_fluent("(at n" + std::to_string(i) + ")");
                if (fluent && space.state(number).holds(*fluent)) return i;
            }
            return std::size_t{0};
        };
        for (StateSpace::Number n = 0; n < space.size(); ++n) {
            const int value = expected[node_of(n)];
            const Solution::Value white = solution->value(n, 0);
            const Solution::Value black = solution->value(n, 1);
            EXPECT_EQ(white.exact, value != GraphGame::open) << seed << " node " << node_of(n);
            if (!white.exact) {
                ++left_open;
                continue;
            }
            ++exact;
            EXPECT_EQ(white.value, value) << seed;
            EXPECT_TRUE(!black.exact || black.value == 100 - value) << seed;
        }
    }
    EXPECT_GT(exact, 500U);
    EXPECT_GT(left_open, 20U);
    EXPECT_GT(on_cycles, 20U);
}

TEST(Solve, AForcedWinOnACycleComesToItsEnd) {
    std::size_t won = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const GraphGame graph(14, true, 2000 + seed);
        const Prepared game = prepared_rules(graph.rules());
        StateSpace space(game.machine->initial(), 1 << 24);
        space.grow(*game.machine, {});
        const std::optional<Solution> solution = Solution::find(space, game.problem.facts, {});
        if (!solution) continue;
        std::set<int> goals;
        for (StateSpace::Number n = 0; n < space.size(); ++n) {
            if (space.is_end(n)) goals.insert(space.goals(n)[0]);
        }
        if (goals.size() < 2) continue;  // nothing to play for
        machine::Random random(seed);
        for (StateSpace::Number start = 0; start < space.size(); ++start) {
            if (space.is_end(start) || !solution->value(start, 0).exact || solution->value(start, 0).value < 100)
                continue;
            StateSpace::Number at = start;
            std::uint32_t steps = 0;
            for (; !space.is_end(at) && steps < 100; ++steps) {
                const std::size_t count = space.successors(at).size();
                const std::size_t move =
                    space.mover(at) == 0U ? solution->best(at) : random.below(static_cast<std::uint32_t>(count));
                at = space.successors(at)[move];
            }
            ASSERT_TRUE(space.is_end(at)) << seed;
            EXPECT_EQ(space.goals(at)[0], 100) << seed;
            EXPECT_LE(steps, solution->value(start, 0).steps) << seed;
            ++won;
        }
    }
    EXPECT_GT(won, 50U);
}

TEST(Solve, MorePlayersAndChanceByBackwardInduction) {
    const Prepared game = prepared_rules(R"(
        (role a) (role b) (role c) (role random) (init (at start))
        (edge start a left coin) (edge start a right sure)
        (edge coin random heads best) (edge coin random tails worst)
        (edge sure b x one) (edge sure b y two) (edge two c p three) (edge two c q four)
        (pays best 100 0 0) (pays worst 0 50 50) (pays one 40 20 40) (pays three 60 30 10) (pays four 55 10 35)
        (<= (mover ?p) (true (at ?n)) (edge ?n ?p ?m ?x))
        (<= (legal ?p ?m) (true (at ?n)) (edge ?n ?p ?m ?x))
        (<= (legal ?q noop) (role ?q) (true (at ?n)) (not (mover ?q)))
        (<= (next (at ?x)) (true (at ?n)) (edge ?n ?p ?m ?x) (does ?p ?m))
        (<= terminal (true (at ?n)) (pays ?n ?v ?w ?u))
        (<= (goal a ?v) (true (at ?n)) (pays ?n ?v ?w ?u)) (<= (goal b ?w) (true (at ?n)) (pays ?n ?v ?w ?u))
        (<= (goal c ?u) (true (at ?n)) (pays ?n ?v ?w ?u)) (goal random 0)
    )");
    // c prefers four (35 to 10), so b gets 10 from two and takes one (20); a compares 40 with a mean of 50.
    const Choice choice = game.make("solve")->choose(game.machine->initial(), Role{0}, {});
    EXPECT_EQ(choice.value, 50);
    EXPECT_EQ(game.machine->move_name(*choice.move), "left");
    EXPECT_FALSE(choice.proved);
    EXPECT_THAT(choice.note, ::testing::HasSubstr("solved"));
}

TEST(Solve, LeavesLargeGamesToTheOtherSearch) {
    const Prepared game = prepared("connect_four");
    const std::unique_ptr<Search> search = game.make("solve", "megabytes=1");
    const Choice choice = search->choose(game.machine->initial(), Role{0}, nodes(50'000));
    EXPECT_TRUE(game.is_legal(game.machine->initial(), 0, choice.move));
    EXPECT_FALSE(choice.proved);
    EXPECT_LE(choice.nodes, 50'000U);
    EXPECT_GT(choice.depth, 2U);
}

TEST(Solve, GoesOnWhereItWasInterrupted) {
    const Prepared game = prepared("connect_three");
    const std::unique_ptr<Search> search = game.make("solve");
    std::size_t moves = 0;
    for (; moves < 100; ++moves) {
        const Choice choice = search->choose(game.machine->initial(), Role{0}, nodes(10'000));
        if (choice.note.find("solved") != std::string::npos) break;
    }
    EXPECT_GT(moves, 2U);  // some 40,000 states, 4,000 at a time
    EXPECT_LT(moves, 20U);
}

TEST(Solve, SimultaneousMovesAreRefused) {
    const Prepared game = prepared("rock_paper_scissors");
    EXPECT_FALSE(solve_entry.can_handle(game.problem.facts));
    StateSpace space(game.machine->initial(), 1 << 20);
    EXPECT_EQ(space.grow(*game.machine, {}), StateSpace::Status::not_by_turns);
}

}  // namespace
}  // namespace stratagem::search::testing
