// How long a thread was ready to run and was not given a processor, by what the system counts.
//
// On a busy machine this, and not the program, is why an answer comes late, and only the system can tell the two apart.
#pragma once

#include <chrono>
#include <optional>

namespace stratagem {

// Of the calling thread, since it began. Nothing where the system does not count it.
std::optional<std::chrono::duration<double>> waited_for_processor();

}  // namespace stratagem
