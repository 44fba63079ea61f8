#include "view/fluent_text.h"

#include <algorithm>

namespace stratagem::view {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A run of digits at `place`, without leading zeros; moves `place` behind it.
std::string_view take_number(std::string_view text, std::size_t& place) {
    std::size_t end = place;
    while (end < text.size() && is_digit(text[end])) ++end;
    while (place + 1 < end && text[place] == '0') ++place;
    const std::string_view number = text.substr(place, end - place);
    place = end;
    return number;
}

}  // namespace

FluentText read_fluent(std::string_view kif) {
    if (kif.size() < 3 || kif.front() != '(' || kif.back() != ')') return {std::string(kif), {}};
    const std::string_view inner = kif.substr(1, kif.size() - 2);
    std::vector<std::string> words(1);
    std::size_t depth = 0;
    for (const char c : inner) {
        if (c == ')' && depth-- == 0) return {std::string(kif), {}};
        if (c == '(') ++depth;
        if (c == ' ' && depth == 0) {
            words.emplace_back();
        } else {
            words.back() += c;
        }
    }
    if (depth != 0 || std::ranges::any_of(words, &std::string::empty)) return {std::string(kif), {}};
    FluentText fluent;
    fluent.relation = std::move(words.front());
    fluent.arguments.assign(std::make_move_iterator(words.begin() + 1), std::make_move_iterator(words.end()));
    return fluent;
}

std::string to_text(const FluentText& fluent) {
    if (fluent.arguments.empty()) return fluent.relation;
    std::string text = "(" + fluent.relation;
    for (const std::string& argument : fluent.arguments) text += " " + argument;
    return text + ")";
}

std::vector<FluentText> fluents_of(const machine::Machine& machine, const machine::State& state) {
    std::vector<std::string> names;
    state.for_each([&](machine::Fluent fluent) { names.push_back(machine.fluent_name(fluent)); });
    std::ranges::sort(names, natural_less);
    std::vector<FluentText> result;
    for (const std::string& name : names) result.push_back(read_fluent(name));
    return result;
}

bool natural_less(std::string_view a, std::string_view b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (is_digit(a[i]) && is_digit(b[j])) {
            const std::string_view left = take_number(a, i);
            const std::string_view right = take_number(b, j);
            if (left.size() != right.size()) return left.size() < right.size();
            if (left != right) return left < right;
        } else {
            if (a[i] != b[j]) return a[i] < b[j];
            ++i;
            ++j;
        }
    }
    if (i < a.size() || j < b.size()) return j < b.size();
    return a < b;  // "01" and "1"
}

}  // namespace stratagem::view
