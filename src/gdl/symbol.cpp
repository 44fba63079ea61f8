#include "gdl/symbol.h"

#include <array>

namespace stratagem::gdl {

namespace {

struct KeywordEntry {
    std::string_view name;
    int arity;  // -1: not a relation, or any number of operands
};

// In the order of the enumeration in keyword::.
constexpr std::array<KeywordEntry, keyword::count> keywords{{
    {"<=", -1},
    {"not", 1},
    {"or", -1},
    {"and", -1},
    {"distinct", 2},
    {"role", 1},
    {"init", 1},
    {"true", 1},
    {"next", 1},
    {"legal", 2},
    {"does", 2},
    {"goal", 2},
    {"terminal", 0},
    {"base", 1},
    {"input", 2},
    {"sees", 2},
    {"random", -1},
}};

}  // namespace

int keyword_arity(Symbol symbol) { return is_keyword(symbol) ? keywords[index(symbol)].arity : -1; }

SymbolTable::SymbolTable() {
    for (const KeywordEntry& entry : keywords) intern(entry.name);
}

SymbolTable::SymbolTable(const SymbolTable& other) : names_(other.names_) {
    // The copied map would point into the other table's strings.
    symbols_.reserve(names_.size());
    for (std::uint32_t i = 0; i < names_.size(); ++i) symbols_.emplace(names_[i], Symbol{i});
}

SymbolTable& SymbolTable::operator=(const SymbolTable& other) {
    if (this != &other) *this = SymbolTable(other);
    return *this;
}

Symbol SymbolTable::intern(std::string_view name) {
    if (const auto found = symbols_.find(name); found != symbols_.end()) return found->second;
    const Symbol symbol{static_cast<std::uint32_t>(names_.size())};
    names_.emplace_back(name);
    symbols_.emplace(names_.back(), symbol);
    return symbol;
}

bool SymbolTable::find(std::string_view name, Symbol& symbol) const {
    const auto found = symbols_.find(name);
    if (found == symbols_.end()) return false;
    symbol = found->second;
    return true;
}

}  // namespace stratagem::gdl
