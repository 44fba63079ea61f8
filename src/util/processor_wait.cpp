#include "util/processor_wait.h"

#include <cstdio>

namespace stratagem {

std::optional<std::chrono::duration<double>> waited_for_processor() {
    // Nanoseconds on a processor, nanoseconds ready and waiting for one, number of turns (Linux, sched-stats.txt).
    std::FILE* file = std::fopen("/proc/thread-self/schedstat", "re");
    if (file == nullptr) return std::nullopt;
    unsigned long long running = 0, waiting = 0;
    const int found = std::fscanf(file, "%llu %llu", &running, &waiting);
    std::fclose(file);
    if (found != 2) return std::nullopt;
    return std::chrono::nanoseconds(waiting);
}

}  // namespace stratagem
