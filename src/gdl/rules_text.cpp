#include "gdl/rules_text.h"

#include <cstdint>

#include "gdl/print.h"
#include "util/fnv_hash.h"

namespace stratagem::gdl {

std::string rules_text(const Description& description) {
    std::string text;
    for (const Rule& rule : description.rules) text += to_kif(description.terms, rule) + '\n';
    return text;
}

std::string rules_hash(std::string_view rules_text) {
    FnvHash sum;
    sum.add_bytes(rules_text);
    std::uint64_t hash = sum.value();
    std::string digits(16, '0');
    for (std::size_t place = digits.size(); place-- > 0; hash >>= 4) digits[place] = "0123456789abcdef"[hash & 15];
    return digits;
}

}  // namespace stratagem::gdl
