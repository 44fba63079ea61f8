#include "worker/memory.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <new>
#include <string>

namespace stratagem::worker {

namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

// The one thing a handler of failed allocations may touch.
std::atomic<bool> failed{false};

}  // namespace

std::size_t machine_megabytes() {
    const auto pages = static_cast<std::size_t>(std::max(::sysconf(_SC_PHYS_PAGES), 1L));
    std::size_t bytes = pages * static_cast<std::size_t>(std::max(::sysconf(_SC_PAGE_SIZE), 1L));
    // A file that is not there, or says "max", is no number.
    for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::ifstream limit(file);
        std::size_t container = 0;
        if (limit >> container) bytes = std::min(bytes, container);
    }
    return std::max<std::size_t>(bytes / megabyte, 1);
}

void notice_failures() {
    std::set_new_handler([] {
        failed.store(true);
        throw std::bad_alloc();
    });
}

bool starved() { return failed.exchange(false); }

}  // namespace stratagem::worker
