#include "ground/program.h"

#include <gmock/gmock.h>

#include "ground/grounding.h"

namespace stratagem::ground {
namespace {

using ::testing::ElementsAre;
using testing::lines_of;
using testing::program_of;
using ::testing::UnorderedElementsAre;

const std::string light = R"(
    (role a) (init off) (legal a switch)
    (<= (legal a wait) (true off))
    (<= (next on) (true off) (does a switch))
    (<= (next off) (true on))
    (<= (next off) (true off) (not (does a switch)))
    (<= terminal (true on))
    (<= (goal a 100) (true on)) (<= (goal a 0) (true off)))";

TEST(Program, ATinyGameInFull) {
    EXPECT_THAT(lines_of(program_of(light).to_text()),
                UnorderedElementsAre("(init off)", "(legal a switch)", "(<= (legal a wait) (true off))",
                                     "(<= (next on) (true off) (does a switch))", "(<= (next off) (true on))",
                                     "(<= (next off) (true off) (not (does a switch)))", "(<= terminal (true on))",
                                     "(<= (goal a 100) (true on))", "(<= (goal a 0) (true off))"));
}

TEST(Program, NumbersAndNames) {
    const Program program = program_of(light);
    ASSERT_EQ(program.roles.size(), 1U);
    EXPECT_EQ(program.fluents.size(), 2U);
    EXPECT_EQ(program.moves.size(), 2U);
    EXPECT_EQ(program.atom_count(), program.first_derived() + program.derived.size());
    ASSERT_EQ(program.initial.size(), 1U);
    EXPECT_EQ(program.name(program.atom(program.initial[0])), "(true off)");
    for (std::uint32_t i = 0; i < program.fluents.size(); ++i) {
        const std::string fluent = gdl::to_kif(program.terms, program.fluents[i]);
        EXPECT_EQ(program.name(program.atom(Fluent{i})), "(true " + fluent + ")");
        EXPECT_EQ(program.name(program.next[i]), "(next " + fluent + ")");
    }
    for (std::uint32_t i = 0; i < program.moves.size(); ++i) {
        const std::string move = gdl::to_kif(program.terms, program.moves[i].term);
        EXPECT_EQ(program.name(program.atom(Move{i})), "(does a " + move + ")");
        EXPECT_EQ(program.name(program.legal[i]), "(legal a " + move + ")");
    }
    EXPECT_EQ(program.name(program.terminal), "terminal");
    ASSERT_EQ(program.goals.size(), 2U);
    EXPECT_EQ(program.goals[0].value, 0);
    EXPECT_EQ(program.goals[1].value, 100);
}

TEST(Program, NoRuleAsksForStaticRelations) {
    const Program program = program_of(R"(
        (role a) (init (at 1)) (succ 1 2) (succ 2 3)
        (<= (up ?x ?y) (succ ?x ?y)) (<= (up ?x ?z) (succ ?x ?y) (up ?y ?z))
        (<= (top ?x) (succ ?y ?x) (not (below ?x))) (<= (below ?x) (succ ?x ?y))
        (<= (legal a (go ?y)) (true (at ?x)) (up ?x ?y))
        (<= (next (at ?y)) (does a (go ?y)))
        (<= terminal (true (at ?x)) (top ?x)) (<= (goal a 100) (true (at ?x)) (top ?x)))");
    EXPECT_THAT(lines_of(program.to_text()),
                UnorderedElementsAre("(init (at 1))", "(<= (legal a (go 2)) (true (at 1)))",
                                     "(<= (legal a (go 3)) (true (at 1)))", "(<= (legal a (go 3)) (true (at 2)))",
                                     "(<= (next (at 2)) (does a (go 2)))", "(<= (next (at 3)) (does a (go 3)))",
                                     "(<= terminal (true (at 3)))", "(<= (goal a 100) (true (at 3)))"));
}

TEST(Program, WhatCanNeverHoldIsLeftOut) {
    const Program program = program_of(R"(
        (role a) (init p) (legal a wait)
        (<= (legal b wait) (true p))
        (<= (legal a cheat) (true never))
        (<= (next p) (true p) (not (true never)) (not (does a cheat)) (not (impossible p)))
        (<= (next q) (does a cheat))
        (<= (impossible ?x) (true never) (true ?x))
        (<= terminal (true never)) (goal a 50))");
    EXPECT_THAT(lines_of(program.to_text()),
                UnorderedElementsAre("(init p)", "(legal a wait)", "(<= (legal b wait) (true p))",
                                     "(<= (next p) (true p))", "(goal a 50)"));
    EXPECT_EQ(program.terminal, Atom::none);
    EXPECT_EQ(program.moves.size(), 1U);  // b is no role
}

TEST(Program, RulesNobodyAsksForAreNotGrounded) {
    const Program program = program_of(R"(
        (role a) (init (f 1)) (legal a wait) (<= (next (f ?x)) (true (f ?x))) (goal a 50) (<= terminal (true (f 2)))
        (<= (unused ?x) (true (f ?x))) (base (f 7)) (input a fly))");
    EXPECT_THAT(lines_of(program.to_text()),
                ElementsAre("(<= (next (f 1)) (true (f 1)))", "(goal a 50)", "(init (f 1))", "(legal a wait)"));
}

TEST(Program, MovesAreGroupedByRole) {
    const Program program = program_of(R"(
        (role a) (role b) (init p) (d 1) (d 2)
        (<= (legal ?r (m ?x)) (role ?r) (d ?x)) (<= (legal ?r noop) (role ?r))
        (<= (next p) (true p)) (<= terminal (not (true p))) (goal a 50) (goal b 50))");
    ASSERT_EQ(program.moves.size(), 6U);
    for (std::uint32_t i = 0; i < 6; ++i) EXPECT_EQ(program.moves[i].role, Role{i / 3});
}

TEST(Program, GoalsThatAreNoNumbersNeverCount) {
    const Program program = program_of(
        "(role a) (init p) (legal a wait) (<= (next p) (true p)) (<= terminal (not (true p))) (goal a 50) (goal a "
        "draw)");
    ASSERT_EQ(program.goals.size(), 1U);
    EXPECT_EQ(program.goals[0].value, 50);
}

TEST(Program, AnAuditFindsEachFault) {
    const Program good = program_of(light);
    ASSERT_TRUE(good.is_consistent());
    const auto spoiled = [&](auto&& spoil) {
        Program program = good;
        spoil(program);
        return !program.is_consistent();
    };
    EXPECT_TRUE(spoiled([](Program& p) { p.next.pop_back(); }));
    EXPECT_TRUE(spoiled([](Program& p) { p.initial = {Fluent{1}, Fluent{0}}; }));
    EXPECT_TRUE(spoiled([](Program& p) { p.initial = {Fluent{9}}; }));
    EXPECT_TRUE(spoiled([](Program& p) { p.legal[0] = Atom::none; }));
    EXPECT_TRUE(spoiled([](Program& p) { p.terminal = Atom{99}; }));
    EXPECT_TRUE(spoiled([](Program& p) { p.moves[0].role = Role{1}; }));
    EXPECT_TRUE(spoiled([](Program& p) { p.add_rule(Atom{0}, {}); }));
    EXPECT_TRUE(spoiled([](Program& p) { p.add_rule(p.terminal, std::vector{Condition(Atom{99})}); }));
}

}  // namespace
}  // namespace stratagem::ground
