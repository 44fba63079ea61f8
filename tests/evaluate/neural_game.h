// A game with its neural evaluator, for tests.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "evaluate/neural/neural_evaluator.h"
#include "machine/circuit/circuit.h"
#include "machine/make_machine.h"
#include "machine/same_game.h"

namespace stratagem::evaluate::neural::testing {

using machine::Role;
using machine::State;
using Transformation = TransformationSettings::Kind;

inline Settings settings_for(Transformation kind) {
    Settings settings;
    settings.transformation.kind = kind;
    return settings;
}

struct NeuralGame {
    // `seconds` for the analysis: without, there are no features.
    explicit NeuralGame(gdl::Description rules, const Settings& settings = {}, double seconds = 0)
        : description(std::move(rules)), factory(description) {
        if (factory.circuit() == nullptr) return;
        machine = factory.make();
        if (seconds > 0) {
            analysis::AnalysisOptions options;
            options.sample_states = 1000;
            options.stop.deadline = Deadline::after(std::chrono::duration<double>(seconds));
            std::optional<analysis::Analysis> found = analysis::analyze(description, factory, options);
            if (found) known = std::make_shared<const analysis::Analysis>(std::move(*found));
        }
        set(settings);
    }

    void set(const Settings& settings) {
        evaluator.emplace(factory.circuit()->shared_program(), known, settings, machine::Stop{}, factory.circuit());
    }

    // A state by its fluents.
    State state(const std::vector<std::string>& fluents) const {
        State result(factory.circuit()->program().fluents.size());
        for (const std::string& name : fluents) {
            const std::optional<machine::Fluent> fluent = machine->find_fluent(name);
            EXPECT_TRUE(fluent) << name;
            if (fluent) result.insert(*fluent);
        }
        return result;
    }
    double value(const State& of, std::uint32_t role = 0) const { return evaluator->value(of, Role{role}); }
    // One random joint move further, or the beginning if there is none.
    void advance(State& at, machine::Random& random) const {
        std::vector<machine::Move> legal, joint;
        for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
            machine->legal(at, Role{role}, legal);
            if (!legal.empty()) joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        }
        State next = machine->initial();
        if (!machine->terminal(at) && joint.size() == machine->role_count()) machine->next(at, joint, next);
        at = std::move(next);
    }
    // What the network says of the goal of this value.
    double answer(const State& of, int goal, std::uint32_t role = 0) const {
        Work work(*evaluator);
        work.move_to(of);
        for (const DomainTheory::Goal& one : evaluator->goals().theory().goals()) {
            if (one.role == Role{role} && one.value == goal)
                return evaluator->goals().answer(work.goals(), one.condition);
        }
        ADD_FAILURE() << "no goal " << goal;
        return 0;
    }

    gdl::Description description;
    machine::MachineFactory factory;
    std::shared_ptr<const analysis::Analysis> known;
    std::unique_ptr<machine::Machine> machine;
    std::optional<NeuralEvaluator> evaluator;
};

// Four switches, all of which have to be on.
inline const std::string switches = R"(
    (role player) (switch 1) (switch 2) (switch 3) (switch 4)
    (init (on 1))
    (<= (legal player (press ?s)) (switch ?s))
    (<= (next (on ?s)) (does player (press ?s)))
    (<= (next (on ?s)) (true (on ?s)))
    (<= all (true (on 1)) (true (on 2)) (true (on 3)) (true (on 4)))
    (<= terminal all)
    (<= (goal player 100) all)
    (<= (goal player 0) (not all))
)";

}  // namespace stratagem::evaluate::neural::testing
