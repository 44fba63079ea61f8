// Terms, each stored once.
//
// Hash-consing: building the same term twice gives the same Term, so equality is one comparison and a term costs
// four bytes wherever it is kept. Atoms are terms too: (true (cell 1 1 b)) is the term whose functor is `true`.
// A constant is a term without arguments; `terminal` and `(terminal)` are therefore the same.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gdl/symbol.h"

namespace stratagem::gdl {

enum class Term : std::uint32_t {};

constexpr std::uint32_t index(Term term) { return static_cast<std::uint32_t>(term); }

class TermPool {
  public:
    TermPool();

    SymbolTable& symbols() { return symbols_; }
    const SymbolTable& symbols() const { return symbols_; }

    // The name of a variable is kept without its question mark.
    Term variable(Symbol name);
    Term constant(Symbol name) { return compound(name, {}); }
    // `arguments` may be a view into this pool.
    Term compound(Symbol functor, std::span<const Term> arguments);

    bool is_variable(Term term) const { return records_[index(term)].kind_is_variable; }
    // Functor, constant or variable name.
    Symbol symbol(Term term) const { return records_[index(term)].symbol; }
    std::uint32_t arity(Term term) const { return records_[index(term)].arity; }
    // Valid until the next term is made.
    std::span<const Term> arguments(Term term) const;
    Term argument(Term term, std::uint32_t position) const { return arguments(term)[position]; }
    // No variable anywhere inside.
    bool is_ground(Term term) const { return records_[index(term)].ground; }

    std::size_t size() const { return records_.size(); }

  private:
    struct Record {
        Symbol symbol{};
        std::uint32_t first_argument = 0;
        std::uint32_t arity = 0;
        bool kind_is_variable = false;
        bool ground = true;
    };

    Term find_or_add(const Record& record, std::span<const Term> arguments);
    std::size_t hash(const Record& record, std::span<const Term> arguments) const;
    void grow();

    SymbolTable symbols_;
    std::vector<Record> records_;
    std::vector<Term> arguments_;
    // Open addressing, power-of-two size; holds term index + 1, 0 is empty.
    std::vector<std::uint32_t> slots_;
};

}  // namespace stratagem::gdl

template <>
struct std::hash<stratagem::gdl::Term> {
    std::size_t operator()(stratagem::gdl::Term term) const noexcept {
        return std::hash<std::uint32_t>{}(stratagem::gdl::index(term));
    }
};
