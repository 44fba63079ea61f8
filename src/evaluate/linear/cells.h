// The fluents of a game as cells: groups of which at most one holds, so that a cell has one content in every state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/findings.h"
#include "ground/program.h"

namespace stratagem::evaluate::linear {

class Cells {
  public:
    explicit Cells(const analysis::Findings& analysis);
    explicit Cells(std::vector<std::vector<machine::Fluent>> cells, std::size_t fluents);

    std::size_t size() const { return cells_.size(); }
    std::size_t fluent_count() const { return cell_of_.size(); }
    const std::vector<machine::Fluent>& fluents(std::uint32_t cell) const { return cells_[cell]; }
    // What it may hold, with nothing.
    std::size_t contents(std::uint32_t cell) const { return cells_[cell].size() + 1; }
    std::uint32_t cell_of(machine::Fluent fluent) const { return cell_of_[ground::index(fluent)]; }
    // From 1.
    std::uint32_t digit(machine::Fluent fluent) const { return digit_[ground::index(fluent)]; }

  private:
    void number();

    std::vector<std::vector<machine::Fluent>> cells_;
    std::vector<std::uint32_t> cell_of_, digit_;  // by fluent
};

// Cells that say whose turn it is, or how many there have been.
struct TurnCells {
    std::vector<bool> is_one;  // by cell
    // The one that says whose turn it is, if there is one; else as many as there are cells.
    std::uint32_t control = 0;
};
TurnCells find_turn_cells(const Cells& cells, const analysis::Findings& analysis);

}  // namespace stratagem::evaluate::linear
