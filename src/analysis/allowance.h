// Work that may be done where no clock ends it. It is counted and not timed, so that the same is done in every run and
// on every computer.
#pragma once

#include <algorithm>
#include <cstddef>

namespace stratagem::analysis {

class Allowance {
  public:
    explicit Allowance(std::size_t most) : left_(most) {}

    void spend(std::size_t work) { left_ -= std::min(left_, work); }
    bool used_up() const { return left_ == 0; }
    std::size_t left() const { return left_; }

  private:
    std::size_t left_;
};

}  // namespace stratagem::analysis
