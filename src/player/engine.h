// A recipe bound to a game: facts observed, search chosen and made, in order of value and within the time there is.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/game.h"
#include "machine/stop.h"
#include "player/recipe.h"
#include "player/start_clock.h"
#include "search/registry.h"

namespace stratagem::player {

// One readable line for each event.
using Log = std::function<void(std::string_view)>;

// Of what is left of the start clock when each begins.
struct StartShares {
    Share facts{0.1, 0.02, 2};  // for observing random games
    Share evaluator{0.5, 0.1};  // for knowing the game and judging states, if the recipe wants that
    Share solving{0.5, 0};      // if the recipe wants that
};

struct EngineSettings {
    search::SearchSettings search;  // what the recipe says goes before
    // What preparing draws from; null: a clock of its own, of so many seconds.
    StartClock* clock = nullptr;
    double start_seconds = 10;
    StartShares shares;
    // Set: moves will be searched with so many nodes each, and everything must be the same in every run. Then no clock
    // decides anything: what is prepared is bounded by counts.
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
    std::vector<StageUse> preparation;       // of the start clock, by stage
    std::unique_ptr<search::Search> search;  // last, so that it goes first
};

// The last line of the log is the journal of the start clock. Throws what making machines and searches may throw.
std::unique_ptr<Engine> make_engine(const Recipe& recipe, std::shared_ptr<const machine::Game> game,
                                    const EngineSettings& settings);

}  // namespace stratagem::player
