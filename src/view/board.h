// A game's boards, and its states on them as pictures, whatever the game.
//
// Boards are found by shape (board_shape.h) and drawn as grids: the first coordinate across, the second upwards, as on
// a chess board; several boards side by side. What is no part of a board is listed, so nothing is hidden; where there
// is no board at all, the fluents are listed, which is always true.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "view/board_shape.h"
#include "view/picture.h"

namespace stratagem::view {

class Board {
  public:
    explicit Board(const BoardEvidence& evidence);

    // Whether there is a grid to draw.
    bool found() const { return !grids_.empty(); }
    std::vector<BoardShape> shapes() const;
    // With `before`, cells that differ from that state are marked.
    Picture picture(const FluentTexts& state, const FluentTexts* before = nullptr) const;

    // What most cells hold in the course of a game, drawn as a dot so that the rest stands out, by board. Nothing: most
    // cells hold nothing.
    std::optional<std::string> background(std::size_t board) const { return grids_[board].empty.background; }

  private:
    struct Grid {
        BoardShape shape;
        GridPicture empty;  // without what a state has to say
        std::map<std::pair<std::size_t, std::string>, std::optional<std::size_t>> places;  // in the legend, by layer
                                                                                           // and name; none: background
        std::map<std::vector<std::string>, std::size_t> boards;                            // by what numbers them
        std::vector<std::vector<bool>> possible;  // by board and cell: it can hold something
    };
    // A cell of a grid, and the layer of what is there.
    struct Spot {
        std::size_t layer = 0;
        std::size_t board = 0;
        std::size_t cell = 0;
    };

    static Grid make_grid(BoardShape shape, const BoardEvidence& evidence);
    static void lay_boards(Grid& grid);
    static void find_background(Grid& grid, const BoardEvidence& evidence);
    static void make_legend(Grid& grid, const BoardEvidence& evidence);
    // Where a fluent is drawn, if it has a place on this grid.
    static std::optional<Spot> spot_of(const Grid& grid, const FluentText& fluent);
    static GridPicture fill(const Grid& grid, const FluentTexts& state);

    std::vector<Grid> grids_;
};

}  // namespace stratagem::view
