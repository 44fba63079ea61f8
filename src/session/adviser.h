// A recipe that can be asked for a move in any state of a game, in any order.
//
// Made of player/engine.h, not of a Player: a Player follows one match under a manager's clock and cannot be set back,
// while a person undoes moves and asks for hints. A search answers for any state it is given, so undoing is asking
// about an earlier one. What a Player adds, being never late, matters to managers and not to somebody who waits.
#pragma once

#include <memory>
#include <string>

#include "player/engine.h"
#include "util/contract.h"

namespace stratagem::session {

struct AdviserSettings {
    std::uint64_t seed = 1;
    std::size_t threads = 1;
    std::size_t table_megabytes = 128;
    double facts_seconds = 0.3;
    double evaluator_seconds = 2;
    double solve_seconds = 2;
};

class Adviser {
  public:
    // Throws OptionError for a recipe there is not. Nothing is prepared before prepare() or the first choose().
    Adviser(const std::string& recipe, std::shared_ptr<const machine::Game> game, machine::Role role,
            const AdviserSettings& settings);

    const std::string& recipe() const { return recipe_.text(); }
    bool prepared() const { return engine_ != nullptr; }
    // Observes the game and makes the search, unless that is done. The flag ends it early. Throws what engines throw.
    void prepare(const std::atomic<bool>* abort = nullptr);
    // Without a move where the role has none. Pre: not terminal (searches check it).
    search::Choice choose(const machine::State& state, const search::Budget& budget);
    // Pre: prepared.
    const player::Engine& engine() const {
        STRATAGEM_EXPECTS(prepared());
        return *engine_;
    }

  private:
    player::Recipe recipe_;
    std::shared_ptr<const machine::Game> game_;
    machine::Role role_;
    AdviserSettings settings_;
    std::unique_ptr<player::Engine> engine_;
};

}  // namespace stratagem::session
