// A game with what evaluators are made of, for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "machine/circuit/circuit.h"
#include "machine/game.h"
#include "machine/same_game.h"

namespace stratagem::evaluate::testing {

struct GroundGame {
    // `seconds` for the analysis: none without.
    GroundGame(gdl::Description rules, double seconds) : description(std::move(rules)), prepared(description) {
        if (prepared.circuit() == nullptr) return;
        machine = prepared.make();
        if (seconds <= 0) return;
        analysis::AnalysisOptions options;
        options.sample_states = 1000;
        options.stop.deadline = Deadline::after(std::chrono::duration<double>(seconds));
        std::optional<analysis::Findings> found = analysis::analyze(prepared, options);
        if (found) known = std::make_shared<const analysis::Findings>(std::move(*found));
    }

    // A state by its fluents.
    machine::State state(const std::vector<std::string>& fluents) const {
        machine::State result(prepared.circuit()->program().fluents.size());
        for (const std::string& name : fluents) {
            const std::optional<machine::Fluent> fluent = machine->find_fluent(name);
            EXPECT_TRUE(fluent) << name;
            if (fluent) result.insert(*fluent);
        }
        return result;
    }

    gdl::Description description;
    machine::GdlGame prepared;
    std::unique_ptr<machine::Machine> machine;
    std::shared_ptr<const analysis::Findings> known;
};

}  // namespace stratagem::evaluate::testing
