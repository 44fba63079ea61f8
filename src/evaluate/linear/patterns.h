// Which cells belong together: what rules look at together, and what hangs together through such rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/findings.h"
#include "evaluate/linear/cells.h"
#include "evaluate/linear/views.h"
#include "machine/stop.h"

namespace stratagem::evaluate::linear {

using Pattern = std::vector<std::uint32_t>;  // cells, in order

struct PatternLimits {
    std::size_t most_cells = 6;          // that rules ask for together
    std::size_t most_walk = 8;           // cells of a walk
    std::size_t most_contents = 20'000;  // of a pattern
    double asked = 4;                    // patterns of rules for each cell, at most
    std::size_t most_patterns = 4'000;   // in all
    double walks = 1;                    // for each cell
};

// Cells that rules ask for together: the cells of a line, a piece and where it may go, who may take whom. Rules are
// written out, since grounding cuts long ones into parts. Larger patterns first.
std::vector<Pattern> patterns_of_rules(const Cells& cells, const std::vector<bool>& of_turns,
                                       const analysis::Findings& analysis, const PatternLimits& limits,
                                       const machine::Stop& stop);

// Walks from cell to cell that rules ask for together (as Lucas 2008 has them over a board), as long as there are not
// too many contents.
std::vector<Pattern> walks(const Cells& cells, const std::vector<Pattern>& asked, const PatternLimits& limits,
                           std::uint64_t seed);

// What may still be taken.
struct Room {
    std::size_t looks = 0;     // patterns, with their images
    std::size_t contents = 0;  // of all patterns together
};
// One for all that are images of it under the symmetries that are kept, as long as there is room and no more than
// `most` images in all. Takes the room.
std::vector<Pattern> one_of_each(const std::vector<Exchange>& kept, const Cells& cells,
                                 const std::vector<Pattern>& patterns, std::size_t most, Room& room);

}  // namespace stratagem::evaluate::linear
