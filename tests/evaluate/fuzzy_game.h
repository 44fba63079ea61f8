// A game with its fuzzy evaluator, for tests.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "evaluate/fuzzy/fuzzy_evaluator.h"
#include "machine/circuit/circuit.h"
#include "machine/make_machine.h"
#include "machine/same_game.h"

namespace stratagem::evaluate::fuzzy::testing {

using machine::Role;
using machine::State;

struct FuzzyGame {
    // `seconds` for the analysis: without, there are no structures.
    explicit FuzzyGame(gdl::Description rules, double seconds = 120, const Settings& settings = {})
        : description(std::move(rules)), factory(description) {
        if (factory.circuit() == nullptr) return;
        std::shared_ptr<const analysis::Analysis> known;
        if (seconds > 0) {
            analysis::AnalysisOptions options;
            options.sample_states = 1000;
            options.stop.deadline = Deadline::after(std::chrono::duration<double>(seconds));
            std::optional<analysis::Analysis> found = analysis::analyze(description, factory, options);
            if (found) known = std::make_shared<const analysis::Analysis>(std::move(*found));
        }
        evaluator.emplace(factory.circuit()->shared_program(), known, settings);
        machine = factory.make();
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

    gdl::Description description;
    machine::MachineFactory factory;
    std::optional<FuzzyEvaluator> evaluator;
    std::unique_ptr<machine::Machine> machine;
};

}  // namespace stratagem::evaluate::fuzzy::testing
