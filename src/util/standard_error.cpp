#include "util/standard_error.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace stratagem {

namespace {

constexpr int standard_error = 2;

// Waits until something can be written, at most so long. A pipe that is ready takes PIPE_BUF bytes without blocking.
bool ready(int descriptor, std::chrono::milliseconds wait) {
    pollfd one{descriptor, POLLOUT, 0};
    return poll(&one, 1, static_cast<int>(wait.count())) != 0;  // an error shows in writing
}

// How much of the piece was written, 0 to try again; nothing when it cannot be.
std::optional<std::size_t> write_piece(int descriptor, std::string_view piece) {
    const ssize_t count = ::write(descriptor, piece.data(), piece.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EINTR || errno == EAGAIN) return 0;
    return std::nullopt;
}

void write_now(std::string_view text) {
    while (!text.empty()) {
        const std::optional<std::size_t> count = write_piece(standard_error, text);
        // Somebody may have made the stream non-blocking, and it is full: wait, but not for ever.
        if (!count || (*count == 0 && !ready(standard_error, std::chrono::seconds(1)))) return;
        text.remove_prefix(*count);
    }
}

}  // namespace

// Shared by the owner and its thread: a thread that is stuck in writing is left behind.
class BackgroundLog::Queue {
  public:
    // Standard error is one for the whole program, so is the queue before it.
    static inline std::mutex place_mutex;
    static inline std::shared_ptr<Queue> place;

    explicit Queue(int descriptor) : descriptor_(descriptor) {}

    void add(std::string_view text) {
        {
            const std::scoped_lock lock(mutex_);
            if (bytes_ + text.size() > most_bytes) {
                ++dropped_;
                return;
            }
            if (dropped_ > 0) note_dropped();
            push(std::string(text));
        }
        wake_.notify_all();
    }

    // What the thread does.
    void write_all() {
        std::unique_lock lock(mutex_);
        while (true) {
            wake_.wait(lock, [&] { return !texts_.empty() || closing_; });
            if (texts_.empty() && dropped_ > 0) note_dropped();
            if (texts_.empty() || abandoned_) break;
            const std::string text = std::move(texts_.front());
            texts_.pop_front();
            lock.unlock();
            const bool written = write(text);
            lock.lock();
            bytes_ -= text.size();
            if (!written) ++dropped_;
            // A disk that is full stays so at the end: no note of what a note could not say.
            if (!written && closing_ && texts_.empty()) break;
        }
        done_ = true;
        lock.unlock();
        wake_.notify_all();
    }

    // Asks the thread to end after what is there; when nobody reads that, to end at once.
    void close() {
        constexpr std::chrono::milliseconds patience(1000);
        std::unique_lock lock(mutex_);
        closing_ = true;
        wake_.notify_all();
        while (!done_) {
            const std::uint64_t before = progress_;
            if (!wake_.wait_for(lock, patience, [&] { return done_ || progress_ != before; })) {
                abandoned_ = true;
                return;
            }
        }
    }

  private:
    void push(std::string text) {
        bytes_ += text.size();
        texts_.push_back(std::move(text));
    }

    void note_dropped() {
        push("stratagem: " + std::to_string(dropped_) + (dropped_ == 1 ? " line" : " lines") +
             " of this log could not be written and are lost\n");
        dropped_ = 0;
    }

    bool write(std::string_view text) {
        while (!text.empty()) {
            const bool now = ready(descriptor_, std::chrono::milliseconds(100));
            {
                const std::scoped_lock lock(mutex_);
                if (abandoned_) return false;
                if (now) ++progress_;
            }
            if (!now) continue;
            const std::optional<std::size_t> count = write_piece(descriptor_, text.substr(0, PIPE_BUF));
            if (!count) return false;
            text.remove_prefix(*count);
        }
        return true;
    }

    const int descriptor_;
    std::mutex mutex_;
    std::condition_variable wake_;  // for both sides
    std::deque<std::string> texts_;
    std::size_t bytes_ = 0;       // of texts, with that being written
    std::uint64_t dropped_ = 0;   // since it was last said
    std::uint64_t progress_ = 0;  // pieces written
    bool closing_ = false;
    bool abandoned_ = false;
    bool done_ = false;
};

void guard_standard_streams() {
    std::signal(SIGPIPE, SIG_IGN);
    for (int stream = 0; stream <= standard_error; ++stream) {
        if (fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
        // The lowest number that is free, which is this one. Opened the wrong way round, so that using it stays an
        // error.
        if (open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) == -1) return;
    }
}

void write_standard_error(std::string_view text) noexcept {
    try {
        std::shared_ptr<BackgroundLog::Queue> queue;
        {
            const std::scoped_lock lock(BackgroundLog::Queue::place_mutex);
            queue = BackgroundLog::Queue::place;
        }
        if (queue) {
            queue->add(text);
        } else {
            write_now(text);
        }
    } catch (...) {
        // No memory for a message: it is lost.
    }
}

BackgroundLog::BackgroundLog(int descriptor) {
    const std::scoped_lock lock(Queue::place_mutex);
    if (Queue::place) return;
    queue_ = std::make_shared<Queue>(descriptor);
    std::thread([queue = queue_] { queue->write_all(); }).detach();
    Queue::place = queue_;
}

BackgroundLog::~BackgroundLog() {
    if (!queue_) return;
    {
        const std::scoped_lock lock(Queue::place_mutex);
        Queue::place.reset();
    }
    queue_->close();
}

}  // namespace stratagem
