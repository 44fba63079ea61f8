// Where the lines of a player's log go: one at a time, from any thread, and nowhere once the player is gone.
#pragma once

#include <mutex>
#include <string_view>

#include "player/engine.h"

namespace stratagem::player {

class Journal {
  public:
    explicit Journal(Log log) : log_(std::move(log)) {}

    void write(std::string_view line) {
        const std::scoped_lock lock(mutex_);
        if (log_) log_(line);
    }
    // Threads left behind may hold the journal longer than its reader lives.
    void close() {
        const std::scoped_lock lock(mutex_);
        log_ = {};
    }

  private:
    std::mutex mutex_;
    Log log_;
};

}  // namespace stratagem::player
