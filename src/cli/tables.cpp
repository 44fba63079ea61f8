#include "cli/tables.h"

#include <fmt/format.h>

#include "util/output_file.h"

namespace stratagem::cli {

namespace {

void require(const std::string& file, const WriteProblem& problem) {
    if (problem) throw TableError(fmt::format("--results: cannot write {}: {}", file, *problem));
}

}  // namespace

void add_table_option(CLI::App& command, std::vector<std::string>& files) {
    command
        .add_option("--results", files,
                    "Write the results as a table to FILE.csv, FILE.md or FILE.tex; may be given several times")
        ->type_name("FILE")
        ->check([](const std::string& name) -> std::string {
            if (arena::form_of(name)) return {};
            return fmt::format("{} must end in .csv, .md (Markdown) or .tex (LaTeX)", name);
        });
}

void check_tables(const std::vector<std::string>& files) {
    for (const std::string& file : files) require(file, cannot_write(file));
}

void write_tables(const std::vector<std::string>& files, const arena::Table& table) {
    for (const std::string& file : files) {
        if (const std::optional<arena::TableForm> form = arena::form_of(file)) {
            require(file, write_file(file, arena::to_text(table, *form)));
        }
    }
}

}  // namespace stratagem::cli
