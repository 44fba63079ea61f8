// The other side of the socket: what the command `worker` does.
//
// One thread reads. It answers pings by itself and ends the process when the socket is closed, whatever the other one
// does, which carries out one order after the other.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace stratagem::worker {

struct HostSettings {
    int socket = 0;
    pid_t parent = 0;           // 0: whoever it is
    std::size_t megabytes = 0;  // 0: no limit
};

// Ends the process: there is nothing to return to.
[[noreturn]] void run_host(const HostSettings& settings);

}  // namespace stratagem::worker
