// A game with its neural evaluator, for tests.
#pragma once

#include <optional>

#include "evaluate/ground_game.h"
#include "evaluate/neural/neural_evaluator.h"

namespace stratagem::evaluate::neural::testing {

using machine::Role;
using machine::State;
using Transformation = TransformationSettings::Kind;

inline Settings settings_for(Transformation kind) {
    Settings settings;
    settings.transformation.kind = kind;
    return settings;
}

struct NeuralGame : evaluate::testing::GroundGame {
    // `seconds` for the analysis: without, there are no features.
    explicit NeuralGame(gdl::Description rules, const Settings& settings = {}, double seconds = 0)
        : GroundGame(std::move(rules), seconds) {
        if (factory.circuit() != nullptr) set(settings);
    }

    void set(const Settings& settings) {
        evaluator.emplace(factory.circuit()->shared_program(), known, settings, machine::Stop{}, factory.circuit());
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
