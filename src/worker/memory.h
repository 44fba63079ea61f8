// How much memory there is, and whether it ran out. Limits: util/memory_limit.h.
#pragma once

#include <cstddef>

namespace stratagem::worker {

// What this computer has, or the container this runs in; at least 1.
std::size_t machine_megabytes();

// From here on, allocations by `new` that fail are noticed.
void notice_failures();
// Whether one has failed since this was asked last.
bool starved();

}  // namespace stratagem::worker
