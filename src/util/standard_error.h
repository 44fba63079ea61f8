// Standard error, for messages and logs: writing never throws, and never ends the program.
//
// A message is worth less than the work it is about. Where it cannot be written (a full disk, a reader that is gone) it
// is lost, and the program goes on.
//
// Where work must not wait for a reader either (play under a clock), a BackgroundLog writes in a thread of its own from
// a queue that is bounded: of what nobody reads, lines are dropped and counted.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace stratagem {

// For the beginning of a program: writing to a pipe or socket that nobody reads any more becomes an error instead of
// the end of it (SIGPIPE), and no file or socket takes the place of a standard stream that was closed.
void guard_standard_streams();

// Writes the text, or hands it to the BackgroundLog that lives. Safe to call from any thread.
void write_standard_error(std::string_view text) noexcept;

// While it lives, what is written to standard error goes through a queue, and writing never waits. The last one made
// counts; those inside of it have no effect of their own.
class BackgroundLog {
  public:
    static constexpr std::size_t most_bytes = 1 << 20;

    // `descriptor` is standard error, except in tests.
    explicit BackgroundLog(int descriptor = 2);
    // Waits for what is in the queue to be written, as long as somebody reads it.
    ~BackgroundLog();
    BackgroundLog(const BackgroundLog&) = delete;
    BackgroundLog& operator=(const BackgroundLog&) = delete;

  private:
    friend void write_standard_error(std::string_view) noexcept;
    class Queue;
    std::shared_ptr<Queue> queue_;  // none where another one lives
};

}  // namespace stratagem
