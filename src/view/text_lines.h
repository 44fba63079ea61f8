// Lines of text with styles, before anybody knows what shows them: terminals and pages have words of their own for a
// colour.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stratagem::view {

struct Style {
    enum class Kind : unsigned char { plain, faint, coloured };

    Kind kind = Kind::plain;
    std::size_t colour = 0;  // where coloured
    bool changed = false;    // it stands out

    friend bool operator==(const Style&, const Style&) = default;
};

struct Span {
    std::string text;  // without line breaks
    Style style = {};
};

struct Line {
    std::vector<Span> spans;

    Line() = default;
    explicit Line(std::string text) { add(std::move(text)); }
    void add(std::string text, Style style = {});
    void add(const Line& line) { spans.insert(spans.end(), line.spans.begin(), line.spans.end()); }
    std::size_t length() const;
};
using Lines = std::vector<Line>;

std::size_t width_of(const Lines& lines);

// Blocks in rows of so many, with room between them and an empty line between rows.
Lines side_by_side(const std::vector<Lines>& blocks, std::size_t per_row);

// Lines that end with a line break, without spaces at their ends. With colour: escape sequences of terminals.
std::string to_terminal(const Lines& lines, bool colour);
// For a <pre>; styles are classes: "c36" and the like as on a terminal, "c2" what is faint, "c7" what changed.
std::string to_html(const Lines& lines);

// Words with spaces between them, on lines no longer than `width` unless a word is.
std::string wrapped(const std::vector<std::string>& words, std::size_t width);
Lines wrapped_lines(const std::vector<std::string>& words, std::size_t width);
// The words of a text.
std::string wrapped_text(std::string_view text, std::size_t width);

}  // namespace stratagem::view
