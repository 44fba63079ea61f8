#include "analysis/plain_structures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gdl/print.h"
#include "util/contract.h"

namespace stratagem::analysis {

namespace {

std::vector<gdl::Term> arguments_of(const ground::Program& program, Fluent fluent,
                                    const std::vector<std::uint32_t>& places) {
    std::vector<gdl::Term> values;
    const gdl::Term term = program.fluents[ground::index(fluent)];
    for (const std::uint32_t place : places) values.push_back(program.terms.argument(term, place));
    return values;
}

// Of a family with `arity` arguments, all but these.
std::vector<std::uint32_t> others(std::uint32_t arity, const std::vector<std::uint32_t>& these) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 0; i < arity; ++i) {
        if (std::ranges::find(these, i) == these.end()) result.push_back(i);
    }
    return result;
}

std::vector<std::uint32_t> places_where(const Structure& structure, bool output) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 0; i < structure.arguments.size(); ++i) {
        if (structure.arguments[i].output == output) result.push_back(i);
    }
    return result;
}

std::vector<std::optional<std::size_t>> orders_of(const Structure& structure) {
    std::vector<std::optional<std::size_t>> orders;
    for (const Argument& one : structure.arguments) orders.push_back(one.order);
    return orders;
}

bool is_seen(const PlainMarker& marker, const Samples* samples) {
    return samples == nullptr ||
           std::ranges::any_of(marker.fluents, [&](Fluent fluent) { return !samples->holding(fluent).empty(); });
}

class FromMeaning {
  public:
    explicit FromMeaning(const Findings& findings) : findings_(findings), program_(*findings.program()) {
        result_.families = findings.families();
        result_.orders = findings.orders();
        result_.team = findings.kind().team;
        result_.states = findings.samples() != nullptr ? findings.samples()->size() : 0;
        result_.complete = findings.complete();
    }

    PlainStructures run() {
        for (const Structure& structure : findings_.structures()) take(structure);
        return std::move(result_);
    }

  private:
    void take(const Structure& structure) {
        const Family& family = result_.families[structure.family];
        const std::vector<std::uint32_t> outputs = places_where(structure, true);
        switch (structure.kind) {
            case Structure::Kind::step_counter:
                result_.counters.push_back({structure.family, *structure.arguments[0].order});
                break;
            case Structure::Kind::quantity:
            case Structure::Kind::amounts: {
                // Of several outputs all but one have a single value.
                const auto ordered = std::ranges::find_if(
                    outputs, [&](std::uint32_t place) { return structure.arguments[place].order.has_value(); });
                if (ordered == outputs.end()) break;
                result_.quantities.push_back(
                    make_quantity(program_, family, structure.family, *ordered, *structure.arguments[*ordered].order));
                break;
            }
            case Structure::Kind::board: {
                PlainBoard board = make_board(program_, family, structure.family, outputs, orders_of(structure));
                for (std::size_t i = 0; i < board.markers.size(); ++i) {
                    PlainMarker& marker = board.markers[i];
                    marker.seen = is_seen(marker, findings_.samples());
                    marker.piece = marker.seen && i < structure.single.size() && holds(structure.single[i]);
                }
                result_.boards.push_back(std::move(board));
                break;
            }
            case Structure::Kind::places:
                add_places(structure, places_where(structure, false));
                break;
            case Structure::Kind::singleton:
                // One thing, and the coordinates of where it is.
                if (family.arity > 1 && std::ranges::all_of(structure.arguments, [](const Argument& one) {
                        return one.order.has_value();
                    })) {
                    add_places(structure, {});
                }
                break;
            default:
                break;
        }
    }

    // Things that are in one place each.
    void add_places(const Structure& structure, const std::vector<std::uint32_t>& things) {
        PlainBoard board =
            make_board(program_, result_.families[structure.family], structure.family, things, orders_of(structure));
        for (PlainMarker& marker : board.markers) marker.seen = marker.piece = is_seen(marker, findings_.samples());
        result_.boards.push_back(std::move(board));
    }

    const Findings& findings_;
    const ground::Program& program_;
    PlainStructures result_;
};

std::string words(const gdl::TermPool& terms, const std::vector<gdl::Term>& values) {
    std::string text;
    for (const gdl::Term value : values) {
        if (!text.empty()) text += ' ';
        text += gdl::to_kif(terms, value);
    }
    return text;
}

std::string board_text(const PlainStructures& structures, const PlainBoard& board, const gdl::TermPool& terms) {
    std::string text = fmt::format("board {}:", terms.symbols().name(structures.families[board.family].name));
    for (std::size_t i = 0; i < board.coordinates.size(); ++i) {
        const std::string order =
            board.orders[i] ? fmt::format(" by {}", terms.symbols().name(structures.orders[*board.orders[i]].relation))
                            : "";
        text += fmt::format(" +{}{}", board.coordinates[i] + 1, order);
    }
    for (const std::uint32_t place : board.content) text += fmt::format(" -{}", place + 1);
    text += fmt::format("; {} cells{};", board.cells, board.is_ordered() ? ", ordered" : "");
    for (const PlainMarker& marker : board.markers) {
        text += fmt::format(" {}{}", marker.content.empty() ? "it" : words(terms, marker.content),
                            marker.piece  ? " (piece)"
                            : marker.seen ? ""
                                          : " (never seen)");
    }
    return text + "\n";
}

}  // namespace

bool PlainBoard::is_ordered() const {
    return std::ranges::all_of(orders, [](const auto& order) { return order.has_value(); });
}

std::size_t PlainBoard::pieces() const {
    return static_cast<std::size_t>(std::ranges::count_if(markers, &PlainMarker::piece));
}

bool PlainStructures::is_counter(std::size_t family) const {
    return std::ranges::find(counters, family, &PlainCounter::family) != counters.end();
}

std::uint32_t PlainStructures::index_of(const ground::Program& program, Fluent fluent, std::uint32_t argument,
                                        std::size_t order) const {
    const gdl::Term term = program.fluents[ground::index(fluent)];
    const std::optional<std::uint32_t> index = orders[order].index_of(program.terms.argument(term, argument));
    STRATAGEM_EXPECTS(index.has_value());
    return *index;
}

PlainBoard make_board(const ground::Program& program, const Family& family, std::size_t number,
                      std::vector<std::uint32_t> content, const std::vector<std::optional<std::size_t>>& orders) {
    PlainBoard board;
    board.family = number;
    board.coordinates = others(family.arity, content);
    board.content = std::move(content);
    for (const std::uint32_t place : board.coordinates) board.orders.push_back(orders[place]);
    std::map<std::vector<gdl::Term>, std::size_t> cells, markers;
    for (const Fluent fluent : family.members) {
        cells.emplace(arguments_of(program, fluent, board.coordinates), cells.size());
        std::vector<gdl::Term> what = arguments_of(program, fluent, board.content);
        const auto [place, added] = markers.emplace(what, board.markers.size());
        if (added) board.markers.push_back({std::move(what), {}, false, false});
        board.markers[place->second].fluents.push_back(fluent);
    }
    board.cells = cells.size();
    return board;
}

PlainQuantity make_quantity(const ground::Program& program, const Family& family, std::size_t number,
                            std::uint32_t output, std::size_t order) {
    PlainQuantity quantity{number, output, order, {}};
    const std::vector<std::uint32_t> inputs = others(family.arity, {output});
    std::map<std::vector<gdl::Term>, std::size_t> places;
    for (const Fluent fluent : family.members) {
        std::vector<gdl::Term> whose = arguments_of(program, fluent, inputs);
        const auto [place, added] = places.emplace(whose, quantity.amounts.size());
        if (added) quantity.amounts.push_back({std::move(whose), {}});
        quantity.amounts[place->second].fluents.push_back(fluent);
    }
    return quantity;
}

PlainStructures plain_structures_by_meaning(const Findings& findings) {
    STRATAGEM_EXPECTS(findings.program() != nullptr);
    return FromMeaning(findings).run();
}

std::string to_text(const PlainStructures& structures, const gdl::TermPool& terms) {
    std::string text;
    for (const Order& order : structures.orders) {
        text += fmt::format("order {}: {} elements\n", terms.symbols().name(order.relation), order.elements.size());
    }
    for (const PlainCounter& counter : structures.counters) {
        text += fmt::format("counter {} by {}\n", terms.symbols().name(structures.families[counter.family].name),
                            terms.symbols().name(structures.orders[counter.order].relation));
    }
    for (const PlainBoard& board : structures.boards) text += board_text(structures, board, terms);
    for (const PlainQuantity& quantity : structures.quantities) {
        text += fmt::format("quantity {}: -{} by {};", terms.symbols().name(structures.families[quantity.family].name),
                            quantity.output + 1, terms.symbols().name(structures.orders[quantity.order].relation));
        for (const PlainQuantity::Amount& one : quantity.amounts) {
            text += one.inputs.empty() ? "" : fmt::format(" ({})", words(terms, one.inputs));
        }
        text += "\n";
    }
    text += fmt::format("teams: {}\n", fmt::join(structures.team, " "));
    return text;
}

}  // namespace stratagem::analysis
