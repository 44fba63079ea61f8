// Names as small integers.
//
// Every word of a description is interned once; from then on names are compared as integers. The keywords of GDL
// have fixed numbers, so code can say Keyword::legal where it means the word `legal` of any table.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace stratagem::gdl {

enum class Symbol : std::uint32_t {};

constexpr std::uint32_t index(Symbol symbol) { return static_cast<std::uint32_t>(symbol); }

// The words with a meaning of their own, at these very indices in each SymbolTable.
namespace keyword {
enum : std::uint32_t {
    implies_index,
    not_index,
    or_index,
    and_index,
    distinct_index,
    role_index,
    init_index,
    true_index,
    next_index,
    legal_index,
    does_index,
    goal_index,
    terminal_index,
    base_index,
    input_index,
    sees_index,
    random_index,
    count
};
inline constexpr Symbol implies{implies_index};
inline constexpr Symbol negation{not_index};
inline constexpr Symbol disjunction{or_index};
inline constexpr Symbol conjunction{and_index};
inline constexpr Symbol distinct{distinct_index};
inline constexpr Symbol role{role_index};
inline constexpr Symbol init{init_index};
inline constexpr Symbol true_{true_index};
inline constexpr Symbol next{next_index};
inline constexpr Symbol legal{legal_index};
inline constexpr Symbol does{does_index};
inline constexpr Symbol goal{goal_index};
inline constexpr Symbol terminal{terminal_index};
inline constexpr Symbol base{base_index};
inline constexpr Symbol input{input_index};
inline constexpr Symbol sees{sees_index};
inline constexpr Symbol random{random_index};
}  // namespace keyword

constexpr bool is_keyword(Symbol symbol) { return index(symbol) < keyword::count; }
// <= not or and: words that build rules from atoms and are never atoms themselves.
constexpr bool is_connective(Symbol symbol) { return index(symbol) <= keyword::and_index; }
// The number of arguments GDL fixes for a keyword used as a relation; -1 for other symbols.
int keyword_arity(Symbol symbol);

class SymbolTable {
  public:
    SymbolTable();
    SymbolTable(const SymbolTable& other);
    SymbolTable& operator=(const SymbolTable& other);
    SymbolTable(SymbolTable&&) = default;
    SymbolTable& operator=(SymbolTable&&) = default;

    Symbol intern(std::string_view name);
    // True and the symbol when the name was interned before; does not change the table.
    bool find(std::string_view name, Symbol& symbol) const;
    std::string_view name(Symbol symbol) const { return names_[index(symbol)]; }
    std::size_t size() const { return names_.size(); }

  private:
    std::deque<std::string> names_;  // a deque: the map's keys are views of these strings
    std::unordered_map<std::string_view, Symbol> symbols_;
};

}  // namespace stratagem::gdl

template <>
struct std::hash<stratagem::gdl::Symbol> {
    std::size_t operator()(stratagem::gdl::Symbol symbol) const noexcept {
        return std::hash<std::uint32_t>{}(stratagem::gdl::index(symbol));
    }
};
