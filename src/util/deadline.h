// A point in time by which something long must have ended.
//
// Every long operation takes one and asks it now and then; who calls it decides how long is too long. Measured on
// the steady clock, so that setting the time of day moves nothing. It may also come early: when somebody sets a flag,
// such as a signal handler.
#pragma once

#include <atomic>
#include <chrono>

namespace stratagem {

class Deadline {
  public:
    using Clock = std::chrono::steady_clock;

    // Never expires.
    constexpr Deadline() = default;
    constexpr explicit Deadline(Clock::time_point when) : when_(when) {}

    static constexpr Deadline never() { return Deadline{}; }

    // A duration too long for the clock means never.
    template <typename Rep, typename Period>
    static Deadline after(std::chrono::duration<Rep, Period> duration) {
        const Clock::time_point now = Clock::now();
        if (std::chrono::duration<double>(duration) >= std::chrono::duration<double>(Clock::time_point::max() - now)) {
            return never();
        }
        return Deadline{now + std::chrono::duration_cast<Clock::duration>(duration)};
    }

    // The earlier of two. Of two flags the first counts.
    static constexpr Deadline earlier(Deadline a, Deadline b) {
        return Deadline{a.when_ < b.when_ ? a.when_ : b.when_}.or_when(a.flag_ != nullptr ? a.flag_ : b.flag_);
    }

    // The same, and expired as soon as the flag is set. Null: the same.
    constexpr Deadline or_when(const std::atomic<bool>* flag) const {
        Deadline result = *this;
        if (flag != nullptr) result.flag_ = flag;
        return result;
    }

    // No point in time; a flag may end it all the same.
    constexpr bool is_never() const { return when_ == Clock::time_point::max(); }
    bool interrupted() const { return flag_ != nullptr && flag_->load(std::memory_order_relaxed); }
    bool expired() const { return interrupted() || (!is_never() && Clock::now() >= when_); }

    // Zero once expired, the longest duration there is for never.
    Clock::duration remaining() const {
        if (interrupted()) return Clock::duration::zero();
        if (is_never()) return Clock::duration::max();
        const Clock::time_point now = Clock::now();
        return now >= when_ ? Clock::duration::zero() : when_ - now;
    }

    constexpr Clock::time_point when() const { return when_; }

  private:
    Clock::time_point when_ = Clock::time_point::max();
    const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace stratagem
