#include "util/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "util/edit_distance.h"
#include "util/number_text.h"

namespace stratagem {

namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

// Calls use(part) for each part between separators; an empty text has no parts.
template <typename Use>
void for_each_part(std::string_view text, char separator, Use&& use) {
    while (!text.empty()) {
        const std::size_t end = text.find(separator);
        use(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

// As short as it can be read back; the spelling of values, not for people.
std::string shortest_text(double number) {
    std::array<char, 32> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    return error == std::errc{} ? std::string(buffer.data(), end) : "?";
}

std::optional<bool> read_flag(std::string_view text) {
    for (const std::string_view yes : {"on", "true", "yes", "1"}) {
        if (text == yes) return true;
    }
    for (const std::string_view no : {"off", "false", "no", "0"}) {
        if (text == no) return false;
    }
    return std::nullopt;
}

template <typename Number>
std::optional<Number> read_number(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

bool is_choice(const Option& option, std::string_view text) {
    bool found = false;
    for_each_part(option.choices, '|', [&](std::string_view choice) { found = found || choice == text; });
    return found;
}

// What would be right, for the message.
std::string wanted(const Option& option) {
    switch (option.kind) {
        case Option::Kind::flag:
            return "on or off";
        case Option::Kind::integer:
            return "a whole number between " + number_text(option.least) + " and " + number_text(option.most);
        case Option::Kind::real:
            return "a number between " + number_text(option.least) + " and " + number_text(option.most);
        case Option::Kind::choice:
            return "one of " + std::string(option.choices);
        case Option::Kind::text:
            return "a name";
    }
    return {};
}

// The value in its one spelling; nothing when it is wrong.
std::optional<std::string> canonical(const Option& option, std::string_view text) {
    const auto in_range = [&](double number) { return number >= option.least && number <= option.most; };
    switch (option.kind) {
        case Option::Kind::flag:
            if (const std::optional<bool> flag = read_flag(text)) return *flag ? "on" : "off";
            return std::nullopt;
        case Option::Kind::integer: {
            const std::optional<std::int64_t> number = read_number<std::int64_t>(text);
            if (!number || !in_range(static_cast<double>(*number))) return std::nullopt;
            return std::to_string(*number);
        }
        case Option::Kind::real: {
            const std::optional<double> number = read_number<double>(text);
            if (!number || !std::isfinite(*number) || !in_range(*number)) return std::nullopt;
            return shortest_text(*number);
        }
        case Option::Kind::choice:
            if (!is_choice(option, text)) return std::nullopt;
            return std::string(text);
        case Option::Kind::text:
            return std::string(text);
    }
    return std::nullopt;
}

[[noreturn]] void unknown_option(std::span<const Option> described, std::string_view name) {
    std::string message = "there is no option " + quoted(name);
    if (described.empty()) throw OptionError(message + ": none can be set here");
    const Option* nearest = nullptr;
    std::size_t least = 3;  // further apart than this is no slip of the finger
    for (const Option& option : described) {
        const std::size_t distance = edit_distance(name, option.name, least);
        if (distance < least) {
            least = distance;
            nearest = &option;
        }
    }
    if (nearest != nullptr) throw OptionError(message + "; did you mean " + quoted(nearest->name) + "?");
    message += "; there are";
    for (const Option& option : described) message += " " + std::string(option.name);
    throw OptionError(message);
}

// "name=a|b" or "name!=a|b".
bool holds(const OptionValues& values, std::string_view comparison) {
    const std::size_t equals = comparison.find('=');
    const bool negated = equals > 0 && comparison[equals - 1] == '!';
    const std::string& value = values.text(comparison.substr(0, equals - (negated ? 1 : 0)));
    bool among = false;
    for_each_part(comparison.substr(equals + 1), '|', [&](std::string_view one) { among = among || one == value; });
    return among != negated;
}

}  // namespace

bool accepts(const Option& option, std::string_view text) { return canonical(option, trimmed(text)).has_value(); }

OptionValues::OptionValues(std::span<const Option> described, std::string_view text) : described_(described) {
    for (const Option& option : described_) {
        const std::optional<std::string> value = canonical(option, option.default_value);
        if (!value) throw OptionError("the default of option " + quoted(option.name) + " must be " + wanted(option));
        values_.push_back(*value);
    }
    std::vector<bool> given(described_.size(), false);
    for_each_part(text, ',', [&](std::string_view part) {
        part = trimmed(part);
        if (part.empty()) return;
        const std::size_t equals = part.find('=');
        const std::string_view name = trimmed(part.substr(0, equals));
        const auto found = std::find_if(described_.begin(), described_.end(),
                                        [&](const Option& option) { return option.name == name; });
        if (found == described_.end()) unknown_option(described_, name);
        const std::size_t place = static_cast<std::size_t>(found - described_.begin());
        if (given[place]) throw OptionError("option " + quoted(name) + " is given twice");
        given[place] = true;
        // A flag alone means on.
        std::string_view value =
            equals == std::string_view::npos ? std::string_view{} : trimmed(part.substr(equals + 1));
        if (equals == std::string_view::npos && found->kind == Option::Kind::flag) value = "on";
        std::optional<std::string> read = canonical(*found, value);
        if (!read) {
            throw OptionError("option " + quoted(name) + " must be " + wanted(*found) + ", not " + quoted(value));
        }
        values_[place] = std::move(*read);
    });
}

const std::string& OptionValues::text_of(std::string_view name, Option::Kind kind) const {
    for (std::size_t i = 0; i < described_.size(); ++i) {
        if (described_[i].name == name && described_[i].kind == kind) return values_[i];
    }
    throw std::logic_error("no option of this kind is described: " + std::string(name));
}

bool OptionValues::flag(std::string_view name) const { return text_of(name, Option::Kind::flag) == "on"; }

std::int64_t OptionValues::integer(std::string_view name) const {
    return read_number<std::int64_t>(text_of(name, Option::Kind::integer)).value();
}

double OptionValues::real(std::string_view name) const {
    return read_number<double>(text_of(name, Option::Kind::real)).value();
}

const std::string& OptionValues::choice(std::string_view name) const { return text_of(name, Option::Kind::choice); }

const std::string& OptionValues::text(std::string_view name) const {
    for (std::size_t i = 0; i < described_.size(); ++i) {
        if (described_[i].name == name) return values_[i];
    }
    throw std::logic_error("no such option is described: " + std::string(name));
}

std::string_view OptionValues::unmet(std::string_view condition, std::span<const std::string_view> facts) const {
    constexpr std::string_view alternative = " or ";
    std::string_view found;
    for_each_part(condition, ',', [&](std::string_view clause) {
        bool met = false;
        for (std::string_view rest = clause; !rest.empty() && !met;) {
            const std::size_t end = rest.find(alternative);
            const std::string_view one = rest.substr(0, end);
            met = one.find('=') == std::string_view::npos ? std::ranges::find(facts, one) != facts.end()
                                                          : holds(*this, one);
            rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + alternative.size());
        }
        if (!met && found.empty()) found = clause;
    });
    return found;
}

std::string OptionValues::to_text() const {
    std::string text;
    for (std::size_t i = 0; i < described_.size(); ++i) {
        if (i > 0) text += ",";
        text += std::string(described_[i].name) + "=" + values_[i];
    }
    return text;
}

}  // namespace stratagem
