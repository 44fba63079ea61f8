// A slot for one process at a time, which is replaced when it fails.
//
// Holds what is said to the process and heard of it; decides nothing. Not for several threads.
#pragma once

#include <poll.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "worker/frame.h"
#include "worker/orders.h"
#include "worker/process.h"

namespace stratagem::worker {

class ProcessSlot {
  public:
    explicit ProcessSlot(std::string name) : name_(std::move(name)) {}

    const std::string& name() const { return name_; }
    bool filled() const { return process_ != nullptr; }
    pid_t pid() const { return process_ ? process_->pid() : 0; }

    // Pre: not filled.
    void fill(std::unique_ptr<Process> process, TimePoint now);
    // Takes away whoever is there; null if nobody is.
    std::unique_ptr<Process> vacate();

    // What has to wait is sent by serve(). Does nothing where nobody is.
    void send(const Order& order);

    // What to wait for, for poll().
    void add_to(std::vector<pollfd>& list) const;
    // Reads and writes what can be, without waiting; words go to `heard` and lines of its standard error to `printed`.
    // Why it cannot be spoken to any more, or nothing; `ended` when it is not there any more.
    static constexpr std::string_view ended = "it ended";
    std::string serve(TimePoint now, std::vector<Word>& heard, std::vector<std::string>& printed);

    // Pings it now and then. True when a ping has not been answered for so long, four times as long while it begins.
    bool silent(TimePoint now, player::Seconds patience);

  private:
    bool write();
    // False when there is nothing more to come.
    bool read(TimePoint now, std::vector<Word>& heard);
    void read_errors(std::vector<std::string>& printed);

    std::string name_;
    std::unique_ptr<Process> process_;
    FrameReader frames_{0};
    std::deque<std::string> outgoing_;
    std::size_t sent_ = 0;  // of the first one
    std::string error_text_;
    std::size_t error_lines_ = 0;
    TimePoint pinged_{};
    bool waits_ = false;   // for the answer to a ping
    bool spoken_ = false;  // it has said something
};

}  // namespace stratagem::worker
