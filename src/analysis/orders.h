// Static binary relations by what they mean: successors and orders, whatever they are called and however they are
// written.
//
// A relation that is antisymmetric, functional, injective and without cycles is a successor relation; one that is
// antisymmetric and transitive is an order. Of both the covering relation counts (no element in between): its paths
// give the index of every element and the distance between two.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ground/program.h"
#include "machine/stop.h"

namespace stratagem::analysis {

struct Order {
    enum class Kind : std::uint8_t { successor, order };

    gdl::Symbol relation{};  // of the statics, as are the elements
    Kind kind = Kind::successor;
    std::vector<gdl::Term> elements;                        // by index along the covering relation, ties by name
    std::vector<std::uint32_t> index;                       // of each of them: steps from the farthest beginning
    std::unordered_map<gdl::Term, std::uint32_t> place_of;  // of each element in `elements`
    std::vector<std::vector<std::uint32_t>> next;           // by place: places of those that follow
    std::uint32_t longest = 0;                              // index of the last
    bool linear = false;                                    // every two elements are comparable

    bool knows(gdl::Term element) const { return place_of.contains(element); }
    std::optional<std::uint32_t> index_of(gdl::Term element) const;
    // Steps along the covering relation, forwards; nothing where there is no way.
    std::optional<std::uint32_t> steps(gdl::Term from, gdl::Term to) const;
    // One step leads from the one to the other: steps() without a search.
    bool follows(gdl::Term from, gdl::Term to) const;
};

// Among the statics that are complete. Relations without three elements in a row say too little and are
// left out.
std::vector<Order> find_orders(const ground::Statics& statics, const gdl::TermPool& terms, const machine::Stop& stop);

}  // namespace stratagem::analysis
