// Fuzzy logic that never mistakes true for false (Schiffel and Thielscher, "Automatic Construction of a Heuristic
// Search Function for General Game Playing", 2007, section 4): the norms of Yager, held up at a threshold.
//
// Truth is a number at or above the threshold t, falsehood one at or below 1 - t. A conjunction of true parts would
// sink below t as they grow in number, so it is held up there; the same for disjunctions of false parts by duality.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "util/contract.h"

namespace stratagem::evaluate::fuzzy {

struct Settings {
    double truth = 0.75;      // p: value of an atom that holds; 1 - p if it does not
    double threshold = 0.75;  // t, with 0.5 < t <= p
    double power = 15;        // q of the norms
    double scale = 1;         // how much of the way from true to as false as can be the farthest distance goes
    // How goal values become one: by the product co-norm, the mean weighted by value, or as a ladder (see
    // fuzzy_evaluator.h).
    enum class Aggregation : std::uint8_t { product, mean, ladder };
    Aggregation aggregation = Aggregation::ladder;
    // How much the truth of the end counts besides its part in the norms, where a high power all but silences it.
    double end = 0;
    // Values between true and false for atoms of these structures.
    bool orders = true;
    enum class Boards : std::uint8_t { off, goals, all };
    Boards boards = Boards::goals;  // `goals`: not in what only the end depends on
    bool moves = true;              // distances of pieces that move in moves, not along the axes
    bool quantities = true;
    // Distances to events whose trace goals ask for (approach.h): of what must come together the sum or the greatest.
    enum class Events : std::uint8_t { off, sum, maximum };
    Events events = Events::off;
};

class Norms {
  public:
    // Pre: 0.5 < threshold <= truth <= 1, power >= 1, 0 <= scale <= 1.
    explicit Norms(const Settings& settings)
        : truth_(settings.truth),
          threshold_(settings.threshold),
          power_(settings.power),
          scale_(settings.scale),
          root_(1 / settings.power),
          whole_(settings.power == std::floor(settings.power) && settings.power <= 64
                     ? static_cast<unsigned>(settings.power)
                     : 0),
          threshold_power_(power(threshold_)),
          rest_power_(power(1 - threshold_)) {
        STRATAGEM_EXPECTS(0.5 < threshold_ && threshold_ <= truth_ && truth_ <= 1 && power_ >= 1);
    }

    double atom(bool holds) const { return holds ? truth_ : 1 - truth_; }
    // Of what does not hold and is so far from it; 1 is as far as can be.
    double missing(double distance) const { return (1 - threshold_) * (1 - scale_ * distance); }
    double threshold() const { return threshold_; }

    // x^q, by multiplication where q is whole: std::pow takes several times as long.
    double power(double x) const {
        if (whole_ == 0) return std::pow(x, power_);
        double result = 1;
        for (unsigned left = whole_; left != 0; left >>= 1, x *= x) {
            if ((left & 1U) != 0) result *= x;
        }
        return result;
    }

    // A conjunction, with what conjunctions around it need of it.
    struct Result {
        double value;
        double power;       // value^q
        double rest_power;  // (1 - value)^q
    };
    Result leaf(double value) const { return {value, power(value), power(1 - value)}; }
    // `sum`: of (1 - x)^q over the parts x; `all`: every x > 0.5.
    Result conjunction(double sum, bool all) const {
        sum = std::min(sum, 1.0);
        const double value = 1 - std::pow(sum, root_);
        if (all && value < threshold_) return {threshold_, threshold_power_, rest_power_};
        return {value, power(value), sum};
    }

  private:
    double truth_;
    double threshold_;
    double power_;
    double scale_;
    double root_;
    unsigned whole_;  // q, or 0 if it is not a small whole number
    double threshold_power_;
    double rest_power_;
};

}  // namespace stratagem::evaluate::fuzzy
