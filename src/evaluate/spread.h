// Values spread out, so that a search that rounds them still sees which one is greater.
//
// Searches keep values to about 3·10⁻⁵ of a point, and some evaluators tell states apart by 10⁻¹² of one. To alpha-beta
// only the order matters. So values are mapped by a function that rises everywhere and rises most where values of
// random games lie close together: linear between knots, which are the ranks of a sample. Goal values stay where they
// are, since opinions are compared with those.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "evaluate/evaluator.h"
#include "machine/circuit/circuit.h"
#include "machine/stop.h"

namespace stratagem::evaluate {

// Strictly rising on [0, 100], which it maps onto itself.
class Spread {
  public:
    // `fixed`: values that stay. Ascending, from 0 to 100. Pre: sample in [0, 100].
    Spread(std::vector<double> sample, std::span<const double> fixed);

    double operator()(double value) const;

  private:
    struct Knot {
        double from = 0;
        double to = 0;
    };
    std::vector<Knot> knots_;
};

// The evaluator itself where rounding to `step` would lose hardly anything; otherwise one that gives its values spread
// out. Looks at states of random games.
std::shared_ptr<const Evaluator> spread_out(std::shared_ptr<const Evaluator> evaluator,
                                            const std::shared_ptr<const machine::Circuit>& circuit, double step,
                                            const machine::Stop& stop);

}  // namespace stratagem::evaluate
