#include "cli/ranges.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "util/number_text.h"

namespace stratagem::cli {

namespace {

template <typename Number>
std::optional<Number> read_number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
    return {[=](std::string& text) {
                const std::optional<std::uint64_t> value = read_number<std::uint64_t>(text);
                if (value && *value >= least && *value <= most) return std::string();
                return fmt::format("must be a whole number between {} and {}, not '{}'", with_commas(least),
                                   with_commas(most), text);
            },
            fmt::format("{} to {}", with_commas(least), with_commas(most)), "whole number"};
}

CLI::Validator real_number(double least, double most) {
    return {[=](std::string& text) {
                const std::optional<double> value = read_number<double>(text);
                if (value && *value >= least && *value <= most) return std::string();  // nan is neither
                return fmt::format("must be a number between {} and {}, not '{}'", number_text(least),
                                   number_text(most), text);
            },
            fmt::format("{} to {}", number_text(least), number_text(most)), "number"};
}

}  // namespace stratagem::cli
