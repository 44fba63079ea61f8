// Whether two recipes would play a game alike: then matches between them show chance, and need not be played.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "analysis/analysis.h"
#include "machine/game.h"
#include "player/recipe.h"

namespace stratagem::lab {

struct AlikeSearch {
    double seconds = 5;  // for analysis and evaluators, and again for comparing them
    std::uint64_t seed = 1;
    const std::atomic<bool>* abort = nullptr;
    std::size_t states = 1000;  // of random games, in which values are compared
};

// Recipes in one game, which is analysed once, however many pairs of them are compared: what was found is kept as long
// as this is, and shared with all who ask meanwhile.
class PlayComparison {
  public:
    PlayComparison(std::shared_ptr<const machine::Game> game, const AlikeSearch& search);

    // The time begins anew for each pair.
    bool play_alike(const player::Recipe& first, const player::Recipe& second);
    const std::shared_ptr<const machine::Game>& game() const { return game_; }
    // Null until there was a pair with evaluators.
    const std::shared_ptr<const analysis::Analysis>& analysis() const { return analysis_; }

  private:
    std::shared_ptr<const machine::Game> game_;
    AlikeSearch search_;
    std::shared_ptr<const analysis::Analysis> analysis_;
};

// The same searches, and evaluators of one kind that give every role the same value, to the last bit, in so many
// states. Too little evidence is no: an evaluator that could not be made in time, or no time for all the states.
bool play_alike(const std::shared_ptr<const machine::Game>& game, const player::Recipe& first,
                const player::Recipe& second, const AlikeSearch& search);

}  // namespace stratagem::lab
