// How much earlier than the clock says something must end to be in time, learned from how late it was before.
//
// A floor for what has not been seen yet, plus the worst of the last moves: on a quiet computer little is given away,
// and on a busy one the player learns within a move or two.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>

namespace stratagem::player {

class Margin {
  public:
    using Duration = std::chrono::duration<double>;

    explicit Margin(Duration floor, std::size_t window = 50) : floor_(floor), window_(window) {}

    // How long after its time something ended; before its time counts as not late.
    void learn(Duration late) {
        seen_.push_back(std::max(late, Duration::zero()));
        if (seen_.size() > window_) seen_.pop_front();
    }

    Duration value() const { return floor_ + (seen_.empty() ? Duration::zero() : *std::ranges::max_element(seen_)); }

  private:
    Duration floor_;
    std::size_t window_;
    std::deque<Duration> seen_;
};

}  // namespace stratagem::player
