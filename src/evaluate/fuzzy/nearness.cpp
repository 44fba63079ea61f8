#include "evaluate/fuzzy/nearness.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace stratagem::evaluate::fuzzy {

using analysis::Structure;

Nearness::Nearness(const analysis::Findings& analysis, const Settings& settings, const Wanted& wanted)
    : measured_(wanted.size(), false), group_of_(wanted.size(), none), place_(wanted.size(), none) {
    for (std::size_t i = 0; i < analysis.structures().size(); ++i) {
        const std::optional<Want> least = least_want(analysis.structures()[i], settings);
        if (least) add_family(analysis, i, settings, *least, wanted);
    }
}

std::optional<Nearness::Want> Nearness::least_want(const Structure& structure, const Settings& settings) {
    switch (structure.kind) {
        case Structure::Kind::proposition:
        case Structure::Kind::set:
        case Structure::Kind::control:
            return std::nullopt;
        case Structure::Kind::board:
        case Structure::Kind::places:
            if (settings.boards == Settings::Boards::off) return std::nullopt;
            return settings.boards == Settings::Boards::all ? Want::in_end : Want::in_goals;
        case Structure::Kind::singleton:
        case Structure::Kind::quantity:
        case Structure::Kind::step_counter:
        case Structure::Kind::amounts:
            break;
    }
    return settings.quantities ? std::optional(Want::in_end) : std::nullopt;
}

namespace {

bool at_most_one(const analysis::Findings& analysis, const std::vector<Fluent>& fluents) {
    return std::ranges::any_of(analysis.groups(), [&](const analysis::Group& group) {
        return group.at_most_one && group.verdict == analysis::Verdict::proved &&
               std::ranges::includes(group.fluents, fluents);
    });
}

}  // namespace

void Nearness::add_family(const analysis::Findings& analysis, std::size_t number, const Settings& settings, Want least,
                          const Wanted& wanted) {
    const Structure& structure = analysis.structures()[number];
    const auto is_wanted = [&](Fluent one) { return wanted[ground::index(one)] >= least; };
    const std::vector<Fluent>& members = analysis.families()[structure.family].members;
    if (std::ranges::none_of(members, is_wanted)) return;
    const Axes axes(analysis, structure);
    if (axes.empty()) return;
    const bool board = structure.kind == Structure::Kind::board || structure.kind == Structure::Kind::places;
    const bool known =
        analysis.graph() != nullptr && analysis.graph()->complete() == analysis.program()->fluents.size();
    const std::vector<analysis::Verdict>& stays = analysis.persistence().stays;
    const auto may_leave = [&](Fluent one) {
        return ground::index(one) >= stays.size() || stays[ground::index(one)] != analysis::Verdict::proved;
    };
    std::map<std::vector<gdl::Term>, Group> by_rest;
    for (const Fluent fluent : members) {
        Group& group = by_rest[axes.rest(fluent)];
        group.members.push_back(fluent);
        if (is_wanted(fluent)) group.leaves.push_back(fluent);
    }
    for (auto& [rest, group] : by_rest) {
        const bool stones = board && settings.moves && std::ranges::none_of(group.members, may_leave);
        // The only one of its kind, and where it is it stays: it gets nowhere else.
        if (stones && at_most_one(analysis, group.members)) continue;
        add_group(analysis, std::move(group), board && settings.moves && known && !stones, axes);
    }
}

// Nothing where fewer than half of the places lead there: then pieces are pushed about, and are not on their way.
std::optional<std::vector<Nearness::Distance>> Nearness::by_moves(const analysis::FluentGraph& graph,
                                                                  const Group& group, Fluent leaf) {
    const std::vector<std::uint16_t> table = graph.distances_to(leaf);
    std::vector<Distance> column(group.members.size());
    std::uint32_t farthest = 0;
    std::size_t reaching = 0;
    for (std::size_t i = 0; i < column.size(); ++i) {
        const std::uint16_t steps = table[ground::index(group.members[i])];
        if (steps == analysis::FluentGraph::never) continue;
        column[i].steps = steps;
        farthest = std::max<std::uint32_t>(farthest, steps);
        ++reaching;
    }
    if (farthest == 0 || 2 * reaching < column.size()) return std::nullopt;
    for (Distance& one : column) {
        if (one.steps == none) continue;
        one.part = static_cast<std::uint32_t>(std::uint64_t{one.steps} * scale / (farthest + 1));
    }
    return column;
}

std::vector<Nearness::Distance> Nearness::by_axes(const Axes& axes, const Group& group, Fluent leaf) {
    std::vector<Distance> column;
    for (const Fluent member : group.members) {
        const Axes::Apart apart = axes.between(member, leaf);
        column.push_back({static_cast<std::uint32_t>(std::lround(apart.part * scale)), apart.steps});
    }
    return column;
}

void Nearness::add_group(const analysis::Findings& analysis, Group group, bool moving, const Axes& axes) {
    if (group.leaves.size() * group.members.size() > most_distances) return;
    std::vector<Fluent> leaves;
    std::vector<std::vector<Distance>> columns;  // by leaf
    for (const Fluent leaf : group.leaves) {
        std::optional<std::vector<Distance>> column =
            moving ? by_moves(*analysis.graph(), group, leaf) : by_axes(axes, group, leaf);
        if (!column) continue;
        leaves.push_back(leaf);
        columns.push_back(std::move(*column));
    }
    if (leaves.empty()) return;
    group.leaves = std::move(leaves);
    group.first_sum = sum_count_;
    group.first_distance = distances_.size();
    sum_count_ += group.leaves.size();
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        group_of_[ground::index(group.members[i])] = static_cast<std::uint32_t>(groups_.size());
        place_[ground::index(group.members[i])] = static_cast<std::uint32_t>(i);
        for (const std::vector<Distance>& column : columns) distances_.push_back(column[i]);
    }
    for (const Fluent leaf : group.leaves) measured_[ground::index(leaf)] = true;
    groups_.push_back(std::move(group));
}

Nearness::Memory Nearness::make_memory() const {
    Memory memory;
    memory.sums.assign(sum_count_, 0);
    memory.pieces.assign(groups_.size(), 0);
    memory.changed.assign(groups_.size(), 1);
    for (std::uint32_t i = 0; i < groups_.size(); ++i) memory.open.push_back(i);
    return memory;
}

void Nearness::flip(Fluent fluent, bool holds, Memory& memory) const {
    const std::uint32_t number = group_of_[ground::index(fluent)];
    if (number == none) return;
    const Group& group = groups_[number];
    const std::size_t leaves = group.leaves.size();
    const Distance* from = distances_.data() + group.first_distance + place_[ground::index(fluent)] * leaves;
    std::uint64_t* sums = memory.sums.data() + group.first_sum;
    if (holds) {
        ++memory.pieces[number];
        for (std::size_t i = 0; i < leaves; ++i) sums[i] += from[i].part;
    } else {
        --memory.pieces[number];
        for (std::size_t i = 0; i < leaves; ++i) sums[i] -= from[i].part;
    }
    if (memory.changed[number] != 0) return;
    memory.changed[number] = 1;
    memory.open.push_back(number);
}

std::optional<std::uint32_t> Nearness::steps_to_nearest(const machine::State& state, Fluent fluent) const {
    if (!measures(fluent)) return std::nullopt;
    const Group& group = groups_[group_of_[ground::index(fluent)]];
    const auto leaf = static_cast<std::size_t>(std::ranges::find(group.leaves, fluent) - group.leaves.begin());
    std::uint32_t least = none;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        if (!state.holds(group.members[i])) continue;
        least = std::min(least, distances_[group.first_distance + i * group.leaves.size() + leaf].steps);
    }
    return least == none ? std::nullopt : std::optional(least);
}

}  // namespace stratagem::evaluate::fuzzy
