// Time that several pieces of work have to share.
#pragma once

#include <chrono>

#include "machine/stop.h"

namespace stratagem::analysis {

// A share of the time that is left.
inline machine::Stop part(const machine::Stop& stop, double share) {
    if (stop.deadline.is_never()) return stop;
    const auto left = std::chrono::duration<double>(stop.deadline.remaining());
    return {Deadline::earlier(stop.deadline, Deadline::after(left * share)), stop.flag};
}

}  // namespace stratagem::analysis
