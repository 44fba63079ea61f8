// Fluents that are built alike: one functor with one number of arguments.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/program.h"

namespace stratagem::analysis {

using ground::Fluent;

struct Family {
    gdl::Symbol name{};
    std::uint32_t arity = 0;
    std::vector<Fluent> members;  // ascending
    std::vector<std::vector<gdl::Term>>
        values;  // by argument: the terms that occur there, in order of first occurrence
};

// In the order of their first fluents.
std::vector<Family> make_families(const ground::Program& program);

}  // namespace stratagem::analysis
