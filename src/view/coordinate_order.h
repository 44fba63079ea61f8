// In which order coordinates are drawn, whatever they are called.
//
// Numbers have their order in their names. Other names get theirs from the rules: games that compute with coordinates
// state their order as facts such as (successor a b). A relation whose facts link all coordinates of a domain into one
// chain orders it; a ring, as on a board without an edge, is cut somewhere. This is what keeps a board in shape when
// all names of a game are scrambled.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "machine/game.h"

namespace stratagem::view {

struct OrderedDomain {
    std::vector<std::string> names;  // in the order drawn
    bool ordered = false;            // the order means something; else it is that of the names
};

class CoordinateOrder {
  public:
    using Links = std::vector<std::pair<std::string, std::string>>;

    CoordinateOrder() = default;
    // From the facts with two arguments, which are all that is used of the rules.
    explicit CoordinateOrder(const machine::Game& game);
    explicit CoordinateOrder(std::map<std::string, Links> relations) : relations_(std::move(relations)) {}

    OrderedDomain sort(const std::set<std::string>& domain) const;

  private:
    std::map<std::string, Links> relations_;  // by name: the pairs it holds for
};

}  // namespace stratagem::view
