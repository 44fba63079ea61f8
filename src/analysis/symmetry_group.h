// Symmetries that may be used together: closed under doing one after the other.
//
// One state can stand for all that are alike only if "alike" is an equivalence, and it is that only under a group: from
// a set that was cut short anywhere, two states that are alike may get different representatives. Groups can be larger
// than anybody wants to list (pieces that are alike: n! of them), so what is taken of those is a part that is a group
// itself.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/symmetry.h"

namespace stratagem::analysis {

// The one that changes nothing.
Symmetry identity(const ground::Program& program);
// First one, then the other.
Symmetry chain(const Symmetry& first, const Symmetry& second);
Symmetry inverse(const Symmetry& symmetry);

// A group of at most `most` symmetries that keep the roles, the one that changes nothing first; all there are where
// they are not more. No two of them do the same to all fluents: of symmetries that differ only in moves, one is taken.
std::vector<Symmetry> symmetry_group(const ground::Program& program, const Symmetries& found, std::size_t most);

}  // namespace stratagem::analysis
