// What could come next on a command line: for the Tab key of shells.
//
// The scripts of the shells only hand over the words and show the answer, so that bash and zsh agree, and both with the
// program that is installed.
#pragma once

#include <CLI/App.hpp>

#include <span>
#include <string>
#include <vector>

namespace stratagem::cli {

// Stands among the answers where names of files fit too.
inline constexpr const char* files_fit = ":files";

// `given` are the words after the name of the program, the last one unfinished (and perhaps empty). Everything that may
// stand in its place: commands, options, games, recipes, machines, choices.
std::vector<std::string> completions(const CLI::App& program, std::span<const std::string> given);

std::string bash_completion_script();
std::string zsh_completion_script();

}  // namespace stratagem::cli
