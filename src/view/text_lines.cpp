#include "view/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "arena/report_svg.h"

namespace stratagem::view {

namespace {

constexpr std::size_t block_gap = 4;  // between blocks
constexpr std::array<std::string_view, 6> palette{"36", "33", "35", "32", "31", "34"};

// As terminals number them; empty for plain text.
std::vector<std::string_view> codes_of(const Style& style) {
    std::vector<std::string_view> codes;
    if (style.kind == Style::Kind::faint) codes.emplace_back("2");
    if (style.kind == Style::Kind::coloured) codes.push_back(palette[style.colour % palette.size()]);
    if (style.changed) codes.emplace_back("7");
    return codes;
}

void drop_spaces_at_end(std::string& text) { text.erase(text.find_last_not_of(' ') + 1); }

void append_html(std::string& html, const Span& span, std::string& last) {
    constexpr std::string_view closed = "</span>";
    const std::vector<std::string_view> codes = codes_of(span.style);
    if (codes.empty()) {
        html += arena::escape_html(span.text);
        return;
    }
    const std::string classes = fmt::format("c{}", fmt::join(codes, " c"));
    // What looks alike, with nothing but spaces between, shares one element.
    const bool goes_on =
        classes == last && std::string_view(html).substr(0, html.find_last_not_of(' ') + 1).ends_with(closed);
    if (goes_on) {
        html.erase(html.rfind(closed), closed.size());
    } else {
        html += fmt::format("<span class=\"{}\">", classes);
    }
    html += arena::escape_html(span.text);
    html += closed;
    last = classes;
}

}  // namespace

void Line::add(std::string text, Style style) { spans.push_back({std::move(text), style}); }

std::size_t Line::length() const {
    std::size_t sum = 0;
    for (const Span& span : spans) sum += span.text.size();
    return sum;
}

std::size_t width_of(const Lines& lines) {
    std::size_t widest = 0;
    for (const Line& line : lines) widest = std::max(widest, line.length());
    return widest;
}

Lines side_by_side(const std::vector<Lines>& blocks, std::size_t per_row) {
    Lines result;
    for (std::size_t begin = 0; begin < blocks.size(); begin += per_row) {
        const std::size_t end = std::min(blocks.size(), begin + per_row);
        std::size_t height = 0;
        for (std::size_t i = begin; i < end; ++i) height = std::max(height, blocks[i].size());
        if (begin > 0) result.emplace_back();
        for (std::size_t number = 0; number < height; ++number) {
            Line& row = result.emplace_back();
            for (std::size_t i = begin; i < end; ++i) {
                const bool there = number < blocks[i].size();
                const std::size_t length = there ? blocks[i][number].length() : 0;
                if (there) row.add(blocks[i][number]);
                row.add(std::string(width_of(blocks[i]) - length + block_gap, ' '));
            }
        }
    }
    return result;
}

std::string to_terminal(const Lines& lines, bool colour) {
    std::string text;
    for (const Line& line : lines) {
        std::string row;
        for (const Span& span : line.spans) {
            const std::vector<std::string_view> codes = codes_of(span.style);
            if (!colour || codes.empty()) {
                row += span.text;
            } else {
                row += fmt::format("\x1b[{}m{}\x1b[0m", fmt::join(codes, ";"), span.text);
            }
        }
        drop_spaces_at_end(row);
        text += row + '\n';
    }
    return text;
}

std::string to_html(const Lines& lines) {
    std::string html;
    std::string last;  // classes of the last element
    for (const Line& line : lines) {
        for (const Span& span : line.spans) append_html(html, span, last);
        drop_spaces_at_end(html);
        html += '\n';
    }
    return html;
}

Lines wrapped_lines(const std::vector<std::string>& words, std::size_t width) {
    Lines lines;
    std::string line;
    for (const std::string& word : words) {
        if (!line.empty() && line.size() + 1 + word.size() > width) {
            lines.emplace_back(std::move(line));
            line.clear();
        }
        line += line.empty() ? word : ' ' + word;
    }
    if (!line.empty()) lines.emplace_back(std::move(line));
    return lines;
}

std::string wrapped(const std::vector<std::string>& words, std::size_t width) {
    return to_terminal(wrapped_lines(words, width), false);
}

std::string wrapped_text(std::string_view text, std::size_t width) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (end > 0) words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return wrapped(words, width);
}

}  // namespace stratagem::view
