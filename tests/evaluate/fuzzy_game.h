// A game with its fuzzy evaluator, for tests.
#pragma once

#include <optional>

#include "evaluate/fuzzy/fuzzy_evaluator.h"
#include "evaluate/ground_game.h"

namespace stratagem::evaluate::fuzzy::testing {

using machine::Role;
using machine::State;

struct FuzzyGame : evaluate::testing::GroundGame {
    // `seconds` for the analysis: without, there are no structures.
    explicit FuzzyGame(gdl::Description rules, double seconds = 120, const Settings& settings = {})
        : GroundGame(std::move(rules), seconds) {
        if (prepared.circuit() != nullptr) evaluator.emplace(prepared.circuit()->shared_program(), known, settings);
    }

    double value(const State& of, std::uint32_t role = 0) const { return evaluator->value(of, Role{role}); }

    std::optional<FuzzyEvaluator> evaluator;
};

}  // namespace stratagem::evaluate::fuzzy::testing
