#include "view/move_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

namespace stratagem::view {

namespace {

// Of what is typed: case, spaces, and spaces next to parentheses do not matter.
std::string folded(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const bool space = c == ' ' || (c >= '\t' && c <= '\r');
        if (space || c == ')') {
            if (c == ')') {
                if (!result.empty() && result.back() == ' ') result.pop_back();
                result += ')';
            } else if (!result.empty() && result.back() != ' ' && result.back() != '(') {
                result += ' ';
            }
            continue;
        }
        result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    if (!result.empty() && result.back() == ' ') result.pop_back();
    return result;
}

// Whether the parentheses at both ends belong together.
bool is_enclosed(std::string_view text) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') return false;
    std::size_t depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')' && --depth == 0) return i + 1 == text.size();
    }
    return false;
}

std::optional<std::size_t> number(std::string_view text) {
    std::size_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

template <typename Fits>
MoveMatch all_that(const std::vector<std::string>& plain, Fits&& fits) {
    MoveMatch match;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        if (fits(plain[i])) match.places.push_back(i);
    }
    return match;
}

}  // namespace

std::string plain_move(std::string_view text) {
    const std::string whole = folded(text);
    return is_enclosed(whole) ? whole.substr(1, whole.size() - 2) : whole;
}

MoveMatch match_move(std::string_view typed, const std::vector<std::string>& names) {
    std::vector<std::string> plain;
    for (const std::string& name : names) plain.push_back(plain_move(name));
    std::string wanted = plain_move(typed);
    // A move half typed has an opening parenthesis only.
    if (!wanted.empty() && wanted.front() == '(' && std::ranges::count(wanted, '(') > std::ranges::count(wanted, ')')) {
        wanted.erase(0, 1);
    }
    if (wanted.empty()) return {};
    MoveMatch match = all_that(plain, [&](const std::string& name) { return name == wanted; });
    if (!match.places.empty()) return match;
    if (const std::optional<std::size_t> place = number(folded(typed))) {
        if (*place >= 1 && *place <= names.size()) return {{*place - 1}};
        return {};
    }
    match = all_that(plain, [&](const std::string& name) { return name.starts_with(wanted + ' '); });
    if (!match.places.empty()) return match;
    match = all_that(plain, [&](const std::string& name) { return name.starts_with(wanted); });
    if (!match.places.empty()) return match;
    return all_that(plain, [&](const std::string& name) {
        const std::size_t space = name.find(' ');
        return space != std::string::npos && name.substr(space + 1) == wanted;
    });
}

std::string move_columns(const std::vector<std::string>& names, const std::vector<std::size_t>& places,
                         std::size_t width) {
    if (places.empty()) return "";
    constexpr std::size_t gap = 3;
    const std::size_t digits = fmt::formatted_size("{}", places.back() + 1);
    std::vector<std::string> entries;
    std::size_t widest = 0;
    for (const std::size_t place : places) {
        entries.push_back(fmt::format("{:>{}} {}", place + 1, digits, names[place]));
        widest = std::max(widest, entries.back().size());
    }
    const std::size_t columns = std::max<std::size_t>(1, (width + gap) / (widest + gap));
    const std::size_t rows = (entries.size() + columns - 1) / columns;
    std::string text;
    for (std::size_t row = 0; row < rows; ++row) {
        std::string line;
        for (std::size_t i = row; i < entries.size(); i += rows)
            line += fmt::format("{:<{}}", entries[i], widest + gap);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

}  // namespace stratagem::view
