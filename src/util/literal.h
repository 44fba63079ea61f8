// A literal: something that is true or false, or its negation, in one word: its number << 1 | negated, as AIGER and
// MiniSat have it.
//
// What the literals of ground rules, the signals of circuits and the edges of formulas and networks have in common. Of
// says what is numbered: atoms, which have a type of their own, or the nodes of some graph, which have none.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>

namespace stratagem {

template <typename Of>
class Literal {
  public:
    // What has number 0.
    constexpr Literal() = default;
    constexpr explicit Literal(Of of) : code_(static_cast<std::uint32_t>(of) << 1) {}
    constexpr Literal(Of node, bool negated) requires std::integral<Of> : code_(node << 1 | (negated ? 1U : 0U)) {}
    static constexpr Literal from_code(std::uint32_t code) {
        Literal result;
        result.code_ = code;
        return result;
    }

    constexpr Of atom() const requires(!std::integral<Of>) { return static_cast<Of>(code_ >> 1); }
    constexpr Of node() const requires std::integral<Of> { return code_ >> 1; }
    constexpr bool negated() const { return (code_ & 1U) != 0; }
    constexpr bool positive() const { return !negated(); }
    // For tables that have an entry for each literal.
    constexpr std::uint32_t code() const { return code_; }

    constexpr Literal operator!() const { return from_code(code_ ^ 1U); }
    // Its negation if `flip`, else the literal itself.
    constexpr Literal operator^(bool flip) const { return from_code(code_ ^ (flip ? 1U : 0U)); }
    // By number; something before its negation.
    constexpr auto operator<=>(const Literal&) const = default;

  private:
    std::uint32_t code_ = 0;
};

}  // namespace stratagem
