// Boards found among the fluents of a game by shape alone: nothing here knows what things are called.
//
// A relation is a board when two of its arguments are coordinates and at most one other says what stands there: a cell
// with its content (cell 3 4 white), a piece with its place (at king 3 4), or a mark (lit 3 4). Further arguments
// number several boards (cell 1 2 3 4 x). Which argument is which is read off three things: domains that have an order
// (coordinate_order.h); that a cell holds one thing at a time in states that were played; and how much of the rectangle
// can be filled at all. Relations over the same coordinates are layers of one board.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "view/evidence.h"

namespace stratagem::view {

// How the arguments of a relation are used.
struct BoardLayer {
    std::string relation;
    std::size_t arity = 0;
    std::size_t across = 0;              // coordinate from left to right
    std::size_t up = 1;                  // coordinate from the bottom
    std::optional<std::size_t> content;  // nothing: the relation itself is what stands there
    std::vector<std::size_t> boards;     // the arguments that number boards

    bool has(const FluentText& fluent) const { return fluent.arguments.size() == arity && fluent.relation == relation; }
    // What stands there.
    const std::string& content_of(const FluentText& fluent) const {
        return content ? fluent.arguments[*content] : fluent.relation;
    }
    std::vector<std::string> board_of(const FluentText& fluent) const;

    friend bool operator==(const BoardLayer&, const BoardLayer&) = default;
};

// One board, or several of the same size that belong together.
struct BoardShape {
    std::vector<BoardLayer> layers;     // the one that made it a board first
    std::vector<OrderedDomain> boards;  // domains of the arguments that number boards; none: one board
    OrderedDomain columns;
    OrderedDomain rows;
};

// The largest first; empty when there is none.
std::vector<BoardShape> find_boards(const BoardEvidence& evidence);

}  // namespace stratagem::view
