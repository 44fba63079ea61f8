#include "machine/circuit/runner.h"

#include <gmock/gmock.h>

#include "machine/machine_text.h"
#include "machine/random_game.h"
#include "machine/same_game.h"

namespace stratagem::machine {
namespace {

using testing::described;
using testing::expect_same_game;
using testing::grounded;

TEST(Runner, FollowsAGameAndComesBack) {
    const auto circuit = std::make_shared<const Circuit>(grounded(described(testing::counting_game)));
    CircuitMachine names(circuit);
    Runner runner(circuit);
    runner.go_to(names.initial().words());
    EXPECT_FALSE(runner.terminal());
    EXPECT_EQ(runner.legal(Role{0}).size(), 2U);
    EXPECT_EQ(runner.legal(Role{1}).size(), 1U);
    const std::vector<Move> joint = {*names.find_move(Role{0}, "(add 2)"), *names.find_move(Role{1}, "noop")};
    const auto next = runner.next(joint);
    const std::vector<std::uint64_t> after(next.begin(), next.end());
    // Asking for the next state changes nothing.
    EXPECT_TRUE(runner.is_consistent());
    EXPECT_EQ(runner.legal(Role{0}).size(), 2U);
    const auto again = runner.next(joint);
    EXPECT_TRUE(std::ranges::equal(again, after));
    runner.go_to(after);
    EXPECT_EQ(runner.legal(Role{0}).size(), 1U);
    EXPECT_EQ(runner.legal(Role{1}).size(), 1U);
    EXPECT_EQ(runner.goal(Role{1}), 0);
    runner.go_to(names.initial().words());
    EXPECT_EQ(runner.legal(Role{0}).size(), 2U);
    EXPECT_EQ(runner.goal(Role{0}), 0);
    EXPECT_EQ(runner.goal(Role{1}), std::nullopt);
    EXPECT_TRUE(runner.is_consistent());
}

TEST(Runner, GoalsAreComputedWhenAskedFor) {
    // Values by state: none, one, several, one; asked in states that are not terminal.
    const auto circuit = std::make_shared<const Circuit>(grounded(described(R"(
        (role a) (role b) (init (n 0)) (legal a go) (legal b go) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
        (<= (next odd) (not (true odd)))
        (<= (low ?x) (true (n ?x)) (not (high ?x))) (<= (high 3) (true (n 3)) (true odd))
        (<= (goal a 10) (true (n 1)) (true odd)) (<= (goal a 20) (true (n 2)) (not (true odd)))
        (<= (goal a 30) (low 2) (not (true odd))) (<= (goal a 40) (high 3) (true (n 3)))
        (goal b 50)
        (<= terminal (true (n 4))) )")));
    CircuitMachine machine(circuit);
    const std::vector<std::optional<int>> expected = {std::nullopt, 10, std::nullopt, 40};
    const std::vector<Move> joint = {*machine.find_move(Role{0}, "go"), *machine.find_move(Role{1}, "go")};
    std::vector<State> states = {machine.initial()};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_FALSE(machine.terminal(states.back()));
        State next;
        machine.next(states.back(), joint, next);  // between the states the goal is asked for
        EXPECT_EQ(machine.goal(states.back(), Role{0}), expected[i]) << i;
        EXPECT_EQ(machine.goal(states.back(), Role{1}), 50) << i;
        states.push_back(next);
    }
    EXPECT_TRUE(machine.terminal(states.back()));
    for (std::size_t i = expected.size(); i-- > 0;) EXPECT_EQ(machine.goal(states[i], Role{0}), expected[i]) << i;
}

// Edges of a graph appear and disappear; who is reached is recursive through the state, on a cycle of three.
const std::string reachability = R"(
    (role a) (node 1) (node 2) (node 3) (node 4) (init (edge 1 2)) (init (edge 2 3)) (init (edge 3 1)) (init (edge 2 4))
    (<= (legal a (flip ?x ?y)) (node ?x) (node ?y) (distinct ?x ?y)) (legal a pass)
    (<= (reach ?x ?y) (true (edge ?x ?y)))
    (<= (reach ?x ?z) (true (edge ?x ?y)) (reach ?y ?z))
    (<= (next (edge ?x ?y)) (true (edge ?x ?y)) (not (does a (flip ?x ?y))))
    (<= (next (edge ?x ?y)) (does a (flip ?x ?y)) (not (true (edge ?x ?y))))
    (<= (legal a (cut ?x)) (reach 1 ?x) (not (reach ?x 1)))
    (<= (next (seen ?x)) (reach 1 ?x)) (<= (next (seen ?x)) (does a (cut ?x)))
    (<= terminal (reach 4 1) (reach 4 2) (reach 4 3) (not (reach 4 4)))
    (<= (goal a 100) (reach 1 4)) (<= (goal a 50) (not (reach 1 4)) (reach 4 1))
    (<= (goal a 0) (not (reach 1 4)) (not (reach 4 1))))";

TEST(Runner, RecursionThroughTheStateRisesAndFalls) {
    const auto circuit = std::make_shared<const Circuit>(grounded(described(reachability)));
    EXPECT_GT(circuit->cycle_count(), 0U);
    EXPECT_FALSE(circuit->moves_are_state());
    expect_same_game(reachability, 1, 60, 5);
    // By hand: cutting 1 -> 2 leaves 2 -> 3 -> 1; 1 reaches nothing, not even by support of its own.
    CircuitMachine machine(circuit);
    const auto reached = [&](const State& state) {
        std::vector<Move> moves;
        machine.legal(state, Role{0}, moves);
        std::vector<std::string> cuts;
        for (const std::string& name : move_names(machine, moves)) {
            if (name.starts_with("(cut")) cuts.push_back(name);
        }
        return cuts;
    };
    EXPECT_THAT(reached(machine.initial()), ::testing::ElementsAre("(cut 4)"));
    EXPECT_EQ(machine.goal(machine.initial(), Role{0}), 100);
    State fallen;
    machine.next(machine.initial(), std::vector{*machine.find_move(Role{0}, "(flip 1 2)")}, fallen);
    EXPECT_THAT(reached(fallen), ::testing::IsEmpty());
    EXPECT_EQ(machine.goal(fallen, Role{0}), 0);
    State risen;
    machine.next(fallen, std::vector{*machine.find_move(Role{0}, "(flip 1 2)")}, risen);
    EXPECT_EQ(machine.goal(risen, Role{0}), 100);
    EXPECT_TRUE(machine.is_consistent());
}

TEST(Runner, CyclesOverCyclesAreSettledInOrder) {
    expect_same_game(R"(
        (role a) (node 1) (node 2) (node 3) (init (edge 1 2)) (init (edge 2 1)) (init (edge 2 3))
        (<= (legal a (flip ?x ?y)) (node ?x) (node ?y))
        (<= (next (edge ?x ?y)) (true (edge ?x ?y)) (not (does a (flip ?x ?y))))
        (<= (next (edge ?x ?y)) (does a (flip ?x ?y)) (not (true (edge ?x ?y))))
        (<= (reach ?x ?y) (true (edge ?x ?y))) (<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))
        (<= (apart ?x ?y) (node ?x) (node ?y) (not (reach ?x ?y)))
        (<= (far ?x ?y) (apart ?x ?y)) (<= (far ?x ?z) (far ?x ?y) (far ?y ?z) (not (true (edge ?x ?z))))
        (<= (once ?x) (node ?x) (not (far ?x 1))) (<= (once ?x) (once ?y) (true (edge ?y ?x)))
        (<= terminal (not (once 1)) (not (once 2)) (not (once 3)) (far 1 1))
        (<= (goal a 100) (once 1) (far 1 2)) (<= (goal a 50) (once 2)) (<= (goal a 0) (not (once 3))))",
                     7, 60, 5);
}

TEST(Runner, RecursionThroughMovesTreatsMovesAsState) {
    const std::string rules = R"(
        (role a) (role b) (cell 1) (cell 2) (cell 3) (cell 4) (init (dot 1)) (init (dot 3))
        (adjacent 1 2) (adjacent 2 3) (adjacent 3 4) (adjacent 4 1)
        (<= (legal ?r (press ?x)) (role ?r) (cell ?x)) (<= (legal ?r noop) (role ?r) (true (dot 1)))
        (<= (wave ?x) (does ?r (press ?x)))
        (<= (wave ?y) (wave ?x) (adjacent ?x ?y) (true (dot ?y)))
        (<= (next (dot ?x)) (wave ?x) (not (true (dot ?x))))
        (<= (next (dot ?x)) (true (dot ?x)) (not (wave ?x)))
        (<= terminal (true (dot 1)) (true (dot 2)) (true (dot 3)) (true (dot 4)))
        (<= (goal ?r 100) (role ?r) (true (dot 4))) (<= (goal ?r 0) (role ?r) (not (true (dot 4)))))";
    const auto circuit = std::make_shared<const Circuit>(grounded(described(rules)));
    EXPECT_TRUE(circuit->moves_are_state());
    expect_same_game(rules, 1, 40, 10);
}

TEST(Runner, WhatFollowsTheStateMayChangeDuringAStep) {
    // `lit` follows the state while nobody moves and rises with a's move; what b's move makes of it is computed only
    // when one of the two reaches it.
    const std::string rules = R"(
        (role a) (role b) (init off) (legal a take) (legal a noop) (legal a drop) (legal b push) (legal b noop)
        (legal b hold)
        (<= lit (true on)) (<= lit (does a take))
        (<= dark (not lit)) (<= dark (does a drop))
        (<= (next on) lit (not (does a drop))) (<= (next off) dark)
        (<= (next out) lit (does b push)) (<= (next in) dark (does b push))
        (<= (next in) (true out) lit dark (does b hold))
        (<= terminal (true on) (true off) (true in)) (goal a 50) (goal b 50))";
    expect_same_game(rules, 1, 30, 10);
    CircuitMachine machine(std::make_shared<const Circuit>(grounded(described(rules))));
    const auto after = [&](const char* first, const char* second) {
        State next;
        machine.next(machine.initial(),
                     std::vector{*machine.find_move(Role{0}, first), *machine.find_move(Role{1}, second)}, next);
        return state_text(machine, next);
    };
    EXPECT_EQ(after("take", "noop"), "on");
    EXPECT_EQ(after("take", "push"), "on out");
    EXPECT_EQ(after("noop", "push"), "in off");
    EXPECT_EQ(after("drop", "hold"), "off");
}

TEST(Runner, AGameWithoutAStateCanBeRun) {
    // Nothing ever holds: no fluents, and next has no rules.
    const auto circuit =
        build_circuit(grounded(described("(role a) (legal a go) (goal a 50) (<= terminal (not (true p)))")));
    CircuitMachine machine(circuit);
    EXPECT_TRUE(machine.terminal());
    EXPECT_EQ(machine.goal(Role{0}), 50);
    EXPECT_EQ(machine.legal(Role{0}).size(), 1U);
    State next;
    machine.next(machine.initial(), std::vector{Move{0}}, next);
    EXPECT_EQ(next, machine.initial());
}

TEST(Runner, CountersStayRightInBundledGames) {
    for (const auto& path : gdl::testing::bundled_files()) {
        SCOPED_TRACE(path.filename().string());
        CircuitMachine machine(build_circuit(grounded(testing::described_file(path))));
        Random random(11);
        std::vector<Move> joint(machine.role_count());
        for (int step = 0; step < 40; ++step) {
            ASSERT_TRUE(machine.is_consistent()) << "step " << step;
            bool over = machine.terminal();
            for (std::uint32_t role = 0; role < joint.size() && !over; ++role) {
                machine.goal(Role{role});
                const auto moves = machine.legal(Role{role});
                over = moves.empty();
                if (!over) joint[role] = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
            }
            if (over) {
                machine.go_to(machine.initial());
            } else {
                machine.advance(joint);
            }
        }
    }
}

// The two ways to make a step, and the lists of legal moves against the sorted ones.
TEST(Runner, AdvancingAndAskingForTheNextStateAgree) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const auto circuit = build_circuit(grounded(described(testing::RandomGame(seed).rules())));
        CircuitMachine following(circuit);
        CircuitMachine asked(circuit);
        Random random(seed);
        State state = asked.initial();
        for (int step = 0; step < 10 && !following.terminal(); ++step) {
            std::vector<Move> joint;
            for (std::uint32_t role = 0; role < 2; ++role) {
                std::vector<Move> sorted;
                asked.legal(state, Role{role}, sorted);
                EXPECT_THAT(following.legal(Role{role}), ::testing::UnorderedElementsAreArray(sorted));
                if (!sorted.empty()) joint.push_back(sorted[random.below(static_cast<std::uint32_t>(sorted.size()))]);
            }
            if (joint.size() < 2) break;
            State next;
            asked.next(state, joint, next);
            following.advance(joint);
            ASSERT_EQ(following.current(), next) << "seed " << seed;
            EXPECT_EQ(following.current().hash(), next.hash());
            state = next;
        }
    }
}

}  // namespace
}  // namespace stratagem::machine
