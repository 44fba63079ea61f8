#include "view/text_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/signs.h"

namespace stratagem::view {

namespace {

constexpr std::size_t legend_width = 100;
constexpr Style faint{Style::Kind::faint};

void append(Lines& lines, const Lines& more) { lines.insert(lines.end(), more.begin(), more.end()); }

// One grid in the width there is.
class GridPainter {
  public:
    GridPainter(const GridPicture& grid, std::size_t width)
        : grid_(grid), width_(width), columns_(grid.columns), rows_(grid.rows) {
        measure();
        if (grid_width() > width) shorten();
    }

    Lines paint() const {
        std::vector<Lines> blocks;
        for (std::size_t board = 0; board < grid_.boards.size(); ++board) blocks.push_back(block(board));
        if (blocks.empty()) return axes_;
        const std::size_t room = (width_ + 4) / (width_of(blocks.front()) + 4);
        Lines lines = side_by_side(blocks, std::clamp<std::size_t>(room, 1, grid_.boards_across));
        append(lines, axes_);
        return lines;
    }

  private:
    void measure() {
        label_width_ = 0;
        for (const std::string& row : rows_) label_width_ = std::max(label_width_, row.size());
        cell_width_ = 1;
        for (const Sign& sign : grid_.legend) {
            if (sign.layer == 0) cell_width_ = std::max(cell_width_, sign.sign.size());
        }
        for (const std::string& column : columns_) cell_width_ = std::max(cell_width_, column.size());
        for (const BoardPicture& board : grid_.boards) {
            for (const CellPicture& cell : board.cells) cell_width_ = std::max(cell_width_, signs_in(cell).size());
        }
    }

    std::size_t grid_width() const { return label_width_ + 1 + columns_.size() * (cell_width_ + 1); }

    // Long names of coordinates are abbreviated, and explained below the grid.
    void shorten() {
        const auto use = [&](std::vector<std::string>& labels, std::string_view which) {
            const auto signs = short_signs({labels.begin(), labels.end()});
            std::vector<std::string> explained;
            for (std::string& label : labels) {
                const std::string& sign = signs.at(label);
                if (sign != label) explained.push_back(fmt::format("{}={}", sign, label));
                label = sign;
            }
            if (explained.empty()) return;
            explained.insert(explained.begin(), fmt::format("{}:", which));
            append(axes_, wrapped_lines(explained, width_));
        };
        use(columns_, "columns");
        use(rows_, "rows");
        measure();
    }

    std::string signs_in(const CellPicture& cell) const {
        std::string text;
        for (const std::size_t place : cell.held) text += grid_.legend[place].sign;
        return text;
    }

    void add_cell(Line& line, const CellPicture& cell) const {
        std::string text = signs_in(cell);
        Style style = faint;
        if (text.empty()) {
            text = cell.there ? "." : " ";
        } else {
            style = {Style::Kind::coloured, grid_.legend[cell.held.front()].colour};
        }
        style.changed = cell.changed;
        line.add(std::string(1 + cell_width_ - std::min(cell_width_, text.size()), ' '));
        line.add(std::move(text), style);
    }

    Lines block(std::size_t board) const {
        Lines lines;
        std::vector<std::string> words;
        if (!grid_.title.empty()) words.push_back(grid_.title);
        words.insert(words.end(), grid_.boards[board].name.begin(), grid_.boards[board].name.end());
        const std::string indent(label_width_ + 1, ' ');
        if (!words.empty()) lines.emplace_back(fmt::format("{} {}", indent, fmt::join(words, " ")));
        for (std::size_t row = rows_.size(); row-- > 0;) {
            Line& line = lines.emplace_back();
            line.add(fmt::format("{:>{}}", rows_[row], label_width_), faint);
            line.add(" ");
            for (std::size_t column = 0; column < columns_.size(); ++column) {
                add_cell(line, grid_.cell(board, column, row));
            }
        }
        std::string labels;
        for (const std::string& column : columns_) labels += fmt::format(" {:>{}}", column, cell_width_);
        Line& line = lines.emplace_back(indent);
        line.add(std::move(labels), faint);
        return lines;
    }

    const GridPicture& grid_;
    std::size_t width_;
    std::vector<std::string> columns_;  // as they are written
    std::vector<std::string> rows_;
    Lines axes_;
    std::size_t label_width_ = 0;
    std::size_t cell_width_ = 1;
};

Lines legend_of(const GridPicture& grid) {
    std::vector<std::string> words;
    for (const Sign& sign : grid.legend) {
        if (sign.sign != sign.name) words.push_back(fmt::format("{}={}", sign.sign, sign.name));
    }
    if (grid.background) words.push_back(fmt::format(".={}", *grid.background));
    return wrapped_lines(words, legend_width);
}

}  // namespace

Lines lay_out(const Picture& picture, const TextStyle& style) {
    Lines lines;
    for (const GridPicture& grid : picture.grids) {
        append(lines, GridPainter(grid, style.width).paint());
        if (style.legend) append(lines, legend_of(grid));
    }
    if (style.others) append(lines, wrapped_lines(picture.others, style.width));
    return lines;
}

std::string to_text(const Picture& picture, const TextStyle& style) {
    return to_terminal(lay_out(picture, style), style.colour);
}

}  // namespace stratagem::view
