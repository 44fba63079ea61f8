#include "util/memory_limit.h"

#include <sys/resource.h>

#include <atomic>

#include "util/sanitized.h"

namespace stratagem {

namespace {

// A limit holds for the whole process, so does what was said of it. 0: nothing.
std::atomic<std::uint64_t> told{0};

}  // namespace

bool can_limit_memory() { return !sanitized; }

void limit_memory(std::uint64_t megabytes) {
    told.store(megabytes);
    if (!can_limit_memory()) return;
    // Data and not the address space: what is only reserved costs nothing, and allocators reserve much. The soft limit
    // is enough, as nothing here raises it, and processes that are started from here inherit it.
    rlimit limit{};
    if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
    const rlim_t bytes = static_cast<rlim_t>(megabytes) << 20;
    if (bytes < limit.rlim_cur) limit.rlim_cur = bytes;
    setrlimit(RLIMIT_DATA, &limit);
}

std::optional<std::uint64_t> memory_limit_megabytes() {
    const std::uint64_t megabytes = told.load();
    return megabytes == 0 ? std::nullopt : std::optional(megabytes);
}

}  // namespace stratagem
