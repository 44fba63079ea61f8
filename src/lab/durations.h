// How long something took in many games: few numbers that say what to expect.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace stratagem::lab {

class Durations {
  public:
    void add(double seconds) { all_.push_back(seconds); }

    std::size_t count() const { return all_.size(); }
    double median() const { return at_least(50); }
    double ninth_decile() const { return at_least(90); }
    double worst() const { return at_least(100); }

  private:
    // The shortest time within which this many of a hundred were done; 0 where there are none.
    double at_least(std::size_t percent) const {
        if (all_.empty()) return 0;
        std::vector<double> sorted = all_;
        const std::size_t place = std::max<std::size_t>((percent * sorted.size() + 99) / 100, 1) - 1;
        std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(place));
        return sorted[place];
    }

    std::vector<double> all_;
};

}  // namespace stratagem::lab
