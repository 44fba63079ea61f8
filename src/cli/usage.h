// How the program is used: help in the form of this program, and what is said of wrong usage.
#pragma once

#include <CLI/App.hpp>

#include <string>

namespace stratagem::cli {

// Options with their values, ranges and defaults as people write them.
class HelpFormat : public CLI::Formatter {
  public:
    HelpFormat();
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_option_desc(const CLI::Option* option) const override;
    // Columns are filled up by what is seen, not by bytes.
    std::string make_option(const CLI::Option* option, bool is_positional) const override;
};

// The help of a command, whatever was parsed.
std::string help_text(const CLI::App& app);

// What was wrong, in one line, with the nearest right word; and where to read on, in a second.
std::string usage_fault(const CLI::App& program, const CLI::ParseError& fault);

// For a word that should have been a command below `app`.
std::string unknown_command(const CLI::App& app, const std::string& word);

}  // namespace stratagem::cli
