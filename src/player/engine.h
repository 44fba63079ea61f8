// A recipe bound to a game: facts observed, search chosen and made, in order of value and within the time there is.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "machine/game.h"
#include "machine/stop.h"
#include "player/recipe.h"
#include "search/registry.h"

namespace stratagem::player {

// One readable line for each event.
using Log = std::function<void(std::string_view)>;

struct EngineSettings {
    search::SearchSettings search;  // what the recipe says goes before
    double facts_seconds = 1;       // for observing random games
    double evaluator_seconds = 5;   // for knowing the game and judging states, if the recipe wants that
    double solve_seconds = 5;       // for solving, if the recipe wants that
    // Set: moves will be searched with so many nodes each, and everything must be the same in every run. Then the
    // seconds above say nothing: what is prepared is bounded by counts.
    std::optional<std::uint64_t> nodes = {};
    machine::Role role{0};                     // for whom
    const std::atomic<bool>* abort = nullptr;  // ends observing and solving early
    Log log = {};                              // called from the thread that makes the engine
};

// The search and all it rests on.
struct Engine {
    search::Problem problem;
    std::string search_name;
    bool solved = false;                     // all states of the game have been worked out
    std::unique_ptr<search::Search> search;  // last, so that it goes first
};

// Throws what making machines and searches may throw.
std::unique_ptr<Engine> make_engine(const Recipe& recipe, std::shared_ptr<const machine::Game> game,
                                    const EngineSettings& settings);

}  // namespace stratagem::player
