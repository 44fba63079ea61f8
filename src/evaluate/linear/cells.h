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
    // `full`: by cell, whether it always has a content.
    Cells(std::vector<std::vector<machine::Fluent>> cells, std::vector<bool> full, std::size_t fluents);

    std::size_t size() const { return cells_.size(); }
    std::size_t fluent_count() const { return cell_of_.size(); }
    const std::vector<machine::Fluent>& fluents(std::uint32_t cell) const { return cells_[cell]; }
    // Never empty, as far as is known.
    bool is_full(std::uint32_t cell) const { return full_[cell]; }
    // What it may hold, with nothing where it may be empty.
    std::size_t contents(std::uint32_t cell) const { return cells_[cell].size() + (full_[cell] ? 0 : 1); }
    std::uint32_t cell_of(machine::Fluent fluent) const { return cell_of_[ground::index(fluent)]; }
    // In its cell, from 0.
    std::uint32_t place_of(machine::Fluent fluent) const { return place_[ground::index(fluent)]; }
    // The number of the content: 0 stands for nothing where a cell may be empty.
    std::uint32_t digit(machine::Fluent fluent) const { return place_of(fluent) + (full_[cell_of(fluent)] ? 0 : 1); }

  private:
    void number();

    std::vector<std::vector<machine::Fluent>> cells_;
    std::vector<bool> full_;                      // by cell
    std::vector<std::uint32_t> cell_of_, place_;  // by fluent
};

// Cells that say whose turn it is, or how many there have been.
struct TurnCells {
    std::vector<bool> is_one;  // by cell
    // The one that says whose turn it is, if there is one; else as many as there are cells.
    std::uint32_t control = 0;
};
TurnCells find_turn_cells(const Cells& cells, const analysis::Findings& analysis);

}  // namespace stratagem::evaluate::linear
