// Messages for people, on standard error: the one way commands write there.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "util/standard_error.h"

namespace stratagem::cli {

// As fmt::print to standard error, but what cannot be written is lost instead of ending the program.
template <typename... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    write_standard_error(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace stratagem::cli
