// Corners of the language that others allow: all machines understand them, and alike.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>

#include "gdl/print.h"
#include "machine/circuit/circuit.h"
#include "machine/interpreter/interpreter.h"
#include "machine/machine_games.h"
#include "machine/playout.h"

namespace stratagem::machine {
namespace {

using ::testing::ElementsAre;

std::set<std::string> names(Machine& machine, const State& state) {
    std::set<std::string> result;
    state.for_each([&](Fluent fluent) { result.insert(machine.fluent_name(fluent)); });
    return result;
}

// Plays on circuit and interpreter side by side, which compares every answer.
void expect_agreement(const gdl::Description& description) {
    const auto machine = testing::made(description, MachineKind::check);
    RandomPlay play(*machine);
    Random random(1);
    PlayoutOptions options;
    options.max_steps = 20;
    for (int game = 0; game < 5; ++game) play.play(random, options);
}

TEST(LanguageCorners, NamesWithDifferentNumbersOfArgumentsAreApart) {
    const gdl::Description description = testing::described(R"(
        (role r) (init (p 1)) (init (p 1 2)) (init p) (d 1) (d 2)
        (p 1) (p 1 2) (p 2 1)
        (q (f 1)) (q (f 1) 2) (<= (q (f ?x ?x)) (d ?x))
        (<= (legal r (p ?x)) (p ?x)) (<= (legal r (p ?x ?y)) (p ?x ?y)) (<= (legal r (q ?x)) (q ?x)) (<= (legal r (q ?x ?y)) (q ?x ?y))
        (<= (legal r p) (true p))
        (<= (next (p ?x)) (does r (p ?x ?y))) (<= (next (p ?x ?y)) (true (p ?x ?y)) (not (does r (p ?x))))
        (<= (next p) (true (p ?x)) (not (true (p ?x 2))))
        (<= terminal (not (true (p 1 2)))) (<= (goal r 100) (p 1)) (<= (goal r 0) (p 1 2 3)))");
    for (const MachineKind kind : {MachineKind::circuit, MachineKind::interpreter}) {
        const auto machine = testing::made(description, kind);
        std::vector<Move> moves;
        machine->legal(machine->initial(), Role{0}, moves);
        std::vector<std::string> legal;
        for (const Move move : moves) legal.push_back(machine->move_name(move));
        std::ranges::sort(legal);
        EXPECT_THAT(legal, ElementsAre("(p 1 2)", "(p 1)", "(p 2 1)", "(q (f 1 1))", "(q (f 1) 2)", "(q (f 1))",
                                       "(q (f 2 2))", "p"));
        EXPECT_EQ(machine->goal(machine->initial(), Role{0}), 100);
        const std::vector<Move> joint{*machine->find_move(Role{0}, "(p 2 1)")};
        State next;
        machine->next(machine->initial(), joint, next);
        EXPECT_THAT(names(*machine, next), ElementsAre("(p 1 2)", "(p 2)"));
    }
    expect_agreement(description);
}

TEST(LanguageCorners, WhatIsSeenMayDependOnTheNextState) {
    const gdl::Description description = testing::described(R"(
        (role r) (init (at 0)) (s 0 1) (s 1 2) (s 2 0)
        (<= (legal r step) (true (at ?x))) (legal r stay)
        (<= (next (at ?y)) (true (at ?x)) (s ?x ?y) (does r step)) (<= (next (at ?x)) (true (at ?x)) (does r stay))
        (<= (sees r (now ?x)) (next (at ?x))) (<= (sees r nothing) (not (next (at 1))))
        (<= terminal (true (at 3))) (goal r 0))");
    Interpreter interpreter(description);
    const auto move = interpreter.legal(interpreter.roles().front()).front();
    const std::vector<gdl::Term> joint{move};
    EXPECT_EQ(interpreter.sees(interpreter.roles().front(), joint).size(),
              interpreter.next(joint).front() == interpreter.initial().front() ? 2U : 1U);
    const auto circuit = GdlGame(description).circuit();
    ASSERT_NE(circuit, nullptr);
    std::vector<std::string> percepts;
    for (const ground::PerceptEntry& entry : circuit->program().percepts) {
        percepts.push_back(gdl::to_kif(circuit->program().terms, entry.term));
    }
    std::ranges::sort(percepts);
    EXPECT_THAT(percepts, ElementsAre("(now 0)", "(now 1)", "(now 2)", "nothing"));
    expect_agreement(description);
}

TEST(LanguageCorners, TheInitialStateMayDependOnLegal) {
    const gdl::Description description = testing::described(R"(
        (role r) (role s) (init on) (d 1) (d 2) (d 3)
        (<= (legal ?r (take ?x)) (role ?r) (d ?x) (small ?x)) (<= (small ?x) (d ?x) (not (large ?x))) (large 3)
        (<= (first ?m) (legal r ?m))
        (<= (init (left ?x)) (first (take ?x)))
        (<= (next (left ?x)) (true (left ?x)) (not (does r (take ?x)))) (<= (next on) (true (left ?x)))
        (<= terminal (not (true on))) (goal r 0) (goal s 0))");
    for (const MachineKind kind : {MachineKind::circuit, MachineKind::interpreter}) {
        const auto machine = testing::made(description, kind);
        EXPECT_THAT(names(*machine, machine->initial()), ElementsAre("(left 1)", "(left 2)", "on"));
        std::vector<Move> moves;
        machine->legal(machine->initial(), Role{1}, moves);
        EXPECT_EQ(moves.size(), 2U);
    }
    expect_agreement(description);
}

}  // namespace
}  // namespace stratagem::machine
