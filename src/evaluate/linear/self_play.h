// Weights learned from nothing, by playing against oneself.
//
// Games in which everybody takes the move whose successor looks best (afterstates) but for some that are made by
// chance; after each game the weights are moved towards what came of its states, by TD(λ) and with a step of its own
// for each weight (temporal coherence, Beal and Smith 1999): a weight that is pushed to and fro moves less and less, so
// that noise gets no weight.
#pragma once

#include <cstdint>
#include <memory>

#include "evaluate/linear/model.h"
#include "machine/circuit/circuit.h"
#include "machine/stop.h"

namespace stratagem::evaluate::linear {

struct SelfPlaySettings {
    double lambda = 0.6;
    double explore = 0.2;  // part of the moves that are made by chance
    double step = 4;       // of the logit, for an error of 1 and new weights
    // Moves by chance at the beginning of every other game, at most: this part of a game's usual length. Two in the
    // others.
    double opening = 0.5;
    std::size_t longest = 300;      // longer games teach nothing
    std::uint64_t most_states = 0;  // to look at; 0: until the stop
    std::uint64_t seed = 1;
};

struct SelfPlayed {
    std::size_t games = 0;     // that came to an end
    std::uint64_t states = 0;  // looked at
    double error = 0;          // mean of the last thousand games: |what came of it − what was expected|
};

class SelfPlay {
  public:
    SelfPlay(const std::shared_ptr<const machine::Circuit>& circuit, const analysis::GameKind& kind,
             std::shared_ptr<const Tuples> tuples, const SelfPlaySettings& settings);
    ~SelfPlay();
    SelfPlay(const SelfPlay&) = delete;
    SelfPlay& operator=(const SelfPlay&) = delete;

    // Goes on from where it stopped, until so many games came to an end in all. Pre: a limit, or a stop that ends it.
    void run(const machine::Stop& stop, std::uint64_t games = UINT64_MAX);
    // No more states may be looked at, or no game comes to an end.
    bool is_over() const;
    const SelfPlayed& played() const { return played_; }
    // With the weights learned so far.
    Model model() const;

  private:
    class Player;

    std::shared_ptr<const Tuples> tuples_;
    Seats seats_;
    SelfPlayed played_;
    std::unique_ptr<Player> player_;
};

}  // namespace stratagem::evaluate::linear
