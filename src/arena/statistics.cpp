#include "arena/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "util/contract.h"

namespace stratagem::arena {

namespace {

// What a normal variable exceeds with a probability of 2.5 %.
constexpr double z975 = 1.9599639845400545;

}  // namespace

void Sample::add(double value) {
    STRATAGEM_EXPECTS(bounds_.low <= value && value <= bounds_.high);
    ++count_;
    const double before = value - mean_;
    mean_ += before / static_cast<double>(count_);
    squares_ += before * (value - mean_);
    const bool decided = value == bounds_.low || value == bounds_.high;
    if (!decided && value != (bounds_.low + bounds_.high) / 2) ++graded_;
}

double Sample::deviation() const { return count_ < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(count_ - 1)); }

IntervalMethod Sample::method() const {
    return graded_ > 0 && deviation() > 0 ? IntervalMethod::student : IntervalMethod::wilson;
}

std::optional<Range> Sample::interval95() const {
    if (count_ < 2) return std::nullopt;
    const auto trials = static_cast<double>(count_);
    if (method() == IntervalMethod::student) {
        const double width = student_t975(count_ - 1) * deviation() / std::sqrt(trials);
        return Range{std::clamp(mean_ - width, bounds_.low, bounds_.high),
                     std::clamp(mean_ + width, bounds_.low, bounds_.high)};
    }
    const double span = bounds_.high - bounds_.low;
    const double part = std::clamp((mean_ - bounds_.low) / span, 0.0, 1.0);
    const Range parts = wilson95(part * trials, trials);
    return Range{bounds_.low + span * parts.low, bounds_.low + span * parts.high};
}

std::optional<double> Sample::ci95() const {
    const std::optional<Range> range = interval95();
    return range ? std::optional(range->half_width()) : std::nullopt;
}

// E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
Range wilson95(double successes, double trials) {
    STRATAGEM_EXPECTS(0 <= successes && successes <= trials && trials > 0);
    const double part = successes / trials;
    const double z2 = z975 * z975;
    const double middle = (successes + z2 / 2) / (trials + z2);
    const double width = z975 * std::sqrt(trials * part * (1 - part) + z2 / 4) / (trials + z2);
    // At the ends the formula is exact but for rounding.
    return {successes <= 0 ? 0 : std::max(0.0, middle - width),
            successes >= trials ? 1 : std::min(1.0, middle + width)};
}

// Exact for one and two degrees of freedom, tabulated up to four; beyond, the expansion around the normal quantile z in
// powers of 1/freedom (Cornish and Fisher; Abramowitz and Stegun 26.7.5), off by less than 0.003 from five on.
double student_t975(std::size_t freedom) {
    STRATAGEM_EXPECTS(freedom > 0);
    constexpr std::array<double, 4> few{12.706205, 4.302653, 3.182446, 2.776445};
    if (freedom <= few.size()) return few[freedom - 1];
    const auto n = static_cast<double>(freedom);
    const double z = z975;
    const double z2 = z * z;
    const double g1 = z * (z2 + 1) / 4;
    const double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
    const double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    const double g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
    return z + g1 / n + g2 / (n * n) + g3 / (n * n * n) + g4 / (n * n * n * n);
}

std::string mean_text(const Sample& sample, Sign sign) {
    if (sample.count() == 0) return "-";
    const auto number = [&](double value) {
        return sign == Sign::always ? fmt::format("{:+.1f}", value) : fmt::format("{:.1f}", value);
    };
    const std::optional<Range> range = sample.interval95();
    return range ? fmt::format("{} [{}, {}]", number(sample.mean()), number(range->low), number(range->high))
                 : number(sample.mean());
}

}  // namespace stratagem::arena
