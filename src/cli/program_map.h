// What the program can be told: its commands and options as data, for wrong usage, completion, the man page and
// `list commands`. Read off the parser itself, so that none of them can be out of date.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace stratagem::cli {

// Those below a command that are not hidden, in the order they were added.
std::vector<const CLI::App*> visible_commands(const CLI::App& app);

// Null when there is none of this name.
const CLI::App* find_command(const CLI::App& app, std::string_view name);

// With the names of all commands it is part of: "stratagem bench playouts".
std::string full_name(const CLI::App& app);

// The options of a command, those of its groups and those it shares with the command it is part of, or its positional
// arguments.
std::vector<const CLI::Option*> named_options(const CLI::App& app);
std::vector<const CLI::Option*> positional_arguments(const CLI::App& app);

// An option by a name with its dashes; null when there is none.
const CLI::Option* find_option(const CLI::App& app, std::string_view name);

// A flag stands alone, anything else is followed by a value.
bool takes_value(const CLI::Option& option);

// What stands for the value in help: "N", "RECIPE", "kif|infix".
std::string value_name(const CLI::Option& option);

// "1 to 256" where there is such a range; empty otherwise.
std::string value_range(const CLI::Option& option);

// Whether the range is of whole numbers, of any numbers, or there is none.
bool is_whole_number(const CLI::Option& option);
bool is_number(const CLI::Option& option);

// "--depth", "-h,--help": as people see it.
std::string option_name(const CLI::Option& option);

}  // namespace stratagem::cli
