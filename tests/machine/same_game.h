// Whether a ground program, in every way of building a circuit from it, plays the game that the interpreter plays.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ground/ground.h"
#include "machine/check_machine.h"
#include "machine/circuit/build_circuit.h"
#include "machine/circuit/circuit_machine.h"
#include "machine/interpreter_machine.h"
#include "machine/machine_games.h"
#include "machine/random.h"

namespace stratagem::machine::testing {

inline std::shared_ptr<const ground::Program> grounded(const gdl::Description& description,
                                                       const ground::GroundLimits& limits = {}) {
    ground::GroundResult result = ground::ground(description, limits);
    EXPECT_TRUE(result.program) << result.failure;
    if (!result.program) return nullptr;
    EXPECT_TRUE(result.program->is_consistent());
    return std::make_shared<const ground::Program>(std::move(*result.program));
}

// Random games in which every answer is compared with the interpreter's and the counters are audited; goals are asked
// in every state. Failures name the question.
inline void expect_same_play(const std::shared_ptr<const Circuit>& circuit, const gdl::Description& description,
                             std::uint64_t seed, std::size_t steps, std::size_t games = 2) {
    auto owned = std::make_unique<CircuitMachine>(circuit);
    const CircuitMachine& tested = *owned;
    try {
        CheckMachine machine(std::move(owned), std::make_unique<InterpreterMachine>(description));
        Random random(seed);
        std::vector<Move> legal;
        for (std::size_t game = 0; game < games; ++game) {
            State state = machine.initial();
            for (std::size_t step = 0; step <= steps; ++step) {
                const bool terminal = machine.terminal(state);
                ASSERT_TRUE(tested.is_consistent());
                std::vector<Move> joint;
                for (std::uint32_t role = 0; role < machine.role_count(); ++role) {
                    machine.goal(state, Role{role});
                    machine.legal(state, Role{role}, legal);
                    if (!legal.empty()) joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
                }
                if (terminal || joint.size() < machine.role_count()) break;
                State next;
                machine.next(state, joint, next);
                ASSERT_TRUE(tested.is_consistent());
                state = std::move(next);
            }
        }
    } catch (const MachineMismatch& mismatch) {
        FAIL() << mismatch.what();
    }
}

// Every way of building gates.
inline std::vector<GateOptions> all_gate_options() {
    std::vector<GateOptions> all;
    for (const bool factored : {true, false}) {
        for (const bool flat : {true, false}) all.push_back({.factor_state = factored, .flatten_shared = flat});
    }
    return all;
}

// The whole circuit in all its variants, and what build_circuit makes of it.
inline void expect_same_game(const std::shared_ptr<const ground::Program>& program, const gdl::Description& description,
                             std::uint64_t seed, std::size_t steps, std::size_t games = 2) {
    ASSERT_TRUE(program);
    for (const GateOptions& options : all_gate_options()) {
        SCOPED_TRACE(fmt::format("factor_state {} flatten_shared {}", options.factor_state, options.flatten_shared));
        const auto circuit = std::make_shared<const Circuit>(program, Deadline::never(), Assumption{}, options);
        ASSERT_TRUE(circuit->is_consistent());
        expect_same_play(circuit, description, seed, steps, games);
    }
    SCOPED_TRACE("build_circuit");
    const std::shared_ptr<const Circuit> best = build_circuit(program);
    ASSERT_TRUE(best->is_consistent());
    for (const Circuit::Phase& phase : best->phases()) ASSERT_TRUE(phase.circuit->is_consistent());
    expect_same_play(best, description, seed, steps, games);
}

inline void expect_same_game(const gdl::Description& description, std::uint64_t seed, std::size_t steps,
                             std::size_t games = 2) {
    expect_same_game(grounded(description), description, seed, steps, games);
}

inline void expect_same_game(const std::string& rules, std::uint64_t seed, std::size_t steps, std::size_t games = 2) {
    expect_same_game(described(rules), seed, steps, games);
}

}  // namespace stratagem::machine::testing
