// The same game under other names: used to prove that nothing relies on what things are called.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "gdl/description.h"

namespace stratagem::gdl {

struct Scrambled {
    std::string text;                          // prefix KIF, comments dropped, rules shuffled
    std::map<std::string, std::string> names;  // old constant, functor or relation name -> new name
};

// Renames every constant, functor, relation and variable by a bijection drawn from `seed` and shuffles the rules.
// Kept as they are: the keywords, and numbers that can reach the value of a goal, since those mean themselves.
// The relative order of the role facts is kept too: joint moves are written in that order.
Scrambled scramble(const Description& description, std::uint64_t seed);

}  // namespace stratagem::gdl
