// Which of several answers to follow: an exhaustive one if there is any, else that of the deepest search, else one by
// chance (Kuhlmann's thesis, section 4.6).
#pragma once

#include <optional>
#include <span>

#include "machine/random.h"
#include "search/search.h"

namespace stratagem::search {

struct Nomination {
    Choice choice;
    bool blind = false;  // the search knew no heuristic
};

// What makes one answer better than another, where none is exhaustive.
enum class Prefer : std::uint8_t {
    depth,
    value,  // for games of one player, where the end of a line is what one gets
};

// The number of the one to follow; nothing where nobody names a move. Whoever searched blind, or has no opinion, only
// counts with a proof, or where there is nobody else. Without `random` the first of equals.
std::optional<std::size_t> choose_nomination(std::span<const Nomination> nominations, Prefer prefer,
                                             machine::Random* random);

}  // namespace stratagem::search
