// Which arguments of functions and relations share a domain, by the variables of the rules.
//
// The dependency graph of Schiffel and Thielscher (2007, section 5): its nodes are the arguments of functions and
// relations, and two of them are connected where a variable of a rule stands in both. What is connected has a domain in
// common. That two arguments take the same constants says nothing by itself: the 1 of a column need not be the 1 of a
// price.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "machine/game.h"

namespace stratagem::analysis {

class ArgumentDomains {
  public:
    // Of rules that nothing is known about.
    ArgumentDomains() = default;
    // Of the rules of the game as they were written; nothing is known where it was not made from such. Symbols are
    // those of its ground program.
    explicit ArgumentDomains(const machine::Game& game);

    bool empty() const { return domains_.empty(); }
    // The domain of an argument of a function or relation, as a number; nothing where no rule mentions it.
    std::optional<std::uint32_t> find(gdl::Symbol symbol, std::uint32_t arity, std::uint32_t argument) const;
    // The rules connect an argument with one of a relation's. True where nothing is known.
    bool connected(gdl::Symbol symbol, std::uint32_t arity, std::uint32_t argument, gdl::Symbol relation,
                   std::uint32_t relation_arity) const;

  private:
    using Place = std::tuple<gdl::Symbol, std::uint32_t, std::uint32_t>;  // symbol, arity, argument

    friend class DomainFinder;
    std::map<Place, std::uint32_t> domains_;
};

}  // namespace stratagem::analysis
