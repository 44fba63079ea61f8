#include "view/board.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/signs.h"
#include "machine/circuit/circuit.h"
#include "machine/machine_text.h"
#include "machine/playout.h"

namespace stratagem::view {

namespace {

using Cell = std::vector<std::string>;

Cell cell_of(const BoardLayer& layer, const FluentText& fluent) {
    Cell cell = layer.board_of(fluent);
    cell.push_back(fluent.arguments[layer.across]);
    cell.push_back(fluent.arguments[layer.up]);
    return cell;
}

bool contains(const OrderedDomain& domain, const std::string& name) {
    return std::ranges::find(domain.names, name) != domain.names.end();
}

}  // namespace

// Lines of text side by side, with what they measure without colour.
struct Block {
    std::vector<std::pair<std::string, std::size_t>> lines;

    void add(std::string text, std::size_t length) { lines.emplace_back(std::move(text), length); }
    std::size_t width() const {
        std::size_t widest = 0;
        for (const auto& [text, length] : lines) widest = std::max(widest, length);
        return widest;
    }
};

namespace {

// Blocks in rows as wide as there is room for.
std::string side_by_side(const std::vector<Block>& blocks, std::size_t per_row) {
    constexpr std::size_t gap = 4;
    std::string text;
    for (std::size_t begin = 0; begin < blocks.size(); begin += per_row) {
        const std::size_t end = std::min(blocks.size(), begin + per_row);
        std::size_t height = 0;
        for (std::size_t i = begin; i < end; ++i) height = std::max(height, blocks[i].lines.size());
        if (begin > 0) text += '\n';
        for (std::size_t line = 0; line < height; ++line) {
            std::string row;
            for (std::size_t i = begin; i < end; ++i) {
                const bool there = line < blocks[i].lines.size();
                const std::size_t length = there ? blocks[i].lines[line].second : 0;
                if (there) row += blocks[i].lines[line].first;
                row += std::string(blocks[i].width() - length + gap, ' ');
            }
            row.erase(row.find_last_not_of(' ') + 1);
            text += row + '\n';
        }
    }
    return text;
}

}  // namespace

// One drawing of one grid.
class GridPainter {
  public:
    GridPainter(const Board::Grid& grid, const Drawing& drawing, Board::Cells cells, std::set<Cell> changed)
        : grid_(grid), drawing_(drawing), cells_(std::move(cells)), changed_(std::move(changed)) {
        column_labels_ = grid.shape.columns.names;
        row_labels_ = grid.shape.rows.names;
        measure();
        if (grid_width() > drawing.width) shorten();
    }

    std::string paint(const std::string& title) const {
        std::vector<Block> blocks;
        std::size_t per_row = 0;
        // With two numbers, boards are laid out like cells: the first across, the second upwards.
        const std::vector<OrderedDomain>& boards = grid_.shape.boards;
        if (boards.size() == 2) {
            for (auto up = boards[1].names.rbegin(); up != boards[1].names.rend(); ++up) {
                for (const std::string& across : boards[0].names) blocks.push_back(block({across, *up}, title));
            }
            per_row = boards[0].names.size();
        } else {
            for (const Cell& board : all_boards()) blocks.push_back(block(board, title));
            per_row = blocks.size();
        }
        const std::size_t width = blocks.front().width() + 4;
        return side_by_side(blocks, std::clamp<std::size_t>((drawing_.width + 4) / width, 1, per_row)) + axes_;
    }

  private:
    std::vector<Cell> all_boards() const {
        std::vector<Cell> all{{}};
        for (const OrderedDomain& domain : grid_.shape.boards) {
            std::vector<Cell> longer;
            for (const Cell& one : all) {
                for (const std::string& name : domain.names) {
                    longer.push_back(one);
                    longer.back().push_back(name);
                }
            }
            all = std::move(longer);
        }
        return all;
    }

    void measure() {
        label_width_ = 0;
        for (const std::string& row : row_labels_) label_width_ = std::max(label_width_, row.size());
        cell_width_ = grid_.widest_sign;
        for (const std::string& column : column_labels_) cell_width_ = std::max(cell_width_, column.size());
        for (const auto& [cell, contents] : cells_) cell_width_ = std::max(cell_width_, sign_of(contents).size());
    }

    std::size_t grid_width() const { return label_width_ + 1 + column_labels_.size() * (cell_width_ + 1); }

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
            axes_ += wrapped(explained, drawing_.width);
        };
        use(column_labels_, "columns");
        use(row_labels_, "rows");
        measure();
    }

    static std::string sign_of(const std::vector<const Board::Content*>& contents) {
        std::string sign;
        for (const Board::Content* content : contents) sign += content->sign;
        return sign;
    }

    std::string coloured(std::string text, std::string_view code) const {
        return drawing_.colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
    }

    std::string cell_text(const Cell& cell) const {
        static constexpr std::array<std::string_view, 6> palette{"36", "33", "35", "32", "31", "34"};
        const auto held = cells_.find(cell);
        std::string sign = held == cells_.end() ? "" : sign_of(held->second);
        std::string code;
        if (!sign.empty()) {
            code = palette[held->second.front()->colour % palette.size()];
        } else {
            // A dot where there could be something.
            const bool nothing_is_usual = !grid_.background && grid_.possible.contains(cell);
            sign = (held != cells_.end() || nothing_is_usual) ? "." : " ";
            code = "2";
        }
        const std::string space(cell_width_ - std::min(cell_width_, sign.size()), ' ');
        if (changed_.contains(cell)) code += ";7";
        return space + coloured(sign, code);
    }

    Block block(const Cell& board, const std::string& title) const {
        Block result;
        std::vector<std::string> words;
        if (!title.empty()) words.push_back(title);
        words.insert(words.end(), board.begin(), board.end());
        const std::string indent(label_width_ + 1, ' ');
        if (!words.empty()) {
            const std::string heading = fmt::format("{} {}", indent, fmt::join(words, " "));
            result.add(heading, heading.size());
        }
        const OrderedDomain& rows = grid_.shape.rows;
        for (std::size_t row = rows.names.size(); row-- > 0;) {
            std::string line = coloured(fmt::format("{:>{}}", row_labels_[row], label_width_), "2") + " ";
            for (const std::string& column : grid_.shape.columns.names) {
                Cell cell = board;
                cell.push_back(column);
                cell.push_back(rows.names[row]);
                line += " " + cell_text(cell);
            }
            result.add(std::move(line), grid_width());
        }
        std::string labels;
        for (const std::string& column : column_labels_) labels += fmt::format(" {:>{}}", column, cell_width_);
        result.add(indent + coloured(labels, "2"), grid_width());
        return result;
    }

    const Board::Grid& grid_;
    const Drawing& drawing_;
    Board::Cells cells_;
    std::set<Cell> changed_;
    std::vector<std::string> column_labels_;
    std::vector<std::string> row_labels_;
    std::string axes_;
    std::size_t label_width_ = 0;
    std::size_t cell_width_ = 1;
};

std::string wrapped(const std::vector<std::string>& words, std::size_t width) {
    std::string text;
    std::string line;
    for (const std::string& word : words) {
        if (!line.empty() && line.size() + 1 + word.size() > width) {
            text += line + '\n';
            line.clear();
        }
        line += line.empty() ? word : ' ' + word;
    }
    return line.empty() ? text : text + line + '\n';
}

std::string wrapped_text(std::string_view text, std::size_t width) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (end > 0) words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return wrapped(words, width);
}

Board::Board(const BoardEvidence& evidence) {
    for (BoardShape& shape : find_boards(evidence)) grids_.push_back(make_grid(std::move(shape), evidence));
}

std::vector<BoardShape> Board::shapes() const {
    std::vector<BoardShape> result;
    for (const Grid& grid : grids_) result.push_back(grid.shape);
    return result;
}

Board::Grid Board::make_grid(BoardShape shape, const BoardEvidence& evidence) const {
    Grid grid;
    grid.shape = std::move(shape);
    std::map<std::string, std::set<std::size_t>> layers_with;
    for (const FluentText& fluent : evidence.fluents) {
        const std::optional<std::size_t> layer = layer_of(grid, fluent);
        if (!layer) continue;
        grid.possible.insert(cell_of(grid.shape.layers[*layer], fluent));
        const std::string& name = grid.shape.layers[*layer].content_of(fluent);
        grid.contents[{*layer, name}].name = name;
        layers_with[name].insert(*layer);
    }
    // The same content in two layers is not the same thing.
    for (auto& [key, content] : grid.contents) {
        const BoardLayer& layer = grid.shape.layers[key.first];
        if (layers_with[key.second].size() > 1) content.name = fmt::format("{}_{}", layer.relation, key.second);
    }
    find_background(grid, evidence);

    std::set<std::string> names;
    for (const auto& [key, content] : grid.contents) {
        if (key.first != 0 || key.second != grid.background) names.insert(content.name);
    }
    const std::map<std::string, std::string> signs = short_signs(names);
    std::vector<char> initials;  // things that begin alike have one colour
    for (auto& [key, content] : grid.contents) {
        const auto sign = signs.find(content.name);
        if (sign == signs.end()) continue;  // the background
        content.sign = sign->second;
        auto place = std::ranges::find(initials, content.sign.front());
        if (place == initials.end()) place = initials.insert(place, content.sign.front());
        content.colour = static_cast<std::size_t>(place - initials.begin());
        if (key.first == 0) grid.widest_sign = std::max(grid.widest_sign, content.sign.size());
    }
    return grid;
}

void Board::find_background(Grid& grid, const BoardEvidence& evidence) const {
    const BoardLayer& layer = grid.shape.layers.front();
    if (!layer.content) return;
    std::map<std::string, std::size_t> frequency;
    std::set<Cell> cells;
    for (const FluentText& fluent : evidence.fluents) {
        if (layer.has(fluent)) cells.insert(cell_of(layer, fluent));
    }
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
        grid.background = content;
    }
}

std::optional<std::size_t> Board::layer_of(const Grid& grid, const FluentText& fluent) const {
    const BoardShape& shape = grid.shape;
    for (std::size_t i = 0; i < shape.layers.size(); ++i) {
        const BoardLayer& layer = shape.layers[i];
        if (!layer.has(fluent)) continue;
        bool known =
            contains(shape.columns, fluent.arguments[layer.across]) && contains(shape.rows, fluent.arguments[layer.up]);
        for (std::size_t board = 0; board < layer.boards.size(); ++board) {
            known = known && contains(shape.boards[board], fluent.arguments[layer.boards[board]]);
        }
        if (known) return i;
    }
    return {};
}

Board::Cells Board::cells_of(const Grid& grid, const FluentTexts& state) const {
    Cells cells;
    for (const FluentText& fluent : state) {
        const std::optional<std::size_t> layer = layer_of(grid, fluent);
        if (!layer) continue;
        const std::string& name = grid.shape.layers[*layer].content_of(fluent);
        std::vector<const Content*>& held = cells[cell_of(grid.shape.layers[*layer], fluent)];
        if (*layer == 0 && name == grid.background) continue;
        const auto content = grid.contents.find({*layer, name});
        if (content == grid.contents.end()) continue;
        // What stands there first, then what is said of the cell besides.
        held.insert(*layer == 0 ? held.begin() : held.end(), &content->second);
    }
    return cells;
}

std::string Board::draw_grid(const Grid& grid, const FluentTexts& state, const Drawing& drawing) const {
    Cells cells = cells_of(grid, state);
    std::set<Cell> changed;
    if (drawing.before != nullptr) {
        const Cells before = cells_of(grid, *drawing.before);
        for (const Cell& cell : grid.possible) {
            const auto now = cells.find(cell);
            const auto then = before.find(cell);
            const auto held = [](const auto& at, const Cells& all) {
                return at == all.end() ? std::vector<const Content*>{} : at->second;
            };
            if (held(now, cells) != held(then, before)) changed.insert(cell);
        }
    }
    const std::string title = grids_.size() > 1 ? grid.shape.layers.front().relation : "";
    return GridPainter(grid, drawing, std::move(cells), std::move(changed)).paint(title);
}

std::string Board::legend(const Grid& grid) const {
    std::vector<std::string> words;
    for (const auto& [key, content] : grid.contents) {
        if (key.first == 0 && key.second == grid.background) continue;
        if (content.sign != content.name) words.push_back(fmt::format("{}={}", content.sign, content.name));
    }
    if (grid.background) words.push_back(fmt::format(".={}", *grid.background));
    return wrapped(words, 100);
}

std::string Board::draw(const FluentTexts& state, const Drawing& drawing) const {
    std::string text;
    for (const Grid& grid : grids_) {
        text += draw_grid(grid, state, drawing);
        if (drawing.legend) text += legend(grid);
    }
    if (!drawing.others) return text;
    std::vector<std::string> others;
    for (const FluentText& fluent : state) {
        const bool drawn =
            std::ranges::any_of(grids_, [&](const Grid& grid) { return layer_of(grid, fluent).has_value(); });
        if (!drawn) others.push_back(to_text(fluent));
    }
    return text + wrapped(others, drawing.width);
}

BoardEvidence look_at(const machine::Game& game) {
    constexpr std::uint64_t seed = 1;
    // What is slow is large as well.
    const bool fast = game.is_quick();
    const std::size_t games = fast ? 4 : 1;
    const std::size_t longest = fast ? 100 : 10;
    constexpr std::size_t state_every = 3;  // neighbours tell little new

    BoardEvidence evidence;
    // Nothing with so many fluents can be looked at by anybody.
    constexpr std::size_t most_fluents = 100'000;
    constexpr std::size_t most_names = 1'000'000;  // of fluents in all states; every one of them costs
    if (game.statistics().fluents > most_fluents) return evidence;
    evidence.order = CoordinateOrder(game);
    const std::unique_ptr<machine::Machine> machine = game.make();
    evidence.roles = machine::role_names(*machine);
    machine::Random random(seed);
    machine::RandomPlay play(*machine);
    evidence.states.push_back(fluents_of(*machine, machine->initial()));
    std::size_t names = evidence.states.back().size();
    for (std::size_t played = 0; played < games && names < most_names; ++played) {
        machine::State state = machine->initial();
        for (std::size_t step = 0; step < longest && names < most_names && !machine->terminal(state);
             step += state_every) {
            const machine::Playout& part = play.play(random, {state_every, false, {}}, state);
            if (part.steps == 0) break;
            state = part.last;
            evidence.states.push_back(fluents_of(*machine, state));
            names += evidence.states.back().size();
        }
    }
    if (const std::shared_ptr<const ground::Program> program = game.program()) {
        for (std::uint32_t i = 0; i < program->fluents.size(); ++i) {
            evidence.fluents.push_back(read_fluent(machine->fluent_name(machine::Fluent{i})));
        }
    } else {
        std::set<std::string> seen;
        for (const FluentTexts& state : evidence.states) {
            for (const FluentText& fluent : state) {
                if (seen.insert(to_text(fluent)).second) evidence.fluents.push_back(fluent);
            }
        }
    }
    return evidence;
}

}  // namespace stratagem::view
