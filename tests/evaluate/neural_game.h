// A game with its neural evaluator, for tests.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "evaluate/ground_game.h"
#include "evaluate/neural/neural_evaluator.h"
#include "test_size.h"

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
        if (prepared.circuit() != nullptr) set(settings);
    }

    void set(const Settings& settings) {
        evaluator.emplace(prepared.circuit()->shared_program(), known, settings, machine::Stop{}, prepared.circuit());
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

// The truth of every condition, worked out without networks.
inline std::vector<bool> truth_of(const GradedTheory& goals, const State& state) {
    const DomainTheory& theory = goals.theory();
    LeastModel::Memory memory = goals.recursion().make_memory();
    goals.recursion().settle(state, memory);
    std::vector<bool> truth(theory.size(), false);
    std::size_t recursive = 0;
    for (std::uint32_t i = 0; i < theory.size(); ++i) {
        const DomainTheory::Node& node = theory.node(i);
        if (node.kind == DomainTheory::Kind::fluent) truth[i] = state.holds(Fluent{ground::index(node.atom)});
        if (node.kind == DomainTheory::Kind::recursive) truth[i] = goals.recursion().holds(memory, recursive++);
    }
    theory.settle(truth);
    return truth;
}

// Networks of a game by each transformation, without features, until a check fails.
template <typename Check>
void for_each_transformation(NeuralGame& game, Check&& check) {
    for (const Transformation kind : {Transformation::cilp, Transformation::local, Transformation::soft}) {
        SCOPED_TRACE(static_cast<int>(kind));
        game.set(settings_for(kind));
        check();
        if (::testing::Test::HasFatalFailure()) return;
    }
}

template <typename Check>
void for_each_bundled_game(Check&& check) {
    for (const std::filesystem::path& path : gdl::testing::bundled_files()) {
        SCOPED_TRACE(path.stem().string());
        NeuralGame game(machine::testing::described_file(path));
        if (game.evaluator) for_each_transformation(game, [&] { check(game); });
        if (::testing::Test::HasFatalFailure()) return;
    }
}

// Every fortieth game of the collection beside the project, from the first on; all of them in the full tests.
template <typename Check>
void for_each_shared_game(std::size_t first, Check&& check) {
    const std::vector<std::filesystem::path> files = gdl::testing::shared_files();
    if (files.empty()) GTEST_SKIP() << "no ../shared/games beside the project";
    for (std::size_t i = full_tests() ? 0 : first; i < files.size(); i += every(40)) {
        SCOPED_TRACE(files[i].stem().string());
        gdl::ReadResult read = gdl::read_and_check(files[i].filename().string(), gdl::testing::content_of(files[i]));
        if (!read.ok()) continue;
        NeuralGame game(std::move(read.description));
        if (game.evaluator) for_each_transformation(game, [&] { check(game); });
        if (::testing::Test::HasFatalFailure()) return;
    }
}

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
