#include "arena/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace stratagem::arena {

namespace {

// RFC 4180.
std::string csv_cell(std::string_view text) {
    if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string markdown_cell(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (std::string_view("|\\`*_<[").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c == '\n' || c == '\r' ? ' ' : c;
    }
    return escaped;
}

std::string latex_cell(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '\\':
                escaped += "\\textbackslash{}";
                break;
            case '~':
                escaped += "\\textasciitilde{}";
                break;
            case '^':
                escaped += "\\textasciicircum{}";
                break;
            case '&':
            case '%':
            case '$':
            case '#':
            case '_':
            case '{':
            case '}':
                escaped += std::string("\\") + c;
                break;
            case '\n':
            case '\r':
                escaped += ' ';
                break;
            case '[':
            case ']':
                escaped += fmt::format("{{{}}}", c);  // after \\ it would be an option
                break;
            default:
                escaped += c;
        }
    }
    return escaped;
}

std::string csv(const Table& table) {
    std::vector<std::string> cells;
    for (const Column& column : table.columns) cells.push_back(csv_cell(column.name));
    for (const auto& [name, value] : table.about) cells.push_back(csv_cell(name));
    std::string text = fmt::format("{}\r\n", fmt::join(cells, ","));
    for (const std::vector<std::string>& row : table.rows) {
        cells.clear();
        for (const std::string& cell : row) cells.push_back(csv_cell(cell));
        for (const auto& [name, value] : table.about) cells.push_back(csv_cell(value));
        text += fmt::format("{}\r\n", fmt::join(cells, ","));
    }
    return text;
}

// The columns people see, of one row.
template <typename Escape>
std::vector<std::string> seen(const Table& table, const std::vector<std::string>& row, const Escape& escape) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (!table.columns[i].for_csv) cells.push_back(escape(row[i]));
    }
    return cells;
}

std::vector<std::string> names_of(const Table& table) {
    std::vector<std::string> names;
    for (const Column& column : table.columns) names.push_back(column.name);
    return names;
}

std::string markdown(const Table& table) {
    std::vector<std::string> lines;
    for (const Column& column : table.columns) {
        if (!column.for_csv) lines.emplace_back(column.number ? "---:" : "---");
    }
    const auto line = [](const std::vector<std::string>& cells) {
        return fmt::format("| {} |\n", fmt::join(cells, " | "));
    };
    std::string text = fmt::format("### {}\n\n", markdown_cell(table.title));
    text += line(seen(table, names_of(table), markdown_cell)) + line(lines);
    for (const std::vector<std::string>& row : table.rows) text += line(seen(table, row, markdown_cell));
    text += "\n";
    for (const auto& [name, value] : table.about) {
        text += fmt::format("- {}: {}\n", markdown_cell(name), markdown_cell(value));
    }
    return text;
}

std::string latex(const Table& table) {
    std::string text, kinds;
    for (const auto& [name, value] : table.about) {
        std::string plain = fmt::format("% {}: {}", name, value);
        std::ranges::replace_if(
            plain, [](char c) { return c == '\n' || c == '\r'; }, ' ');
        text += plain + "\n";
    }
    for (const Column& column : table.columns) {
        if (!column.for_csv) kinds += column.number ? 'r' : 'l';
    }
    const auto line = [](const std::vector<std::string>& cells) {
        return fmt::format("{} \\\\\n", fmt::join(cells, " & "));
    };
    text += fmt::format("% {}\n\\begin{{tabular}}{{{}}}\n\\hline\n", latex_cell(table.title), kinds);
    text += line(seen(table, names_of(table), latex_cell)) + "\\hline\n";
    for (const std::vector<std::string>& row : table.rows) text += line(seen(table, row, latex_cell));
    return text + "\\hline\n\\end{tabular}\n";
}

}  // namespace

std::optional<TableForm> form_of(const std::filesystem::path& file) {
    const std::string ending = file.extension().string();
    if (ending == ".csv") return TableForm::csv;
    if (ending == ".md") return TableForm::markdown;
    if (ending == ".tex") return TableForm::latex;
    return std::nullopt;
}

std::string to_text(const Table& table, TableForm form) {
    switch (form) {
        case TableForm::csv:
            return csv(table);
        case TableForm::markdown:
            return markdown(table);
        case TableForm::latex:
            return latex(table);
    }
    return {};
}

}  // namespace stratagem::arena
