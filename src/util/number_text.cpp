#include "util/number_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace stratagem {

std::string with_commas(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t place = text.size(); place > 3;) {
        place -= 3;
        text.insert(place, ",");
    }
    return text;
}

std::string number_text(double number) {
    const double size = std::abs(number);
    const bool readable = number == 0 || (size >= 1e-6 && size <= 1e15);
    if (readable && size == std::floor(size)) {
        return (number < 0 ? "-" : "") + with_commas(static_cast<std::uint64_t>(size));
    }
    std::array<char, 32> buffer{};
    const auto format = readable ? std::chars_format::fixed : std::chars_format::general;
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format);
    return error == std::errc{} ? std::string(buffer.data(), end) : "?";
}

}  // namespace stratagem
