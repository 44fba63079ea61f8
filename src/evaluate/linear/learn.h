// Everything a linear evaluation is made of, from what is known of a game.
#pragma once

#include <memory>

#include "analysis/analysis.h"
#include "evaluate/linear/self_play.h"
#include "util/options.h"

namespace stratagem::evaluate::linear {

struct LearnSettings {
    bool patterns = true;                  // of several cells
    bool symmetries = true;                // what is alike has the same weight
    std::size_t most_weights = 4'000'000;  // of patterns, for all players and whoever's turn it is
    PatternLimits limits;
    SelfPlaySettings play;
};

// By the options of the evaluator.
LearnSettings settings_of(const OptionValues& values);

// Null where the game has no circuit to learn from. The kind of game, and symmetries that are not known, are asked of
// `asked` if there is one, each for a tenth of the time there is.
std::unique_ptr<SelfPlay> prepare_learning(const machine::Game& game, const analysis::Findings& known,
                                           const analysis::Analysis* asked, const LearnSettings& settings,
                                           const machine::Stop& stop);

}  // namespace stratagem::evaluate::linear
