// The machines of a game on their way from the thread that builds them to whoever waits for them.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>

#include "machine/make_machine.h"
#include "util/deadline.h"

namespace stratagem::player {

class BuiltGame {
  public:
    using Factory = std::shared_ptr<const machine::MachineFactory>;

    void publish(Factory factory) {
        const std::scoped_lock lock(mutex_);
        factory_ = std::move(factory);
        changed_.notify_all();
    }
    // Nobody shall wait any more.
    void close() {
        const std::scoped_lock lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }
    // Null as long as there is none; waits for one until the deadline.
    Factory wait(Deadline deadline) const {
        std::unique_lock lock(mutex_);
        changed_.wait_until(lock, deadline.when(), [this] { return factory_ || closed_; });
        return factory_;
    }
    Factory get() const {
        const std::scoped_lock lock(mutex_);
        return factory_;
    }

  private:
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    Factory factory_;
    bool closed_ = false;
};

}  // namespace stratagem::player
