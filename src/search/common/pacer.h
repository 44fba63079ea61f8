// When to look at the clock: often enough to honour a deadline, seldom enough to cost nothing.
//
// Steps of a search take from a microsecond (a circuit) to many milliseconds (an interpreter, a large evaluator). The
// number of steps between two looks therefore follows what they turn out to take.
#pragma once

#include <chrono>
#include <cstdint>

#include "machine/stop.h"

namespace stratagem::search {

class Pacer {
  public:
    explicit Pacer(const machine::Stop& stop) : stop_(stop) {}

    // Once a step; true from the first look that finds it is time.
    bool due() {
        if (--left_ > 0) return done_;
        return look();
    }
    bool look() {
        using namespace std::chrono_literals;
        const Deadline::Clock::time_point now = Deadline::Clock::now();
        if (now - last_ < 200us) {
            if (interval_ < 1024) interval_ *= 2;
        } else if (now - last_ > 1ms) {
            interval_ = interval_ > 8 ? interval_ / 8 : 1;
        }
        last_ = now;
        left_ = interval_;
        done_ = done_ || stop_.interrupted() || now >= stop_.deadline.when();
        return done_;
    }

  private:
    machine::Stop stop_;
    Deadline::Clock::time_point last_ = Deadline::Clock::now();
    std::uint32_t interval_ = 1;
    std::uint32_t left_ = 1;
    bool done_ = false;
};

}  // namespace stratagem::search
