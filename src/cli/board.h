// A state drawn for people, whatever the game: nothing here knows what things are called.
//
// Many games keep their board in one relation of three arguments, two coordinates and what stands there. Such a
// relation is looked for among all fluents of the game and drawn as a grid: the first argument across, the second
// upwards, as on a chess board. This is a guess from shape alone; where it fails, or a cell holds two things, the
// fluents are listed instead, which is always true.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gdl/term.h"

namespace stratagem::cli {

class Board {
  public:
    // Of a game with these fluents, all it can ever have, and this initial state. `terms` must outlive the board.
    Board(const gdl::TermPool& terms, std::span<const gdl::Term> fluents, std::span<const gdl::Term> initial);

    // Whether there is a grid to draw.
    bool found() const { return relation_.has_value(); }
    // Lines that end with a line break: the grid, and below it the fluents that are no part of it.
    std::string draw(std::span<const gdl::Term> state) const;

  private:
    bool on_grid(gdl::Term fluent) const;
    std::size_t place(gdl::Term fluent) const;
    void find_relation(std::span<const gdl::Term> fluents);
    void name_contents(std::span<const gdl::Term> fluents, std::span<const gdl::Term> initial);
    std::string sign(std::optional<gdl::Term> content) const;
    std::string grid(const std::vector<std::optional<gdl::Term>>& cells) const;

    const gdl::TermPool& terms_;
    std::optional<gdl::Symbol> relation_;
    std::vector<gdl::Term> columns_;  // in the order drawn: from the left
    std::vector<gdl::Term> rows_;     // from the bottom
    // What most cells hold at first, drawn as a dot so that the rest stands out. Nothing: most cells hold nothing.
    std::optional<gdl::Term> background_;
    bool initials_ = false;  // the first letters tell the contents apart
};

}  // namespace stratagem::cli
