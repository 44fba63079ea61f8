// When to leave a long loop: a deadline, or somebody who no longer wants to wait.
#pragma once

#include <atomic>

#include "util/deadline.h"

namespace stratagem::machine {

struct Stop {
    Deadline deadline = Deadline::never();
    const std::atomic<bool>* flag = nullptr;  // set from elsewhere, such as a signal handler

    bool interrupted() const { return flag != nullptr && flag->load(std::memory_order_relaxed); }
    bool now() const { return interrupted() || deadline.expired(); }
    // The same, with this much time at least: for what is cheap as a rule, and wanted also when time is up.
    Stop at_least(Deadline::Clock::duration moment) const {
        if (deadline.is_never() || deadline.remaining() >= moment) return *this;
        return {Deadline::after(moment), flag};
    }
    // Both in one, for what takes a deadline only.
    Deadline as_deadline() const { return deadline.or_when(flag); }
};

}  // namespace stratagem::machine
