// A state drawn for people, whatever the game.
//
// Boards are found by shape (board_shape.h) and drawn as grids: the first coordinate across, the second upwards, as on
// a chess board; several boards side by side. What is no part of a board is listed below it, so nothing is hidden;
// where there is no board at all, the fluents are listed, which is always true.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "view/board_shape.h"
#include "machine/game.h"

namespace stratagem::view {

struct Drawing {
    bool colour = false;                  // for a terminal
    bool legend = false;                  // say which sign stands for what
    bool others = true;                   // list what is no part of a board
    std::size_t width = 100;              // in characters
    const FluentTexts* before = nullptr;  // cells that differ from this state stand out, where there is colour
};

class Board {
  public:
    explicit Board(const BoardEvidence& evidence);

    // Whether there is a grid to draw.
    bool found() const { return !grids_.empty(); }
    std::vector<BoardShape> shapes() const;
    // Lines that end with a line break.
    std::string draw(const FluentTexts& state, const Drawing& drawing = {}) const;

    // What most cells hold in the course of a game, drawn as a dot so that the rest stands out, by board. Nothing: most
    // cells hold nothing.
    std::optional<std::string> background(std::size_t board) const { return grids_[board].background; }

  private:
    struct Content {
        std::string name;  // for the legend
        std::string sign;
        std::size_t colour = 0;
    };
    struct Grid {
        BoardShape shape;
        std::map<std::pair<std::size_t, std::string>, Content> contents;  // by layer and name
        std::optional<std::string> background;                            // of the first layer
        std::set<std::vector<std::string>> possible;                      // cells: board, column, row
        std::size_t widest_sign = 1;
    };
    using Cells = std::map<std::vector<std::string>, std::vector<const Content*>>;

    Grid make_grid(BoardShape shape, const BoardEvidence& evidence) const;
    void find_background(Grid& grid, const BoardEvidence& evidence) const;
    // Where a fluent is drawn: the layer, if it has a place on this grid.
    std::optional<std::size_t> layer_of(const Grid& grid, const FluentText& fluent) const;
    Cells cells_of(const Grid& grid, const FluentTexts& state) const;
    std::string draw_grid(const Grid& grid, const FluentTexts& state, const Drawing& drawing) const;
    std::string legend(const Grid& grid) const;

    friend class GridPainter;
    std::vector<Grid> grids_;
};

// Looks at a game for a moment: all fluents it has, and the states of a few random games.
BoardEvidence look_at(const machine::Game& game);

// Words with spaces between them, on lines no longer than `width` unless a word is.
std::string wrapped(const std::vector<std::string>& words, std::size_t width);
// The words of a text.
std::string wrapped_text(std::string_view text, std::size_t width);

}  // namespace stratagem::view
