// The option --results: results as a file for other programs and for papers.
#pragma once

#include <string>
#include <vector>

#include "arena/record.h"
#include "arena/table.h"
#include "cli/command.h"

namespace stratagem::cli {

// A file that cannot be written.
struct TableError : arena::RecordError {
    using arena::RecordError::RecordError;
};

// FILE.csv, FILE.md or FILE.tex, as often as wanted; another ending is wrong usage.
void add_table_option(CLI::App& command, std::vector<std::string>& files);

// Before hours of matches: throws TableError for a file that could not be written.
void check_tables(const std::vector<std::string>& files);
void write_tables(const std::vector<std::string>& files, const arena::Table& table);

}  // namespace stratagem::cli
