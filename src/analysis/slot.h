// A place for one item of knowledge: worked out once, by whoever asks first, while others who ask wait for it as long
// as they can. What was cut short by the clock is worked out again for somebody with clearly more time; what was made
// from items that have been replaced since, for anybody. Values never change once they are there, so that those who
// hold older ones may go on using them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "analysis/findings.h"
#include "machine/stop.h"

namespace stratagem::analysis {

template <typename T>
struct Found {
    std::shared_ptr<const T> value;
    std::vector<Stage> stages;
    bool cut = false;  // by the clock, or an interruption
    // Set by the slot.
    std::vector<std::shared_ptr<const void>> from;  // the values it was made from
    double seconds = 0;                             // it took
};

template <typename T>
class Slot {
  public:
    using Sources = std::vector<std::shared_ptr<const void>>;
    using Pointer = std::shared_ptr<const Found<T>>;

    Pointer there() const {
        const std::lock_guard hold(guard_);
        return there_;
    }

    // `enough(value)`: it holds all that is wanted. `work(last, stop)` makes it, perhaps from what was there before,
    // which may be null; only one thread works at a time. Null where somebody else works on it for too long.
    template <typename Enough, typename Work>
    Pointer get(const Sources& from, const machine::Stop& stop, Enough&& enough, Work&& work) {
        const auto good = [&](const Pointer& found) {
            return found && found->from == from && enough(*found->value) && !worth_another(*found, stop);
        };
        if (Pointer found = there(); good(found)) return found;
        const Turn turn(*this, stop);
        if (!turn.is_ours()) {
            const Pointer found = there();
            return found && found->from == from ? found : nullptr;
        }
        Pointer last = there();
        if (good(last)) return last;
        if (last && last->from != from) last = nullptr;
        const auto start = Deadline::Clock::now();
        auto made = std::make_shared<Found<T>>(work(last, stop));
        made->from = from;
        made->seconds = std::chrono::duration<double>(Deadline::Clock::now() - start).count();
        const std::lock_guard hold(guard_);
        there_ = made;
        return made;
    }

    // Cut short, and there is clearly more time now.
    static bool worth_another(const Found<T>& found, const machine::Stop& stop) {
        if (!found.cut || stop.now()) return false;
        if (stop.deadline.is_never()) return true;
        return std::chrono::duration<double>(stop.deadline.remaining()).count() > 2 * found.seconds;
    }

  private:
    // To work on it, which one may at a time: ours at once where nobody does, whatever the time.
    class Turn {
      public:
        Turn(Slot& slot, const machine::Stop& stop) : slot_(slot) {
            constexpr auto look = std::chrono::milliseconds(5);  // at the clock
            std::unique_lock hold(slot_.guard_);
            while (slot_.busy_) {
                if (stop.now()) return;
                slot_.freed_.wait_for(hold, look);
            }
            slot_.busy_ = is_ours_ = true;
        }
        ~Turn() {
            if (!is_ours_) return;
            const std::lock_guard hold(slot_.guard_);
            slot_.busy_ = false;
            slot_.freed_.notify_one();
        }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

        bool is_ours() const { return is_ours_; }

      private:
        Slot& slot_;
        bool is_ours_ = false;
    };

    mutable std::mutex guard_;
    std::condition_variable freed_;
    bool busy_ = false;  // under the guard
    Pointer there_;      // under the guard
};

}  // namespace stratagem::analysis
