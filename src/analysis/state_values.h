// What follows from a state by the ground rules alone, atom by atom; nothing that depends on moves.
#pragma once

#include <vector>

#include "analysis/frame.h"
#include "machine/state.h"

namespace stratagem::analysis {

class StateValues {
  public:
    explicit StateValues(const RuleIndex& index);

    // By atom: whether it depends on what the players do.
    const std::vector<bool>& by_moves() const { return by_moves_; }
    // Atoms that do not, each after those it depends on (recursive ones side by side).
    const std::vector<Atom>& order() const { return order_; }
    // By atom, for those in order() and for fluents. Valid until the next call.
    const std::vector<bool>& of(const machine::State& state);

  private:
    bool holds(std::uint32_t rule) const;

    const RuleIndex& index_;
    std::vector<bool> by_moves_;
    std::vector<Atom> order_;
    std::vector<std::size_t> ends_;  // in order_: where each component ends
    std::vector<bool> values_;
};

}  // namespace stratagem::analysis
