#include "gdl/rules_text.h"

#include <cstdint>

#include "gdl/print.h"

namespace stratagem::gdl {

std::string rules_text(const Description& description) {
    std::string text;
    for (const Rule& rule : description.rules) text += to_kif(description.terms, rule) + '\n';
    return text;
}

std::string rules_hash(std::string_view rules_text) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;  // FNV-1a
    for (const char c : rules_text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    std::string digits(16, '0');
    for (std::size_t place = digits.size(); place-- > 0; hash >>= 4) digits[place] = "0123456789abcdef"[hash & 15];
    return digits;
}

}  // namespace stratagem::gdl
