#include "view/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "view/signs.h"

namespace stratagem::view {

namespace {

using Names = std::vector<std::string>;

std::optional<std::size_t> place_in(const OrderedDomain& domain, const std::string& name) {
    const auto place = std::ranges::find(domain.names, name);
    if (place == domain.names.end()) return {};
    return static_cast<std::size_t>(place - domain.names.begin());
}

std::vector<Names> all_boards(const std::vector<OrderedDomain>& domains) {
    std::vector<Names> all{{}};
    for (const OrderedDomain& domain : domains) {
        std::vector<Names> longer;
        for (const Names& one : all) {
            for (const std::string& name : domain.names) {
                longer.push_back(one);
                longer.back().push_back(name);
            }
        }
        all = std::move(longer);
    }
    return all;
}

}  // namespace

Board::Board(const BoardEvidence& evidence) {
    for (BoardShape& shape : find_boards(evidence)) grids_.push_back(make_grid(std::move(shape), evidence));
    if (grids_.size() < 2) return;
    for (Grid& grid : grids_) grid.empty.title = grid.shape.layers.front().relation;
}

std::vector<BoardShape> Board::shapes() const {
    std::vector<BoardShape> result;
    for (const Grid& grid : grids_) result.push_back(grid.shape);
    return result;
}

Board::Grid Board::make_grid(BoardShape shape, const BoardEvidence& evidence) {
    Grid grid;
    grid.shape = std::move(shape);
    grid.empty.columns = grid.shape.columns.names;
    grid.empty.rows = grid.shape.rows.names;
    lay_boards(grid);
    for (const FluentText& fluent : evidence.fluents) {
        if (const std::optional<Spot> spot = spot_of(grid, fluent)) grid.possible[spot->board][spot->cell] = true;
    }
    find_background(grid, evidence);
    make_legend(grid, evidence);
    for (std::size_t board = 0; board < grid.possible.size(); ++board) {
        std::vector<CellPicture>& cells = grid.empty.boards[board].cells;
        // An empty place where there could be something and usually is nothing.
        for (std::size_t i = 0; i < cells.size(); ++i) {
            cells[i].there = !grid.empty.background && grid.possible[board][i];
        }
    }
    return grid;
}

void Board::lay_boards(Grid& grid) {
    std::vector<Names> names;
    // With two numbers, boards are laid out like cells: the first across, the second upwards.
    const std::vector<OrderedDomain>& domains = grid.shape.boards;
    if (domains.size() == 2) {
        for (auto up = domains[1].names.rbegin(); up != domains[1].names.rend(); ++up) {
            for (const std::string& across : domains[0].names) names.push_back({across, *up});
        }
        grid.empty.boards_across = domains[0].names.size();
    } else {
        names = all_boards(domains);
        grid.empty.boards_across = names.size();
    }
    const std::size_t cells = grid.empty.columns.size() * grid.empty.rows.size();
    for (Names& one : names) {
        grid.boards.emplace(one, grid.empty.boards.size());
        grid.empty.boards.push_back({std::move(one), std::vector<CellPicture>(cells)});
        grid.possible.emplace_back(cells, false);
    }
}

void Board::make_legend(Grid& grid, const BoardEvidence& evidence) {
    std::map<std::string, std::set<std::size_t>> layers_with;
    for (const FluentText& fluent : evidence.fluents) {
        const std::optional<Spot> spot = spot_of(grid, fluent);
        if (!spot) continue;
        const std::string& name = grid.shape.layers[spot->layer].content_of(fluent);
        grid.places.try_emplace({spot->layer, name});
        layers_with[name].insert(spot->layer);
    }
    std::set<std::string> names;
    for (auto& [key, place] : grid.places) {
        const auto& [layer, content] = key;
        if (layer == 0 && content == grid.empty.background) continue;
        place = grid.empty.legend.size();
        // The same content in two layers is not the same thing.
        const bool twice = layers_with[content].size() > 1;
        grid.empty.legend.push_back(
            {twice ? fmt::format("{}_{}", grid.shape.layers[layer].relation, content) : content, "", 0, layer});
        names.insert(grid.empty.legend.back().name);
    }
    const std::map<std::string, std::string> signs = short_signs(names);
    std::vector<char> initials;  // things that begin alike have one colour
    for (Sign& sign : grid.empty.legend) {
        sign.sign = signs.at(sign.name);
        auto place = std::ranges::find(initials, sign.sign.front());
        if (place == initials.end()) place = initials.insert(place, sign.sign.front());
        sign.colour = static_cast<std::size_t>(place - initials.begin());
    }
}

void Board::find_background(Grid& grid, const BoardEvidence& evidence) {
    const BoardLayer& layer = grid.shape.layers.front();
    if (!layer.content) return;
    std::set<std::pair<std::size_t, std::size_t>> cells;
    for (const FluentText& fluent : evidence.fluents) {
        if (!layer.has(fluent)) continue;
        if (const std::optional<Spot> spot = spot_of(grid, fluent)) cells.emplace(spot->board, spot->cell);
    }
    std::map<std::string, std::size_t> frequency;
    std::size_t held = 0;
    for (const FluentTexts& state : evidence.states) {
        for (const FluentText& fluent : state) {
            if (!layer.has(fluent)) continue;
            ++frequency[layer.content_of(fluent)];
            ++held;
        }
    }
    const std::size_t room = cells.size() * evidence.states.size();
    // One in each state is no background: there all contents may be different.
    std::size_t most = std::max(room > held ? room - held : 0, evidence.states.size());
    for (const auto& [content, count] : frequency) {
        // Who is named like a player stands for that player.
        const bool is_role = std::ranges::find(evidence.roles, content) != evidence.roles.end();
        if (count <= most || is_role) continue;
        most = count;
        grid.empty.background = content;
    }
}

std::optional<Board::Spot> Board::spot_of(const Grid& grid, const FluentText& fluent) {
    const BoardShape& shape = grid.shape;
    for (std::size_t i = 0; i < shape.layers.size(); ++i) {
        const BoardLayer& layer = shape.layers[i];
        if (!layer.has(fluent)) continue;
        const std::optional<std::size_t> column = place_in(shape.columns, fluent.arguments[layer.across]);
        const std::optional<std::size_t> row = place_in(shape.rows, fluent.arguments[layer.up]);
        const auto board = grid.boards.find(layer.board_of(fluent));
        if (!column || !row || board == grid.boards.end()) continue;
        return Spot{i, board->second, *row * shape.columns.names.size() + *column};
    }
    return {};
}

GridPicture Board::fill(const Grid& grid, const FluentTexts& state) {
    GridPicture picture = grid.empty;
    for (const FluentText& fluent : state) {
        const std::optional<Spot> spot = spot_of(grid, fluent);
        if (!spot) continue;
        CellPicture& cell = picture.boards[spot->board].cells[spot->cell];
        cell.there = true;
        const auto place = grid.places.find({spot->layer, grid.shape.layers[spot->layer].content_of(fluent)});
        if (place == grid.places.end() || !place->second) continue;
        // What stands there first, then what is said of the cell besides.
        cell.held.insert(spot->layer == 0 ? cell.held.begin() : cell.held.end(), *place->second);
    }
    return picture;
}

Picture Board::picture(const FluentTexts& state, const FluentTexts* before) const {
    Picture picture;
    for (const Grid& grid : grids_) {
        picture.grids.push_back(fill(grid, state));
        if (before == nullptr) continue;
        const GridPicture earlier = fill(grid, *before);
        for (std::size_t board = 0; board < grid.possible.size(); ++board) {
            std::vector<CellPicture>& cells = picture.grids.back().boards[board].cells;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                cells[i].changed = grid.possible[board][i] && cells[i].held != earlier.boards[board].cells[i].held;
            }
        }
    }
    for (const FluentText& fluent : state) {
        const bool drawn =
            std::ranges::any_of(grids_, [&](const Grid& grid) { return spot_of(grid, fluent).has_value(); });
        if (!drawn) picture.others.push_back(to_text(fluent));
    }
    return picture;
}

}  // namespace stratagem::view
