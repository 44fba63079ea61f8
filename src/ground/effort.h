// How grounding ends before its time: every loop counts what it does, and the clock is looked at now and then.
#pragma once

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

#include "util/deadline.h"

namespace stratagem::ground {

// Thrown and caught inside the room: a limit was hit or the rules cannot be grounded.
struct GroundFailure : std::runtime_error {
    GroundFailure(const std::string& what, bool limit) : std::runtime_error(what), limit_hit(limit) {}
    bool limit_hit;
};

class Effort {
  public:
    static constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

    explicit Effort(const Deadline& deadline = Deadline::never(), std::size_t most = any)
        : deadline_(deadline), most_(most) {}

    // Counts so many small steps. Throws GroundFailure when the deadline has passed or they are too many.
    void spend(std::size_t steps = 1) {
        constexpr std::size_t steps_between_looks_at_the_clock = 200'000;
        spent_ += steps;
        if (spent_ < steps_between_looks_at_the_clock) return;
        total_ += spent_;
        spent_ = 0;
        if (deadline_.interrupted()) throw GroundFailure("interrupted", true);
        if (deadline_.expired()) throw GroundFailure("time ran out", true);
        if (total_ > most_) throw GroundFailure("too much work", true);
    }
    // Steps counted so far.
    std::size_t total() const { return total_ + spent_; }

  private:
    Deadline deadline_;
    std::size_t most_ = any;
    std::size_t spent_ = 0;
    std::size_t total_ = 0;
};

}  // namespace stratagem::ground
