// Means of results and how far they can be trusted.
#pragma once

#include <cstddef>

namespace stratagem::arena {

// One number for each game played. Kept as running mean and sum of squared deviations (Welford), so nothing is stored.
class Sample {
  public:
    void add(double value) {
        ++count_;
        const double before = value - mean_;
        mean_ += before / static_cast<double>(count_);
        squares_ += before * (value - mean_);
    }

    std::size_t count() const { return count_; }
    double mean() const { return mean_; }
    // Of the population, estimated from the sample; 0 for fewer than two numbers.
    double deviation() const;
    // Half the width of the 95 % confidence interval of the mean, t * deviation / sqrt(count) with Student's t for
    // count - 1 degrees of freedom. Infinite for fewer than two numbers, of which nothing can be said.
    double ci95() const;

  private:
    std::size_t count_ = 0;
    double mean_ = 0;
    double squares_ = 0;
};

// The number that Student's t with so many degrees of freedom exceeds with a probability of 2.5 %. Pre: freedom > 0.
double student_t975(std::size_t freedom);

}  // namespace stratagem::arena
