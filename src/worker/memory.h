// How much memory there is, and how much of it this process may take.
#pragma once

#include <cstddef>

namespace stratagem::worker {

// What this computer has, or the container this runs in; at least 1.
std::size_t machine_megabytes();

// From here on, allocations beyond this fail. Nothing is limited under sanitizers, which reserve more than there is.
void limit_memory(std::size_t megabytes);

// Whether an allocation by `new` has failed since count_failures() was called.
void count_failures();
bool starved();

}  // namespace stratagem::worker
