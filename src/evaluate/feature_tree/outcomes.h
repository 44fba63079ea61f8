// States of random games and what came of them: what features are filtered by, and weights are fitted to.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "analysis/findings.h"
#include "machine/circuit/circuit.h"
#include "machine/stop.h"

namespace stratagem::evaluate::feature_tree {

struct OutcomeSettings {
    std::size_t states = 10'000;  // to keep
    std::size_t of_a_game = 4;    // at most: those of one game tell the same story
    std::uint64_t seed = 1;
};

struct Outcomes {
    struct Game {
        std::vector<machine::State> states;  // some of them, none of which ends the game
        std::vector<int> goals;              // by role; -1 where there is none
    };
    std::vector<Game> games;
    std::size_t states = 0;
};

// `see` hears of every state on the way. Moves are drawn in an order that does not depend on names, if the analysis
// knows one; it may be null. Less where time is up, or games do not end.
Outcomes play_for_outcomes(const std::shared_ptr<const machine::Circuit>& circuit, const analysis::Findings* known,
                           const OutcomeSettings& settings, const machine::Stop& stop,
                           const std::function<void(const machine::State&)>& see);

}  // namespace stratagem::evaluate::feature_tree
