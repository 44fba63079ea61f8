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
#include "machine/random.h"
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

    // A random game: its states, `most` of them at most, with the end if it comes so soon.
    std::vector<machine::State> walk(std::uint64_t seed, std::size_t most) const {
        machine::Random random(seed);
        std::vector<machine::State> states{machine->initial()};
        while (!machine->terminal(states.back()) && states.size() < most) {
            std::vector<machine::Move> joint;
            for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
                std::vector<machine::Move> moves;
                machine->legal(states.back(), machine::Role{role}, moves);
                joint.push_back(moves.at(random.below(static_cast<std::uint32_t>(moves.size()))));
            }
            machine::State next;
            machine->next(states.back(), joint, next);
            states.push_back(std::move(next));
        }
        return states;
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
