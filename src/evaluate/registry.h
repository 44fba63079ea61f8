// The evaluators there are, under the names people choose them by, with their options. Adding one touches its own
// folder and the table in registry.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/analysis.h"
#include "evaluate/evaluator.h"
#include "machine/game.h"
#include "util/options.h"

namespace stratagem::evaluate {

// What evaluators are made of. Nothing of it needs to outlive the making, but for what is shared.
struct Material {
    std::shared_ptr<const machine::Game> game;
    std::shared_ptr<const analysis::Findings> analysis;  // null where the rules cannot be grounded
    std::shared_ptr<const analysis::Analysis> asked;     // who found that: kept for whoever asks while this is held
    machine::Stop stop;                                  // leave out what is not finished by then
    std::function<void(const std::string&)> log;         // may be empty

    void say(const std::string& line) const {
        if (log) log(line);
    }
};

// With what can be known of the game in half the time there is; the other half is for making an evaluator. It is asked
// of the analysis that all players of the game share, whose game is then that of the material as well. Without seconds
// no clock decides how much is known, only counts do: the same in every run, and slow for large games.
Material make_material(const std::shared_ptr<const machine::Game>& game, std::optional<double> seconds,
                       const std::atomic<bool>* abort, std::uint64_t seed);

struct EvaluatorEntry {
    std::string_view name;
    std::string_view about;
    std::span<const Option> options;
    // Null where the evaluator cannot be made for this game; the log says why.
    std::shared_ptr<const Evaluator> (*make)(const Material&, const OptionValues&);
    // Throws OptionError for values that cannot work together, as `make` would: to hear of them before any game is
    // there. Null where all can.
    void (*check)(const OptionValues&) = nullptr;
    // What it makes is Evaluator::is_constant(), for every game.
    bool is_constant = false;
    // Its values come from games it played: with the rules written otherwise, chance draws other games.
    bool learns = false;
};

std::span<const EvaluatorEntry> evaluator_table();
const EvaluatorEntry* find_evaluator(std::string_view name);

}  // namespace stratagem::evaluate
