// How much memory the whole process may use, as its user or the process that started it said.
#pragma once

#include <cstdint>
#include <optional>

namespace stratagem {

// From now on allocations beyond so many megabytes fail (std::bad_alloc). The last resort below the limits that parts
// of the program keep by themselves. A limit that is lower already stays. Without effect
// where memory cannot be limited.
void limit_memory(std::uint64_t megabytes);

// Not under sanitizers, which need memory of their own.
bool can_limit_memory();

// What limit_memory() was told; nothing if it was not.
std::optional<std::uint64_t> memory_limit_megabytes();

}  // namespace stratagem
