#include "machine/circuit/gate_graph.h"

#include <gtest/gtest.h>

#include <map>

#include "machine/same_game.h"

namespace stratagem::machine {
namespace {

using ground::Atom;
using ground::Condition;
using ground::Program;

// A program by hand: fluents f0…, one role with moves m0… (each with a legal atom of its own), derived atoms d0….
class Sketch {
  public:
    Sketch(std::uint32_t fluents, std::vector<std::uint32_t> moves_of_roles) {
        for (std::uint32_t i = 0; i < fluents; ++i) program_.fluents.push_back(constant("f", i));
        for (std::uint32_t role = 0; role < moves_of_roles.size(); ++role) {
            program_.roles.push_back(constant("r", role));
            for (std::uint32_t i = 0; i < moves_of_roles[role]; ++i) {
                program_.moves.push_back({ground::Role{role}, constant("m", i)});
            }
        }
        program_.next.assign(fluents, Atom::none);
        for (std::size_t i = 0; i < program_.moves.size(); ++i) {
            program_.legal.push_back(derived());
            program_.add_rule(program_.legal.back(), {});
        }
    }

    Atom fluent(std::uint32_t i) const { return program_.atom(ground::Fluent{i}); }
    Atom move(std::uint32_t i) const { return program_.atom(ground::Move{i}); }
    Atom derived() {
        program_.derived.push_back(constant("d", static_cast<std::uint32_t>(program_.derived.size())));
        return Atom{program_.atom_count() - 1};
    }
    void rule(Atom head, std::vector<Condition> body) { program_.add_rule(head, body); }
    // next(f_i) <- the atom
    Atom next(std::uint32_t i) {
        if (program_.next[i] == Atom::none) program_.next[i] = derived();
        return program_.next[i];
    }
    Program& program() { return program_; }
    GateGraph graph(const GateOptions& options = {}, const Assumption& assumption = {}) const {
        EXPECT_TRUE(program_.is_consistent());
        return {program_, assumption, options, Deadline::never()};
    }

  private:
    gdl::Term constant(const char* letter, std::uint32_t number) {
        return program_.terms.constant(program_.terms.symbols().intern(letter + std::to_string(number)));
    }
    Program program_;
};

Condition yes(Atom atom) { return Condition(atom); }
Condition no(Atom atom) { return !Condition(atom); }

std::size_t gates(const GateGraph& graph) {
    std::size_t count = 0;
    for (const GateNode& node : graph.nodes) count += node.kind == NodeKind::gate ? 1 : 0;
    return count;
}

// The value of a signal under an assignment of the inputs (by atom number), without cycles.
bool value(const GateGraph& graph, Signal signal, const std::vector<bool>& inputs) {
    std::vector<bool> values(graph.nodes.size(), false);
    for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
        if (graph.nodes[node].kind == NodeKind::constant) {
            values[node] = true;
        } else if (graph.nodes[node].kind == NodeKind::gate) {
            bool all = true;
            for (const Signal input : graph.inputs_of(node)) {
                EXPECT_LT(input.node(), node);
                all = all && values[input.node()] != input.negated();
            }
            values[node] = all;
        } else {
            values[node] = inputs[node - 1];
        }
    }
    return values[signal.node()] != signal.negated();
}

TEST(GateGraph, ConstantsVanish) {
    Sketch sketch(3, {1});
    const Atom always_true = sketch.derived();
    const Atom never_true = sketch.derived();
    sketch.rule(always_true, {});
    sketch.rule(sketch.next(0), {yes(always_true), yes(sketch.fluent(1))});
    sketch.rule(sketch.next(1), {no(never_true)});
    sketch.rule(sketch.next(2), {yes(never_true)});
    const GateGraph graph = sketch.graph();
    EXPECT_EQ(graph.outputs.next[0], Signal(2, false));  // fluent 1 itself
    EXPECT_EQ(graph.outputs.next[1], always);
    EXPECT_EQ(graph.outputs.next[2], never);
    EXPECT_EQ(graph.outputs.legal[0], always);
    EXPECT_EQ(graph.outputs.terminal, never);
    EXPECT_EQ(gates(graph), 0U);
}

TEST(GateGraph, ContradictionsAndTautologiesVanish) {
    Sketch sketch(2, {1});
    sketch.rule(sketch.next(0), {yes(sketch.fluent(0)), no(sketch.fluent(0))});
    sketch.rule(sketch.next(1), {yes(sketch.fluent(0))});
    sketch.rule(sketch.next(1), {no(sketch.fluent(0))});
    const GateGraph graph = sketch.graph();
    EXPECT_EQ(graph.outputs.next[0], never);
    EXPECT_EQ(graph.outputs.next[1], always);
}

TEST(GateGraph, EqualGatesAreTheSame) {
    Sketch sketch(4, {1});
    sketch.rule(sketch.next(0), {yes(sketch.fluent(2)), no(sketch.fluent(3))});
    sketch.rule(sketch.next(1), {no(sketch.fluent(3)), yes(sketch.fluent(2)), yes(sketch.fluent(2))});
    // not (f2 and not f3), said as a disjunction: the same gate, negated
    sketch.rule(sketch.next(2), {no(sketch.fluent(2))});
    sketch.rule(sketch.next(2), {yes(sketch.fluent(3))});
    const GateGraph graph = sketch.graph();
    EXPECT_EQ(graph.outputs.next[0], graph.outputs.next[1]);
    EXPECT_EQ(graph.outputs.next[2], !graph.outputs.next[0]);
    EXPECT_EQ(gates(graph), 1U);
}

TEST(GateGraph, CommonConditionsAreFactored) {
    Sketch sketch(4, {1});
    for (const std::uint32_t other : {1U, 2U, 3U}) {
        sketch.rule(sketch.next(0), {yes(sketch.fluent(0)), yes(sketch.fluent(other))});
    }
    const GateGraph factored = sketch.graph();
    EXPECT_EQ(gates(factored), 2U);  // f0 and (f1 or f2 or f3)
    GateOptions options;
    options.factor_state = false;
    const GateGraph plain = sketch.graph(options);
    EXPECT_EQ(gates(plain), 4U);
    for (std::uint32_t bits = 0; bits < 32; ++bits) {
        const std::vector<bool> inputs = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0,
                                          (bits & 16) != 0};
        const bool expected = inputs[0] && (inputs[1] || inputs[2] || inputs[3]);
        EXPECT_EQ(value(factored, factored.outputs.next[0], inputs), expected);
        EXPECT_EQ(value(plain, plain.outputs.next[0], inputs), expected);
    }
}

TEST(GateGraph, MostMovesAreSaidByTheOthers) {
    // A cell stays if any of nine moves out of ten is made: that is, if the tenth is not.
    Sketch sketch(2, {10});
    for (std::uint32_t move = 0; move < 9; ++move) {
        sketch.rule(sketch.next(0), {yes(sketch.fluent(0)), yes(sketch.move(move))});
    }
    // Three of ten stay as they are.
    for (std::uint32_t move = 0; move < 3; ++move) sketch.rule(sketch.next(1), {yes(sketch.move(move))});
    const GateGraph graph = sketch.graph();
    const Signal next = graph.outputs.next[0];
    ASSERT_EQ(graph.nodes[next.node()].kind, NodeKind::gate);
    EXPECT_EQ(graph.inputs_of(next.node()).size(), 2U);
    EXPECT_EQ(graph.inputs_of(graph.outputs.next[1].node()).size(), 3U);
    for (std::uint32_t made = 0; made < 10; ++made) {
        std::vector<bool> inputs(12, false);
        inputs[2 + made] = true;
        for (const bool holds : {false, true}) {
            inputs[0] = holds;
            EXPECT_EQ(value(graph, next, inputs), holds && made < 9);
            EXPECT_EQ(value(graph, graph.outputs.next[1], inputs), made < 3);
        }
    }
}

TEST(GateGraph, AllMovesOfARoleAreAlways) {
    Sketch sketch(1, {3, 2});
    for (std::uint32_t move = 0; move < 3; ++move) sketch.rule(sketch.next(0), {yes(sketch.move(move))});
    EXPECT_EQ(sketch.graph().outputs.next[0], always);
}

TEST(GateGraph, MoveSetsOfSeveralRolesAreTakenRoleByRole) {
    Sketch sketch(2, {4, 4});
    const Atom touched = sketch.derived();
    // Three of the first role's four, one of the second's; also nested in another set.
    for (const std::uint32_t move : {0U, 1U, 2U, 5U}) sketch.rule(touched, {yes(sketch.move(move))});
    sketch.rule(sketch.next(0), {yes(sketch.fluent(0)), no(touched)});
    sketch.rule(sketch.next(1), {yes(touched)});
    sketch.rule(sketch.next(1), {yes(sketch.move(6))});
    const GateGraph graph = sketch.graph();
    for (std::uint32_t first = 0; first < 4; ++first) {
        for (std::uint32_t second = 4; second < 8; ++second) {
            std::vector<bool> inputs(10, false);
            inputs[0] = true;
            inputs[2 + first] = inputs[2 + second] = true;
            const bool is_touched = first < 3 || second == 5;
            EXPECT_EQ(value(graph, graph.outputs.next[0], inputs), !is_touched) << first << " " << second;
            EXPECT_EQ(value(graph, graph.outputs.next[1], inputs), is_touched || second == 6) << first << " " << second;
        }
    }
}

TEST(GateGraph, AnAssumptionFixesFluentsAndMoves) {
    // Move 0 is legal only if fluent 0 holds, move 1 only if it does not.
    Sketch sketch(3, {0});
    Program& program = sketch.program();
    for (std::uint32_t i = 0; i < 2; ++i) {
        program.moves.push_back({ground::Role{0}, program.fluents[i]});
        program.legal.push_back(Atom::none);
    }
    for (std::uint32_t i = 0; i < 2; ++i) program.legal[i] = sketch.derived();
    sketch.rule(program.legal[0], {yes(sketch.fluent(0))});
    sketch.rule(program.legal[1], {no(sketch.fluent(0))});
    sketch.rule(sketch.next(1), {yes(sketch.move(0)), yes(sketch.fluent(2))});
    sketch.rule(sketch.next(2), {yes(sketch.move(1))});
    const GateGraph graph = sketch.graph({}, {.holds = {ground::Fluent{0}}, .fails = {}});
    EXPECT_EQ(graph.outputs.legal[0], always);
    EXPECT_EQ(graph.outputs.legal[1], never);
    EXPECT_EQ(graph.outputs.next[1], Signal(3, false));  // the only move is made, so fluent 2 decides
    EXPECT_EQ(graph.outputs.next[2], never);
    EXPECT_EQ(gates(graph), 0U);
}

TEST(GateGraph, RecursionGivesLoopNodes) {
    Sketch sketch(2, {1});
    const Atom a = sketch.derived();
    const Atom b = sketch.derived();
    sketch.rule(a, {yes(b)});
    sketch.rule(a, {yes(sketch.fluent(0))});
    sketch.rule(b, {yes(a), yes(sketch.fluent(1))});
    sketch.rule(sketch.next(0), {yes(b)});
    const GateGraph graph = sketch.graph();
    ASSERT_EQ(graph.loop_nodes.size(), 2U);
    EXPECT_EQ(graph.loop_definitions.size(), 2U);
    for (const std::uint32_t node : graph.loop_nodes) {
        EXPECT_EQ(graph.nodes[node].kind, NodeKind::loop);
        EXPECT_EQ(graph.nodes[node].number, graph.nodes[graph.loop_nodes[0]].number);
    }
}

TEST(GateGraph, ADeadlineInThePastThrows) {
    Sketch sketch(1, {1});
    sketch.rule(sketch.next(0), {yes(sketch.fluent(0))});
    EXPECT_THROW(GateGraph(sketch.program(), {}, {}, Deadline(Deadline::Clock::now() - std::chrono::seconds(1))),
                 std::runtime_error);
}

// Random programs without recursion: gates say what the rules say, whenever each role makes exactly one move.
TEST(GateGraph, AgreesWithTheRules) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        Sketch sketch(4, {5, 3});
        std::vector<Atom> atoms;
        for (std::uint32_t i = 0; i < 4; ++i) atoms.push_back(sketch.fluent(i));
        for (std::uint32_t i = 0; i < 8; ++i) atoms.push_back(sketch.move(i));
        std::vector<Atom> heads;
        for (std::uint32_t i = 0; i < 10; ++i) {
            const Atom head = i < 6 ? sketch.derived() : sketch.next(i - 6);
            for (std::uint32_t r = 0; r <= random.below(7); ++r) {
                std::vector<Condition> body;
                for (std::uint32_t k = 0; k <= random.below(3); ++k) {
                    const Condition condition(atoms[random.below(static_cast<std::uint32_t>(atoms.size()))]);
                    body.push_back(condition ^ (random.below(4) == 0));
                }
                sketch.rule(head, body);
            }
            atoms.push_back(head);
            heads.push_back(head);
        }
        const Program& program = sketch.program();
        for (const bool factored : {true, false}) {
            const GateGraph graph = sketch.graph({.factor_state = factored});
            for (int sample = 0; sample < 20; ++sample) {
                std::vector<bool> holds(program.atom_count(), false);
                for (std::uint32_t i = 0; i < 4; ++i) holds[i] = random.below(2) == 0;
                holds[4 + random.below(5)] = true;
                holds[9 + random.below(3)] = true;
                // Rules stand in an order in which what they use comes first.
                for (std::size_t rule = 0; rule < program.rule_count(); ++rule) {
                    const auto body = program.body(rule);
                    if (std::ranges::all_of(
                            body, [&](Condition c) { return holds[ground::index(c.atom())] == c.positive(); })) {
                        holds[ground::index(program.head(rule))] = true;
                    }
                }
                for (std::uint32_t i = 0; i < 4; ++i) {
                    ASSERT_EQ(value(graph, graph.outputs.next[i], holds), holds[ground::index(program.next[i])])
                        << "seed " << seed << " fluent " << i << "\n"
                        << program.to_text();
                }
            }
        }
    }
}

}  // namespace
}  // namespace stratagem::machine
