#include "evaluate/linear/cells.h"

#include <algorithm>
#include <bit>

namespace stratagem::evaluate::linear {

namespace {

constexpr std::uint32_t none = 0xFFFFFFFFU;

}  // namespace

// Each fluent in one of them. Of groups that overlap those are taken that differ in the fewest arguments: what is in a
// place, rather than where a piece is.
Cells::Cells(const analysis::Findings& analysis) : cell_of_(analysis.program()->fluents.size(), none) {
    std::vector<const analysis::Group*> order;
    for (const analysis::Group& group : analysis.groups()) {
        if (group.at_most_one && group.verdict != analysis::Verdict::refuted) order.push_back(&group);
    }
    const auto rank = [](const analysis::Group* group) {
        const int outputs = group->family == analysis::Group::mixed ? 64 : std::popcount(group->outputs);
        return std::pair(outputs, -static_cast<std::ptrdiff_t>(group->fluents.size()));
    };
    std::ranges::stable_sort(order, {}, rank);
    const auto is_free = [&](machine::Fluent fluent) { return cell_of_[ground::index(fluent)] == none; };
    for (const analysis::Group* group : order) {
        if (!std::ranges::all_of(group->fluents, is_free)) continue;
        for (const machine::Fluent fluent : group->fluents) cell_of_[ground::index(fluent)] = 0;
        cells_.push_back(group->fluents);
        full_.push_back(group->at_least_one);
    }
    for (std::uint32_t i = 0; i < cell_of_.size(); ++i) {
        if (cell_of_[i] == none) cells_.push_back({machine::Fluent{i}});
    }
    full_.resize(cells_.size(), false);
    number();
}

Cells::Cells(std::vector<std::vector<machine::Fluent>> cells, std::vector<bool> full, std::size_t fluents)
    : cells_(std::move(cells)), full_(std::move(full)), cell_of_(fluents, none) {
    number();
}

void Cells::number() {
    place_.assign(cell_of_.size(), 0);
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
        for (std::uint32_t i = 0; i < cells_[cell].size(); ++i) {
            cell_of_[ground::index(cells_[cell][i])] = cell;
            place_[ground::index(cells_[cell][i])] = i;
        }
    }
}

TurnCells find_turn_cells(const Cells& cells, const analysis::Findings& analysis) {
    using Kind = analysis::Structure::Kind;
    constexpr std::size_t most_players = 8;
    TurnCells result{std::vector<bool>(cells.size(), false), static_cast<std::uint32_t>(cells.size())};
    bool several = false;
    for (const analysis::Structure& structure : analysis.structures()) {
        if (structure.kind != Kind::control && structure.kind != Kind::step_counter) continue;
        for (const machine::Fluent fluent : analysis.families()[structure.family].members) {
            const std::uint32_t cell = cells.cell_of(fluent);
            result.is_one[cell] = true;
            if (structure.kind != Kind::control || cell == result.control) continue;
            several = several || result.control < cells.size();
            result.control = cell;
        }
    }
    const bool fits = result.control < cells.size() && cells.fluents(result.control).size() <= most_players;
    if (several || !fits) result.control = static_cast<std::uint32_t>(cells.size());
    return result;
}

}  // namespace stratagem::evaluate::linear
