// Means of results and how far they can be trusted.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace stratagem::arena {

struct Range {
    double low = 0;
    double high = 0;

    double half_width() const { return (high - low) / 2; }
    friend bool operator==(const Range&, const Range&) = default;
};

// How an interval was found; what decides is which results there were.
enum class IntervalMethod : unsigned char { wilson, student };

// One number for each match, within fixed bounds. Kept as running mean and sum of squared deviations (Welford), so
// nothing is stored.
class Sample {
  public:
    // Points of a match unless other bounds are given: a lead is within -100 and 100.
    Sample() = default;
    explicit Sample(Range bounds) : bounds_(bounds) {}

    // Pre: within the bounds.
    void add(double value);

    std::size_t count() const { return count_; }
    double mean() const { return mean_; }
    // Of the population, estimated from the sample; 0 for fewer than two numbers.
    double deviation() const;

    // The 95 % confidence interval of the mean, within the bounds; nothing for fewer than two numbers, of which nothing
    // can be said.
    //
    // Wilson's score interval where all numbers are at the bounds or halfway between them: wins and losses, and draws,
    // which count as half of each. With draws it is wider than it need be, as results that lie closer together vary
    // less than wins and losses with the same mean. Student's t for graded results. Where these are all equal, which
    // says nothing of how they vary, it is Wilson's again: no results within the bounds can vary more.
    std::optional<Range> interval95() const;
    IntervalMethod method() const;
    // Half the width of that, as a number.
    std::optional<double> ci95() const;

  private:
    Range bounds_{0, 100};
    std::size_t count_ = 0;
    std::size_t graded_ = 0;  // neither at a bound nor halfway
    double mean_ = 0;
    double squares_ = 0;
};

// Wilson's score interval for a part of so many trials, within 0 and 1: the parts from which what was seen is not more
// than 1.96 standard deviations away. Halves may be counted. Pre: 0 <= successes <= trials, trials > 0.
Range wilson95(double successes, double trials);

// The number that Student's t with so many degrees of freedom exceeds with a probability of 2.5 %. Pre: freedom > 0.
double student_t975(std::size_t freedom);

// "65.0 [43.3, 81.9]", or the mean alone where nothing more is known; "-" for no results. With `sign`: "+12.5 [-3.1,
// +28.0]".
enum class Sign : unsigned char { if_negative, always };
std::string mean_text(const Sample& sample, Sign sign = Sign::if_negative);

}  // namespace stratagem::arena
