// A state as it is drawn, as data: what a terminal, a page or a picture renders alike. See docs/view.md.
//
// Nothing here says how wide a letter is or what a colour looks like. Board (board.h) makes pictures, text_picture.h
// turns them into lines of text.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace stratagem::view {

// Something that may stand in a cell.
struct Sign {
    std::string name;        // as people call it, told apart from the same name in another layer
    std::string sign;        // a few letters that stand for it
    std::size_t colour = 0;  // things that begin alike have one colour; a renderer may repeat its colours
    std::size_t layer = 0;   // 0: what stands there; others: what is said of the cell besides

    friend bool operator==(const Sign&, const Sign&) = default;
};

struct CellPicture {
    bool there = false;             // false: nothing is to be seen here, not even an empty place
    bool changed = false;           // since the state before
    std::vector<std::size_t> held;  // places in the legend, what stands there first; none: an empty place

    friend bool operator==(const CellPicture&, const CellPicture&) = default;
};

struct BoardPicture {
    std::vector<std::string> name;   // what numbers this board; empty where there is only one
    std::vector<CellPicture> cells;  // the lowest row first, each from left to right

    friend bool operator==(const BoardPicture&, const BoardPicture&) = default;
};

// One board, or several of the same size that belong together.
struct GridPicture {
    std::string title;                      // empty where there is only one grid
    std::vector<std::string> columns;       // names, from left to right
    std::vector<std::string> rows;          // from the bottom upwards
    std::vector<BoardPicture> boards;       // in reading order
    std::size_t boards_across = 1;          // of them side by side, if there is room
    std::vector<Sign> legend;               // all that may ever stand here
    std::optional<std::string> background;  // what most cells hold, drawn as an empty place

    const CellPicture& cell(std::size_t board, std::size_t column, std::size_t row) const {
        return boards[board].cells[row * columns.size() + column];
    }
    friend bool operator==(const GridPicture&, const GridPicture&) = default;
};

struct Picture {
    std::vector<GridPicture> grids;
    std::vector<std::string> others;  // fluents that are no part of a grid, in KIF

    friend bool operator==(const Picture&, const Picture&) = default;
};

nlohmann::json to_json(const Picture& picture);

}  // namespace stratagem::view
