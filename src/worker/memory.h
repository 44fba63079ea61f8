// How much memory there is, and how much of it this process may take.
#pragma once

#include <cstddef>

namespace stratagem::worker {

// What this computer has, or the container this runs in; at least 1.
std::size_t machine_megabytes();

// From here on, allocations beyond this fail. Nothing is limited under sanitizers, which reserve more than there is.
void limit_memory(std::size_t megabytes);

// From here on, allocations by `new` that fail are noticed.
void notice_failures();
// Whether one has failed since this was asked last.
bool starved();

}  // namespace stratagem::worker
