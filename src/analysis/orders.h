// Static binary relations by what they mean: successors and orders, whatever they are called and however they are
// written.
//
// A relation that is antisymmetric, functional, injective and without cycles is a successor relation; one that is
// antisymmetric and transitive is an order. Of both the covering relation counts (no element in between): its paths
// give the index of every element and the distance between two.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "gdl/description.h"
#include "machine/stop.h"

namespace stratagem::analysis {

struct Order {
    enum class Kind : std::uint8_t { successor, order };

    std::string relation;  // its name in the rules
    Kind kind = Kind::successor;
    std::vector<std::string> elements;                     // by index along the covering relation, ties by name
    std::unordered_map<std::string, std::uint32_t> index;  // of each element: steps from the farthest beginning
    std::unordered_map<std::string, std::uint32_t> place;  // of each element in `elements`
    std::vector<std::vector<std::uint32_t>> next;          // by place in `elements`: places of those that follow
    std::uint32_t longest = 0;                             // index of the last
    bool linear = false;                                   // every two elements are comparable

    std::optional<std::uint32_t> index_of(const std::string& element) const;
    // Steps along the covering relation, forwards; nothing where there is no way.
    std::optional<std::uint32_t> steps(const std::string& from, const std::string& to) const;
    // One step leads from the one to the other: steps() without a search.
    bool follows(const std::string& from, const std::string& to) const;
};

// Elements are terms as prefix KIF. Relations without three elements in a row say too little and are left out.
std::vector<Order> find_orders(const gdl::Description& description, const machine::Stop& stop);

}  // namespace stratagem::analysis
