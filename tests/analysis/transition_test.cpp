// Clauses say what the machine says: with the state and the joint move given, nothing else is left open.
#include "analysis/transition.h"

#include <gtest/gtest.h>

#include "analysis/samples.h"
#include "analysis/state_values.h"
#include "machine/circuit/circuit.h"
#include "machine/same_game.h"

namespace stratagem::analysis {
namespace {

constexpr std::uint32_t enough = 1'000'000;

void expect_same(const std::string& name) {
    SCOPED_TRACE(name);
    const machine::GdlGame game(machine::testing::bundled(name));
    const ground::Program& program = game.circuit()->program();
    const auto machine = game.make();
    SampleLimits limits;
    limits.states = 60;
    const Samples samples(game, program.fluents.size(), limits);
    Transition transition(program);
    Frame& after = transition.after();
    machine::Random random(7);
    std::size_t steps = 0;
    for (const Sample& sample : samples.all()) {
        std::vector<Literal> assumptions;
        for (std::uint32_t i = 0; i < program.fluents.size(); ++i) {
            const Literal literal = transition.before().fluent(Fluent{i});
            assumptions.push_back(sample.state.holds(Fluent{i}) ? literal : -literal);
        }
        if (sample.terminal) {
            EXPECT_EQ(transition.solve(assumptions, enough, {}), Answer::unsatisfiable);
            continue;
        }
        std::vector<Move> joint, legal;
        for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
            machine->legal(sample.state, Role{role}, legal);
            ASSERT_FALSE(legal.empty());
            joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
            assumptions.push_back(transition.before().does(joint.back()));
        }
        State next;
        machine->next(sample.state, joint, next);
        const Literal terminal = after.terminal();
        std::vector<Literal> goals;
        for (const ground::GoalEntry& goal : program.goals) goals.push_back(after.literal(goal.atom));
        ASSERT_EQ(transition.solve(assumptions, enough, {}), Answer::satisfiable);
        ++steps;
        for (std::uint32_t i = 0; i < program.fluents.size(); ++i) {
            ASSERT_EQ(transition.clauses().value(after.fluent(Fluent{i})), next.holds(Fluent{i}))
                << machine->fluent_name(Fluent{i});
        }
        EXPECT_EQ(transition.clauses().value(terminal), machine->terminal(next));
        for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
            std::vector<int> values;
            for (std::size_t i = 0; i < goals.size(); ++i) {
                if (program.goals[i].role == Role{role} && transition.clauses().value(goals[i])) {
                    values.push_back(program.goals[i].value);
                }
            }
            const std::optional<int> goal = machine->goal(next, Role{role});
            EXPECT_EQ(goal, values.size() == 1 ? std::optional(values[0]) : std::nullopt);
        }
    }
    EXPECT_GT(steps, 0U);
}

TEST(Transition, SaysWhatTheMachineSays) {
    for (const std::string name : {"tic_tac_toe", "breakthrough_6x6", "english_draughts", "minichess", "farmers",
                                   "rock_paper_scissors", "kuhn_poker", "othello", "quarto"}) {
        expect_same(name);
    }
}

// Recursion through the state: models that rest on circles are refused.
TEST(Transition, SaysWhatTheMachineSaysOfRecursion) {
    for (const std::string name : {"hex", "capture_go_3x3", "capture_go_4x4", "hallway"}) expect_same(name);
}

// What follows from a state by rules alone is what the machine says of it.
TEST(StateValues, AreThoseOfTheMachine) {
    for (const std::string name : {"tic_tac_toe", "hex", "othello", "farmers", "capture_go_3x3", "kuhn_poker"}) {
        SCOPED_TRACE(name);
        const machine::GdlGame game(machine::testing::bundled(name));
        const ground::Program& program = game.circuit()->program();
        const auto machine = game.make();
        SampleLimits limits;
        limits.states = 200;
        const Samples samples(game, program.fluents.size(), limits);
        const RuleIndex index(program);
        StateValues values(index);
        std::vector<Move> legal;
        for (const Sample& sample : samples.all()) {
            const std::vector<bool>& found = values.of(sample.state);
            EXPECT_EQ(found[ground::index(program.terminal)], sample.terminal);
            for (std::uint32_t i = 0; i < program.moves.size(); ++i) {
                machine->legal(sample.state, program.moves[i].role, legal);
                const Atom atom = program.legal[i];
                ASSERT_FALSE(values.by_moves()[ground::index(atom)]);
                ASSERT_EQ(found[ground::index(atom)], std::ranges::binary_search(legal, Move{i}));
            }
            for (const ground::GoalEntry& goal : program.goals) {
                const std::optional<int> value = machine->goal(sample.state, goal.role);
                EXPECT_TRUE(!value || found[ground::index(goal.atom)] == (*value == goal.value));
            }
        }
    }
}

TEST(Transition, HasNoStepFromIllegalMoves) {
    const machine::GdlGame game(machine::testing::bundled("tic_tac_toe"));
    const ground::Program& program = game.circuit()->program();
    const auto machine = game.make();
    Transition transition(program);
    std::vector<Literal> assumptions;
    for (std::uint32_t i = 0; i < program.fluents.size(); ++i) {
        const Literal literal = transition.before().fluent(Fluent{i});
        assumptions.push_back(machine->initial().holds(Fluent{i}) ? literal : -literal);
    }
    std::vector<Move> legal;
    for (std::uint32_t i = 0; i < program.moves.size(); ++i) {
        machine->legal(machine->initial(), program.moves[i].role, legal);
        std::vector<Literal> with_move = assumptions;
        with_move.push_back(transition.before().does(Move{i}));
        EXPECT_EQ(transition.solve(with_move, enough, {}) == Answer::satisfiable,
                  std::ranges::binary_search(legal, Move{i}));
    }
}

}  // namespace
}  // namespace stratagem::analysis
