// The game on its way from the thread that makes it ready to whoever waits for it.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>

#include "machine/game.h"
#include "util/deadline.h"

namespace stratagem::player {

class BuiltGame {
  public:
    using Game = std::shared_ptr<const machine::Game>;

    void publish(Game game) {
        const std::scoped_lock lock(mutex_);
        game_ = std::move(game);
        changed_.notify_all();
    }
    // Nobody shall wait any more.
    void close() {
        const std::scoped_lock lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }
    // Null as long as there is none; waits for one until the deadline.
    Game wait(Deadline deadline) const {
        std::unique_lock lock(mutex_);
        changed_.wait_until(lock, deadline.when(), [this] { return game_ || closed_; });
        return game_;
    }
    Game get() const {
        const std::scoped_lock lock(mutex_);
        return game_;
    }

  private:
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    Game game_;
    bool closed_ = false;
};

}  // namespace stratagem::player
