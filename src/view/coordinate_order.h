// In which order coordinates are drawn, whatever they are called.
//
// The order is that of the analysis: a static relation that orders all coordinates of a domain, such as (successor a b)
// or a notion of "less" the rules work out; a ring, as on a board without an edge, is cut somewhere. This keeps a board
// in shape when all names of a game are scrambled. Names decide the direction where they count (1 2 3, a b c), and the
// order where no relation does.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/orders.h"
#include "analysis/rings.h"
#include "machine/game.h"

namespace stratagem::view {

struct OrderedDomain {
    std::vector<std::string> names;  // in the order drawn
    bool ordered = false;            // the order means something; else it is that of the names
};

class CoordinateOrder {
  public:
    // By names alone.
    CoordinateOrder() = default;
    // Of its ground rules; where there are none, the facts among its rules take their place.
    explicit CoordinateOrder(const machine::Game& game);

    OrderedDomain sort(const std::set<std::string>& domain) const;

  private:
    using Names = std::vector<std::string>;
    // Facts, and the terms they are of.
    struct Facts {
        gdl::TermPool terms;
        ground::Statics statics;
    };

    static Facts facts_of(const machine::Game& game);
    void find_orders(const ground::Statics& statics, const gdl::TermPool& terms);
    void remember(const gdl::TermPool& terms, gdl::Term term);
    // The domain along an order or a ring; empty where it does not fit.
    Names along(const analysis::Order& order, const Names& domain) const;
    Names around(const analysis::Ring& ring, const Names& domain) const;
    Names by_relation(const Names& domain) const;

    std::vector<analysis::Order> orders_;  // the ones to be preferred first
    std::vector<analysis::Ring> rings_;
    std::unordered_map<std::string, gdl::Term> terms_;  // what they order, by name
    std::unordered_map<gdl::Term, std::string> names_;
};

}  // namespace stratagem::view
