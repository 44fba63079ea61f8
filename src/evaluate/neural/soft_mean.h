// How soft neurons put their parts together: what a conjunction lacks, and how sure it is.
//
// Values are in [-1, 1] and true or false by their sign. A sum that is squashed must push what is true away from what
// is false as far as the widest node needs, and everything else ends up within a few units of the last digit. Here the
// sign is kept apart instead: whether a part is false is known, so nothing has to be pushed, nothing is squashed, and
// values stay spread over the whole range however deep and wide the graph is. A conjunction of parts x_i is
//   false, if a part is: - power mean of missing(x_i)   of exponent `count`: how much is missing, counted
//   true otherwise:      power mean of x_i              of exponent -`power`: the weakest part counts most
// and a disjunction is the same upside down: a soft maximum of what is nearest while it does not hold, a count of how
// much speaks for it once it does. Both are means, of equal values that value itself: depth costs no range, and one of
// k parts moves its node by 1/k or so, not by e^-k. Both are strictly monotone in every part.
//
// Lines of four of which n are missing weigh (n/4)^(-power/count) in the disjunction of all lines: 16 : 4 : 1.8 : 1 by
// default. `count` is above 1 because linear counts cancel each other out: that a line is near and it is my turn
// pulls as far to one side as that a line is near and it is not my turn to the other.
#pragma once

#include <algorithm>
#include <cmath>

namespace stratagem::evaluate::neural {

struct SoftSettings {
    double count = 2;
    double power = 4;
    double nearest = 1.0 / 16;  // shifts values in the soft minimum, so that its sums are bounded
    double rest = 0.05;         // how much of what is missing parts count for that are true, but not surely
};

class SoftMean {
  public:
    // Values come no nearer to 0, so that truth and falsehood stay apart.
    static constexpr double least = 1e-12;

    explicit SoftMean(const SoftSettings& settings) : settings_(settings) {}

    // What a part lacks, to the power of `count`, in [0, 1]: 0 if surely true, 1 if surely false.
    double missing(double x) const { return power(lack(x), settings_.count); }
    double missing_slope(double x) const {
        const double by_lack = settings_.count * power(lack(x), settings_.count - 1);
        return by_lack * (-settings_.rest / 2 - (x < 0 ? 1 - settings_.rest : 0));
    }
    // How little sure a true part is, in (0, most_doubt()].
    double doubt(double x) const { return 1 / power(settings_.nearest + x, settings_.power); }
    double doubt_slope(double x) const { return -settings_.power * doubt(x) / (settings_.nearest + x); }
    double most_doubt() const { return doubt(0); }

    // A conjunction by the mean of what is missing, if a part is false; by that of doubts otherwise.
    double when_false(double missing) const { return -std::clamp(root(missing, settings_.count), least, 1.0); }
    double when_false_slope(double missing) const {
        return -root(missing, settings_.count) / (settings_.count * missing);
    }
    double when_true(double doubt) const {
        return std::clamp(1 / root(doubt, settings_.power) - settings_.nearest, least, 1.0);
    }
    double when_true_slope(double doubt) const { return -1 / (root(doubt, settings_.power) * settings_.power * doubt); }

  private:
    double lack(double x) const { return settings_.rest * (1 - x) / 2 + (1 - settings_.rest) * std::max(0.0, -x); }
    // The default powers without the help of the library.
    static double power(double x, double exponent) {
        if (exponent == 1) return x;
        if (exponent == 2) return x * x;
        return exponent == 4 ? x * x * (x * x) : std::pow(x, exponent);
    }
    static double root(double x, double exponent) {
        if (exponent == 1) return x;
        if (exponent == 2) return std::sqrt(x);
        return exponent == 4 ? std::sqrt(std::sqrt(x)) : std::pow(x, 1 / exponent);
    }

    SoftSettings settings_;
};

}  // namespace stratagem::evaluate::neural
