// How symmetries make different states look the same to weights.
//
// A view is an exchange of fluents and roles after which it is always the first player's turn, where the rules are
// symmetric enough for that: what is learned of one player is then known of the others, and there is one table for all.
// Kept symmetries leave the players as they are, such as reflections of a board: a pattern is looked up at each image
// of the state, so that what is alike is worth the same and learned together.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/symmetry.h"
#include "evaluate/linear/cells.h"

namespace stratagem::evaluate::linear {

struct Exchange {
    std::vector<std::uint32_t> fluents;  // by fluent: what it becomes
    std::vector<std::uint32_t> roles;    // by role: whom he becomes

    bool operator<(const Exchange& other) const {
        return std::pair(fluents, roles) < std::pair(other.fluents, other.roles);
    }
};

struct Views {
    struct View {
        Exchange exchange;
        std::size_t block = 0;  // of weights: one for each phase that cannot be looked at like another
    };
    std::vector<View> of_phase;  // by whose turn it is
    std::size_t blocks = 1;
    std::vector<Exchange> kept;  // the first changes nothing
};

// Cells become cells of the same kind, and the one that says whose turn it is stays, if there is one.
bool keeps_cells(const Exchange& exchange, const Cells& cells, std::uint32_t control);

// Without any symmetries: each phase as it is. `control`: the cell that says whose turn it is, or as many as there are
// cells.
Views plain_views(const Cells& cells, std::uint32_t control, std::size_t roles);
// Those that tear a cell apart are left out, and all of a group of more than `most`, generator by generator.
Views find_views(const Cells& cells, std::uint32_t control, std::size_t roles, const analysis::Symmetries& found,
                 std::size_t most = 64);

}  // namespace stratagem::evaluate::linear
