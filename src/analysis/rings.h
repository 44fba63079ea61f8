// Static binary relations that lead around: the columns of a board without an edge, the points of a compass.
//
// They have no beginning and no end, so they are no orders (orders.h); who draws or measures them has to say where.
#pragma once

#include <vector>

#include "ground/program.h"
#include "machine/stop.h"

namespace stratagem::analysis {

struct Ring {
    gdl::Symbol relation{};           // of the statics, as are the elements
    std::vector<gdl::Term> elements;  // each followed by the next, the last by the first
};

// Among the statics that are complete: relations under which everything has one follower at most and
// follows one thing at most. Of them the ways that come back, if they are longer than an exchange.
std::vector<Ring> find_rings(const ground::Statics& statics, const machine::Stop& stop);

}  // namespace stratagem::analysis
