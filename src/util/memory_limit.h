// How much memory the whole process may use, as its user said.
#pragma once

#include <cstdint>
#include <optional>

namespace stratagem {

// From now on allocations beyond so many megabytes fail (std::bad_alloc). The last resort below the limits that parts
// of the program keep by themselves. Without effect under sanitizers, which need memory of their own.
void limit_memory(std::uint64_t megabytes);

// What limit_memory() was told; nothing if it was not.
std::optional<std::uint64_t> memory_limit_megabytes();

}  // namespace stratagem
