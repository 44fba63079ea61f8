// Step counters that do nothing but end the game, so that equal positions after different numbers of steps can share
// what was found out about them.
//
// A counter is a chain of fluents f0, f1, …, fn of which one holds at a time: next(f[i+1]) has the one rule "true
// f[i]", nothing else depends on them but terminal, which has the rule "true fn" and no other with a fluent of the
// chain. A state's value does not depend on how far the counter is, except through states in which it has run out. So
// the hash may leave the counter out (Table keys), provided that what is stored rests on no state in which the counter
// had run out, and is used only where it will not run out that soon: that is what Result::height and remaining() are
// for.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/game.h"
#include "machine/state.h"

namespace stratagem::search {

class StepCounter {
  public:
    // No counter.
    StepCounter() = default;
    // The longest counter in the ground rules; none where there are none.
    static StepCounter find(const machine::Game& game);

    bool exists() const { return !chain_.empty(); }
    const std::vector<machine::Fluent>& chain() const { return chain_; }
    // Moves until the counter ends the game; a large number without one.
    std::uint32_t remaining(const machine::State& state) const;
    // The hash of the state without the counter.
    std::uint64_t masked_hash(const machine::State& state) const {
        return chain_.empty() ? state.hash() : without_counter(state);
    }

  private:
    std::uint64_t without_counter(const machine::State& state) const;

    std::vector<machine::Fluent> chain_;
};

}  // namespace stratagem::search
