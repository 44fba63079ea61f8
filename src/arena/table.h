// Tables for other programs and for papers: CSV, Markdown, LaTeX.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stratagem::arena {

struct Column {
    std::string name;
    bool number = false;   // set to the right
    bool for_csv = false;  // left out where people read it
};

struct Table {
    std::string title;
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;  // a text for each column
    // What holds for all of it: further columns in CSV, so that the tables of several runs can be put together; lines
    // below it, or comments, elsewhere.
    std::vector<std::pair<std::string, std::string>> about;
};

enum class TableForm : unsigned char { csv, markdown, latex };
// By the ending of the name: .csv, .md, .tex.
std::optional<TableForm> form_of(const std::filesystem::path& file);

std::string to_text(const Table& table, TableForm form);

}  // namespace stratagem::arena
