// The manual page, section 1, from the texts of --help.
#pragma once

#include <CLI/App.hpp>

#include <string>

namespace stratagem::cli {

// As roff, for man.
std::string man_page(const CLI::App& program);

}  // namespace stratagem::cli
