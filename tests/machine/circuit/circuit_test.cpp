#include "machine/circuit/circuit.h"

#include <gmock/gmock.h>

#include "machine/machine_text.h"
#include "machine/random_game.h"
#include "machine/same_game.h"

namespace stratagem::machine {
namespace {

using testing::bundled;
using testing::counting_game;
using testing::described;
using testing::expect_same_game;
using testing::grounded;
using ::testing::HasSubstr;

std::shared_ptr<const Circuit> whole(const std::string& rules) {
    return std::make_shared<const Circuit>(grounded(described(rules)));
}

std::size_t gates_of(const Circuit& circuit, Part part) {
    std::size_t count = 0;
    for (std::uint32_t node = 0; node < circuit.node_count(); ++node) {
        count += circuit.kind(node) == NodeKind::gate && circuit.part(node) == part ? 1 : 0;
    }
    return count;
}

TEST(Circuit, ATinyGameInFull) {
    const auto circuit = whole(R"((role a) (init off) (legal a switch) (<= (legal a wait) (true off))
        (<= (next on) (true off) (does a switch)) (<= (next off) (true on))
        (<= terminal (true on)) (<= (goal a 100) (true on)) (<= (goal a 0) (not (true on))))");
    EXPECT_TRUE(circuit->is_consistent());
    const std::string text = circuit->to_text();
    EXPECT_THAT(text, HasSubstr("legal (does a switch) = always\n"));
    EXPECT_THAT(text, HasSubstr("legal (does a wait) = (true off)\n"));
    EXPECT_THAT(text, HasSubstr("next (true off) = (true on)\n"));
    EXPECT_THAT(text, HasSubstr("goal a 0 = ~(true on)\n"));
    EXPECT_THAT(text, HasSubstr("goal a 100 = (true on)\n"));
    EXPECT_THAT(text, HasSubstr("terminal = (true on)\n"));
    EXPECT_EQ(circuit->gate_count(), 1U);  // (true off) and (does a switch)
    EXPECT_EQ(circuit->depth(), 1U);
    EXPECT_THAT(circuit->to_dot(), ::testing::StartsWith("digraph circuit {"));
}

TEST(Circuit, NestedConjunctionsAreFlattened) {
    const auto circuit = whole(R"((role a) (init p) (init q) (init r) (init s) (legal a go)
        (<= pq (true p) (true q)) (<= pqr pq (true r)) (<= (next p) pqr (true s))
        (<= (next q) (true q)) (<= (next r) (true r)) (<= (next s) (true s))
        (<= terminal (not (true p))) (goal a 50))");
    EXPECT_EQ(circuit->gate_count(), 1U);
    EXPECT_EQ(circuit->depth(), 1U);
}

TEST(Circuit, PartsSayWhenAGateIsComputed) {
    const auto circuit =
        whole(R"((role a) (init (f 1)) (init (f 2)) (legal a (take 1)) (legal a (take 2)) (legal a noop)
        (<= both (true (f 1)) (true (f 2)))
        (<= (legal a win) both)
        (<= (next (f 1)) (true (f 1)) (not (does a (take 1))))
        (<= (next (f 2)) (true (f 2)) (not (does a (take 2))))
        (<= (next won) (does a win) (true (f 1)))
        (<= terminal (true won)) (<= (goal a 100) (true won) (not (true (f 1)))) (<= (goal a 0) (not (true won))))");
    EXPECT_EQ(gates_of(*circuit, Part::state), 1U);    // both
    EXPECT_EQ(gates_of(*circuit, Part::varying), 2U);  // frame rules: true without a move if the fluent is
    EXPECT_EQ(gates_of(*circuit, Part::blocked), 1U);  // false without a move
    EXPECT_EQ(gates_of(*circuit, Part::goal), 1U);
    EXPECT_EQ(circuit->goal_gates().size(), 1U);
}

TEST(Circuit, AllBundledGamesGiveConsistentCircuits) {
    for (const auto& path : gdl::testing::bundled_files()) {
        SCOPED_TRACE(path.filename().string());
        const auto program = grounded(testing::described_file(path));
        ASSERT_TRUE(program);
        const auto circuit = build_circuit(program);
        EXPECT_TRUE(circuit->is_consistent());
        EXPECT_EQ(circuit->outputs().legal.size(), program->moves.size());
        EXPECT_EQ(circuit->outputs().next.size(), program->fluents.size());
        for (const Circuit::Phase& phase : circuit->phases()) EXPECT_TRUE(phase.circuit->is_consistent());
    }
}

TEST(Circuit, PhasesAreFoundWherePlayersTakeTurns) {
    const auto circuit = build_circuit(grounded(bundled("tic_tac_toe")));
    ASSERT_EQ(circuit->phases().size(), 2U);
    CircuitMachine machine(circuit);
    for (const Circuit::Phase& phase : circuit->phases()) {
        EXPECT_THAT(machine.fluent_name(phase.fluent), ::testing::StartsWith("(control "));
        EXPECT_LT(phase.circuit->edge_count(), circuit->edge_count());
    }
}

TEST(Circuit, TheSameProgramGivesTheSameCircuit) {
    const auto program = grounded(bundled("connect_three"));
    const auto first = build_circuit(program);
    const auto second = build_circuit(program);
    EXPECT_EQ(first->to_text(), second->to_text());
    ASSERT_EQ(first->phases().size(), second->phases().size());
    for (std::size_t i = 0; i < first->phases().size(); ++i) {
        EXPECT_EQ(first->phases()[i].circuit->to_text(), second->phases()[i].circuit->to_text());
    }
}

TEST(Circuit, ADeadlineInThePastThrows) {
    const auto program = grounded(bundled("tic_tac_toe"));
    const Deadline past(Deadline::Clock::now() - std::chrono::seconds(1));
    EXPECT_THROW(Circuit(program, past), std::runtime_error);
    EXPECT_THROW(build_circuit(program, past), std::runtime_error);
}

// Players take turns for a long time, so that phases are found; only a rare move breaks the order for good.
const std::string broken_turns = R"(
    (role a) (role b) (init (control a)) (init (n 0)) (other a b) (other b a)
    (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
    (<= (legal ?r (go ?x)) (true (control ?r)) (d ?x))
    (<= (next (control ?s)) (true (control ?r)) (other ?r ?s) (not break))
    (<= break (does a (go 39)))
    (<= (next (control ?r)) break (role ?r))
    (<= (next (control a)) idle (true (n 39)))
    (<= (next (n ?x)) (does ?r (go ?x)) (not hidden)) (<= hidden (does a (go 38)))
    (<= idle (not (true (control a))) (not (true (control b))))
    (<= stop (does a (go 37)) (true (control b)))
    (<= terminal idle (true (n 37)))
    (<= (goal ?r 100) (true (control ?r))) (<= (goal ?r 0) (role ?r) (not (true (control ?r)))))";

TEST(Circuit, StatesOutsideOfThePhasesGoToTheWholeCircuit) {
    std::string rules = broken_turns;
    for (int i = 0; i < 40; ++i) rules += " (d " + std::to_string(i) + ")";
    const gdl::Description description = described(rules);
    const auto program = grounded(description);
    // Phases by hand: build_circuit may see in its random games that the rule is broken.
    CircuitMachine names(std::make_shared<const Circuit>(program));
    const Fluent first = *names.find_fluent("(control a)");
    const Fluent second = *names.find_fluent("(control b)");
    const auto circuit = std::make_shared<Circuit>(program);
    const auto of = [&](Fluent holds, Fluent fails) {
        return std::make_shared<const Circuit>(program, Deadline::never(),
                                               Assumption{.holds = {holds}, .fails = {fails}});
    };
    circuit->set_phases({{first, of(first, second)}, {second, of(second, first)}});
    testing::expect_same_play(circuit, description, 1, 60, 20);

    // Both in control, then none: answers of the machine with phases against those of the whole circuit.
    CircuitMachine phased(circuit);
    for (const std::vector<Fluent>& holding :
         {std::vector<Fluent>{first, second}, {}, {second}, {first, second}, {first}}) {
        State state(program->fluents.size());
        for (const Fluent fluent : holding) state.insert(fluent);
        state.insert(*names.find_fluent("(n 37)"));
        EXPECT_EQ(phased.terminal(state), names.terminal(state));
        for (std::uint32_t role = 0; role < 2; ++role) {
            std::vector<Move> expected;
            std::vector<Move> found;
            names.legal(state, Role{role}, expected);
            phased.legal(state, Role{role}, found);
            EXPECT_EQ(found, expected);
            EXPECT_EQ(phased.goal(state, Role{role}), names.goal(state, Role{role}));
        }
        EXPECT_TRUE(phased.is_consistent());
    }
}

TEST(Circuit, GamesThatLeaveTheirPhasesLatePlayRight) {
    // A thousand observed steps do not reach the break, which needs two hundred steps of one game.
    std::string rules = R"((role a) (role b) (init (control a)) (init (n 0)) (other a b) (other b a)
        (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
        (<= (legal ?r on) (true (control ?r))) (<= (legal ?r off) (true (control ?r)))
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
        (<= (next (control ?s)) (true (control ?r)) (other ?r ?s))
        (<= (next (control a)) (true (n 1100)))
        (<= (next (flag ?r)) (does ?r on)) (<= (next (flag ?r)) (true (flag ?r)) (not (does ?r off)))
        (<= terminal (true (n 1200))) (<= (goal ?r 100) (true (flag ?r))) (<= (goal ?r 0) (true (control ?r))))";
    for (int i = 0; i < 1200; ++i) rules += " (succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
    const gdl::Description description = described(rules);
    const auto circuit = build_circuit(grounded(description));
    EXPECT_EQ(circuit->phases().size(), 2U);
    testing::expect_same_play(circuit, description, 3, 1250, 1);
}

}  // namespace
}  // namespace stratagem::machine
