// How often fluents hold at the end, seen from states in which they hold and from those in which they do not: observed
// in random games, in the place of one constant for all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/neutral_order.h"
#include "machine/circuit/circuit.h"
#include "machine/stop.h"

namespace stratagem::evaluate::feature {

class Likelihood {
  public:
    // The order, in which moves are drawn, may be null.
    Likelihood(const std::shared_ptr<const machine::Circuit>& circuit, const analysis::NeutralOrder* order,
               const machine::Stop& stop);

    // In (0, 1): that it holds at the end. 1/2 of what was never seen.
    double at_end(ground::Fluent fluent, bool holds_now) const {
        return holds_now ? kept_[ground::index(fluent)] : gained_[ground::index(fluent)];
    }
    std::size_t games() const { return games_; }

  private:
    std::vector<double> kept_;    // by fluent: where it holds
    std::vector<double> gained_;  // by fluent: where it does not
    std::size_t games_ = 0;       // that came to their end
};

}  // namespace stratagem::evaluate::feature
