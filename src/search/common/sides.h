// Who plays with us, who against us, and what is left to chance.
//
// Friends are the roles that always got the same goal value as ours (Kuhlmann's thesis, section 4.5: everybody else
// counts as an opponent).
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/game_kind.h"

namespace stratagem::search {

enum class Side : std::uint8_t { ours, theirs, chance };

// By role, seen from one of them.
inline std::vector<Side> sides_of(const analysis::GameKind& facts, machine::Role role) {
    const std::uint32_t ours = ground::index(role);
    std::vector<Side> sides(facts.roles, Side::theirs);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (facts.is_chance[i]) {
            sides[i] = Side::chance;
        } else if (facts.team[i] == facts.team[ours]) {
            sides[i] = Side::ours;
        }
    }
    sides[ours] = Side::ours;
    return sides;
}

}  // namespace stratagem::search
