#include "view/picture.h"

#include <nlohmann/json.hpp>

namespace stratagem::view {

namespace {

using nlohmann::json;

// Rows of cells; a cell is a list of numbers of the legend, or null where there is none.
json cells_of(const GridPicture& grid, std::size_t board) {
    json rows = json::array();
    for (std::size_t row = 0; row < grid.rows.size(); ++row) {
        json line = json::array();
        for (std::size_t column = 0; column < grid.columns.size(); ++column) {
            const CellPicture& cell = grid.cell(board, column, row);
            line.push_back(cell.there ? json(cell.held) : json());
        }
        rows.push_back(std::move(line));
    }
    return rows;
}

json changes_of(const GridPicture& grid, std::size_t board) {
    json changed = json::array();
    for (std::size_t row = 0; row < grid.rows.size(); ++row) {
        for (std::size_t column = 0; column < grid.columns.size(); ++column) {
            if (grid.cell(board, column, row).changed) changed.push_back({column, row});
        }
    }
    return changed;
}

json to_json(const GridPicture& grid) {
    json boards = json::array();
    for (std::size_t board = 0; board < grid.boards.size(); ++board) {
        boards.push_back({{"name", grid.boards[board].name},
                          {"cells", cells_of(grid, board)},
                          {"changed", changes_of(grid, board)}});
    }
    json legend = json::array();
    for (const Sign& sign : grid.legend) {
        legend.push_back({{"name", sign.name}, {"sign", sign.sign}, {"colour", sign.colour}, {"layer", sign.layer}});
    }
    return {{"title", grid.title},
            {"columns", grid.columns},
            {"rows", grid.rows},
            {"boards", std::move(boards)},
            {"boards_across", grid.boards_across},
            {"legend", std::move(legend)},
            {"background", grid.background ? json(*grid.background) : json()}};
}

}  // namespace

json to_json(const Picture& picture) {
    json grids = json::array();
    for (const GridPicture& grid : picture.grids) grids.push_back(to_json(grid));
    return {{"grids", std::move(grids)}, {"others", picture.others}};
}

}  // namespace stratagem::view
