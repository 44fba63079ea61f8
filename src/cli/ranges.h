// What numbers an option takes: every option that takes one says so.
//
// A wrong number is wrong usage, and the message names the bounds as people write them; --help, the man page and
// `list commands` show them too.
#pragma once

#include <CLI/App.hpp>

#include <cstdint>

namespace stratagem::cli {

// A whole number from `least` to `most`, both included.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

// Any number from `least` to `most`, both included.
CLI::Validator real_number(double least, double most);

// The ranges most options share.
inline CLI::Validator seconds_range() { return real_number(0.001, 1'000'000); }
inline CLI::Validator seed_range() { return whole_number(0, UINT64_MAX); }
inline CLI::Validator thread_range() { return whole_number(1, 256); }
inline CLI::Validator megabyte_range() { return whole_number(1, 1'048'576); }
inline CLI::Validator step_range() { return whole_number(1, 1'000'000'000); }

}  // namespace stratagem::cli
