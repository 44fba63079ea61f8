#include "view/board_shape.h"

#include <algorithm>
#include <tuple>

namespace stratagem::view {

namespace {

constexpr std::size_t largest_side = 32;  // a grid has to fit into a terminal
constexpr std::size_t most_boards = 16;   // of one shape
constexpr std::size_t most_shapes = 4;
constexpr std::size_t largest_arity = 6;
constexpr double least_coverage = 0.2;  // of the rectangle by cells there can be; stars and crosses leave much out
constexpr double least_coverage_boards = 0.5;  // several boards are believed less easily
constexpr double most_conflicts = 0.25;        // of filled cells that hold more than one thing; rules have faults too
constexpr double nearly_all = 0.9;

struct Relation {
    std::string name;
    std::size_t arity = 0;
    std::vector<OrderedDomain> domains;
    std::vector<const FluentText*> fluents;
};

// A way to read a relation as a board, and what speaks for it.
struct Reading {
    BoardLayer layer;
    std::size_t cells = 0;  // there can be
    double conflicts = 0;
    bool ordered = false;  // both coordinates are
    bool same_sides = false;
    bool plain_content = false;  // contents have no order
    bool content_last = false;
    bool starts_full = false;  // in the initial state every cell holds one thing
    bool total = false;        // in nearly all states every cell holds something

    auto merit() const { return std::tuple(ordered, conflicts == 0, same_sides, plain_content, content_last, cells); }
};

std::vector<std::string> chosen(const FluentText& fluent, std::span<const std::size_t> places) {
    std::vector<std::string> result;
    for (const std::size_t place : places) result.push_back(fluent.arguments[place]);
    return result;
}

// Board, column and row.
std::vector<std::string> cell_of(const BoardLayer& layer, const FluentText& fluent) {
    std::vector<std::string> cell = chosen(fluent, layer.boards);
    cell.push_back(fluent.arguments[layer.across]);
    cell.push_back(fluent.arguments[layer.up]);
    return cell;
}

std::vector<Relation> relations_of(const BoardEvidence& evidence) {
    std::map<std::pair<std::string, std::size_t>, Relation> found;
    for (const FluentText& fluent : evidence.fluents) {
        const std::size_t arity = fluent.arguments.size();
        if (arity < 2 || arity > largest_arity) continue;
        Relation& relation = found[{fluent.relation, arity}];
        relation.name = fluent.relation;
        relation.arity = arity;
        relation.fluents.push_back(&fluent);
    }
    std::vector<Relation> result;
    for (auto& [key, relation] : found) {
        for (std::size_t place = 0; place < relation.arity; ++place) {
            std::set<std::string> domain;
            for (const FluentText* fluent : relation.fluents) domain.insert(fluent->arguments[place]);
            relation.domains.push_back(evidence.order.sort(domain));
        }
        result.push_back(std::move(relation));
    }
    return result;
}

// Counts cells that hold something and those that hold several things, over the states.
void weigh(const BoardEvidence& evidence, Reading& reading) {
    std::size_t filled = 0;
    std::size_t crowded = 0;
    std::size_t full_states = 0;
    for (const FluentTexts& state : evidence.states) {
        std::map<std::vector<std::string>, std::size_t> held;
        for (const FluentText& fluent : state) {
            if (reading.layer.has(fluent)) ++held[cell_of(reading.layer, fluent)];
        }
        filled += held.size();
        for (const auto& [cell, count] : held) crowded += count > 1 ? 1U : 0U;
        if (held.size() == reading.cells) ++full_states;
        if (&state == &evidence.states.front()) reading.starts_full = held.size() == reading.cells && crowded == 0;
    }
    reading.conflicts = filled == 0 ? 0 : static_cast<double>(crowded) / static_cast<double>(filled);
    reading.total = reading.layer.content && full_states > 0 &&
                    static_cast<double>(full_states) >= nearly_all * static_cast<double>(evidence.states.size());
}

std::size_t board_count(const Relation& relation, const BoardLayer& layer) {
    std::size_t boards = 1;
    for (const std::size_t place : layer.boards) boards *= relation.domains[place].names.size();
    return boards;
}

// Two coordinates and nothing else: sides of about the same length with an order, or it may be any relation.
bool could_be_marks(const Relation& relation) {
    const OrderedDomain& first = relation.domains[0];
    const OrderedDomain& second = relation.domains[1];
    const auto [shorter, longer] = std::minmax({first.names.size(), second.names.size()});
    return first.ordered && second.ordered && shorter >= 3 && longer <= 2 * shorter;
}

// The two longest coordinates lie in the plane, of equal ones the last; only those that have an order, if there are
// two.
bool take_coordinates(const Relation& relation, BoardLayer& layer) {
    std::vector<std::size_t> ordered;
    std::vector<std::size_t> all;
    for (std::size_t place = 0; place < relation.arity; ++place) {
        if (place == layer.content) continue;
        all.push_back(place);
        if (relation.domains[place].ordered) ordered.push_back(place);
    }
    if (ordered.size() < 2 && all.size() > 2) return false;
    std::vector<std::size_t> plane = ordered.size() < 2 ? all : ordered;
    if (plane.size() < 2) return false;
    std::ranges::stable_sort(plane, {}, [&](std::size_t place) { return relation.domains[place].names.size(); });
    const std::span<const std::size_t> longest = std::span(plane).last(2);
    layer.across = std::min(longest[0], longest[1]);
    layer.up = std::max(longest[0], longest[1]);
    for (const std::size_t place : all) {
        if (place != layer.across && place != layer.up) layer.boards.push_back(place);
    }
    return true;
}

std::optional<Reading> read_as(const BoardEvidence& evidence, const Relation& relation,
                               std::optional<std::size_t> content) {
    Reading reading;
    BoardLayer& layer = reading.layer;
    layer.relation = relation.name;
    layer.arity = relation.arity;
    layer.content = content;
    if (content ? relation.arity < 3 : relation.arity != 2 || !could_be_marks(relation)) return {};
    if (!take_coordinates(relation, layer)) return {};
    const OrderedDomain& columns = relation.domains[layer.across];
    const OrderedDomain& rows = relation.domains[layer.up];
    const auto [shorter, longer] = std::minmax({columns.names.size(), rows.names.size()});
    const std::size_t boards = board_count(relation, layer);
    if (shorter < 2 || longer > largest_side || boards > most_boards) return {};

    std::set<std::vector<std::string>> cells;
    for (const FluentText* fluent : relation.fluents) cells.insert(cell_of(layer, *fluent));
    reading.cells = cells.size();
    const double coverage = static_cast<double>(reading.cells) / static_cast<double>(shorter * longer * boards);
    if (coverage < (boards > 1 ? least_coverage_boards : least_coverage)) return {};
    weigh(evidence, reading);
    if (reading.conflicts > most_conflicts && !reading.starts_full) return {};
    reading.ordered = columns.ordered && rows.ordered;
    reading.same_sides = shorter == longer;
    reading.plain_content = !content || !relation.domains[*content].ordered;
    reading.content_last = content == relation.arity - 1;
    // Without order it is a table, which is believed only where it is written like one.
    if (!reading.ordered && (!reading.content_last || reading.conflicts > 0)) return {};
    return reading;
}

std::optional<Reading> best_reading(const BoardEvidence& evidence, const Relation& relation) {
    std::optional<Reading> best = read_as(evidence, relation, {});
    for (std::size_t content = relation.arity; content-- > 0;) {
        std::optional<Reading> reading = read_as(evidence, relation, content);
        if (reading && (!best || reading->merit() > best->merit())) best = std::move(reading);
    }
    return best;
}

bool within(const OrderedDomain& part, const OrderedDomain& whole) {
    return std::ranges::all_of(
        part.names, [&](const std::string& name) { return std::ranges::find(whole.names, name) != whole.names.end(); });
}

struct Candidate {
    const Relation* relation = nullptr;
    Reading reading;
};

BoardShape shape_of(const Candidate& candidate) {
    const Relation& relation = *candidate.relation;
    const BoardLayer& layer = candidate.reading.layer;
    BoardShape shape{{layer}, {}, relation.domains[layer.across], relation.domains[layer.up]};
    for (const std::size_t place : layer.boards) shape.boards.push_back(relation.domains[place]);
    return shape;
}

// Whether it may be drawn into the cells of this board: what fills all cells by itself is a board of its own.
bool is_layer_of(const Candidate& candidate, const BoardShape& shape) {
    const BoardLayer& layer = candidate.reading.layer;
    return !candidate.reading.total && layer.boards.empty() && shape.boards.empty() &&
           within(candidate.relation->domains[layer.across], shape.columns) &&
           within(candidate.relation->domains[layer.up], shape.rows);
}

}  // namespace

std::vector<std::string> BoardLayer::board_of(const FluentText& fluent) const { return chosen(fluent, boards); }

std::vector<BoardShape> find_boards(const BoardEvidence& evidence) {
    const std::vector<Relation> relations = relations_of(evidence);
    std::vector<Candidate> candidates;
    for (const Relation& relation : relations) {
        if (std::optional<Reading> reading = best_reading(evidence, relation)) {
            candidates.push_back({&relation, std::move(*reading)});
        }
    }
    // Boards before what is drawn onto them. Names decide nothing but between equals.
    std::ranges::stable_sort(candidates, std::greater{}, [](const Candidate& one) {
        const Reading& reading = one.reading;
        return std::tuple(reading.ordered, reading.total, reading.cells, reading.layer.content.has_value());
    });
    std::vector<BoardShape> shapes;
    for (const Candidate& candidate : candidates) {
        const auto under =
            std::ranges::find_if(shapes, [&](const BoardShape& shape) { return is_layer_of(candidate, shape); });
        if (under != shapes.end()) {
            under->layers.push_back(candidate.reading.layer);
            continue;
        }
        // Beside another board, only what is certainly one.
        const bool sure = candidate.reading.total || shapes.empty();
        if (sure && shapes.size() < most_shapes) shapes.push_back(shape_of(candidate));
    }
    return shapes;
}

}  // namespace stratagem::view
