#include "evaluate/fuzzy/nearness.h"

#include <algorithm>
#include <map>

#include "gdl/print.h"

namespace stratagem::evaluate::fuzzy {

using analysis::Structure;

Nearness::Nearness(const analysis::Analysis& analysis, const Settings& settings, const Wanted& wanted)
    : measured_(wanted.size(), false), group_of_(wanted.size(), none), first_coordinate_(wanted.size(), 0) {
    for (const Structure& structure : analysis.structures) {
        const std::optional<Want> least = least_want(structure, settings);
        if (least) add_family(analysis, structure.family, *least, wanted);
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

// On a board where something is (its ordered inputs), of amounts and other things how much (the ordered outputs).
std::vector<std::uint32_t> Nearness::chosen_arguments(const Structure& structure) {
    const bool outputs = structure.kind != Structure::Kind::board;
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t i = 0; i < structure.arguments.size(); ++i) {
        if (structure.arguments[i].order && structure.arguments[i].output == outputs) chosen.push_back(i);
    }
    return chosen;
}

std::uint32_t Nearness::Dimension::between(std::uint32_t a, std::uint32_t b) const {
    if (position.empty()) return steps[a * values + b];
    return position[a] < position[b] ? position[b] - position[a] : position[a] - position[b];
}

std::optional<Nearness::Dimension> Nearness::make_dimension(const analysis::Analysis& analysis,
                                                            const analysis::Family& family, std::uint32_t argument,
                                                            std::size_t order_number) const {
    const analysis::Order& order = analysis.orders[order_number];
    const std::vector<gdl::Term>& values = family.values[argument];
    if (values.size() < 2 || (!order.linear && values.size() > most_values)) return std::nullopt;
    Dimension made;
    made.argument = argument;
    made.values = static_cast<std::uint32_t>(values.size());
    std::vector<std::string> names;
    for (const gdl::Term value : values) names.push_back(gdl::to_kif(analysis.program->terms, value));
    std::uint32_t farthest = 0;
    if (order.linear) {
        for (const std::string& name : names) {
            const std::optional<std::uint32_t> position = order.index_of(name);
            if (!position) return std::nullopt;
            made.position.push_back(*position);
        }
        const auto [least, most] = std::ranges::minmax(made.position);
        farthest = most - least;
    } else {
        constexpr std::uint32_t no_way = none;
        for (const std::string& from : names) {
            for (const std::string& to : names) {
                const std::uint32_t there = order.steps(from, to).value_or(no_way);
                const std::uint32_t back = order.steps(to, from).value_or(no_way);
                made.steps.push_back(std::min(there, back));
                if (made.steps.back() != no_way) farthest = std::max(farthest, made.steps.back());
            }
        }
        // Where no way leads, as far as can be.
        const std::uint32_t size = std::max(made.values, farthest + 1);
        std::ranges::replace(made.steps, no_way, size);
    }
    made.size = std::max(made.values, farthest + 1);
    return made;
}

void Nearness::add_family(const analysis::Analysis& analysis, std::size_t number, Want least, const Wanted& wanted) {
    const analysis::Family& family = analysis.families[number];
    const Structure& structure = analysis.structures[number];
    if (std::ranges::none_of(family.members, [&](Fluent one) { return wanted[ground::index(one)] >= least; })) return;
    const auto first_dimension = static_cast<std::uint32_t>(dimensions_.size());
    for (const std::uint32_t argument : chosen_arguments(structure)) {
        std::optional<Dimension> made =
            make_dimension(analysis, family, argument, *structure.arguments[argument].order);
        if (made) dimensions_.push_back(std::move(*made));
    }
    const auto dimension_count = static_cast<std::uint32_t>(dimensions_.size() - first_dimension);
    if (dimension_count == 0) return;
    const std::span<const Dimension> dimensions = std::span(dimensions_).subspan(first_dimension);
    std::uint32_t counts = 0;
    for (const Dimension& dimension : dimensions) {
        counts += dimension.values;
        most_steps_ = std::max(most_steps_, dimension.values);
    }
    const gdl::TermPool& terms = analysis.program->terms;
    std::map<std::vector<gdl::Term>, std::uint32_t> by_rest;
    for (const Fluent fluent : family.members) {
        const std::span<const gdl::Term> arguments = terms.arguments(analysis.program->fluents[ground::index(fluent)]);
        std::vector<gdl::Term> rest;
        first_coordinate_[ground::index(fluent)] = static_cast<std::uint32_t>(coordinates_.size());
        std::size_t next = 0;
        for (std::uint32_t i = 0; i < arguments.size(); ++i) {
            if (next >= dimensions.size() || dimensions[next].argument != i) {
                rest.push_back(arguments[i]);
                continue;
            }
            const auto place = std::ranges::find(family.values[i], arguments[i]) - family.values[i].begin();
            coordinates_.push_back(static_cast<std::uint32_t>(place));
            ++next;
        }
        const auto [at, added] = by_rest.emplace(rest, static_cast<std::uint32_t>(groups_.size()));
        if (added) {
            groups_.push_back({first_dimension, dimension_count, count_size_, {}, {}});
            count_size_ += counts;
        }
        Group& group = groups_[at->second];
        group_of_[ground::index(fluent)] = at->second;
        group.members.push_back(fluent);
        if (wanted[ground::index(fluent)] < least) continue;
        measured_[ground::index(fluent)] = true;
        group.leaves.push_back(fluent);
        most_leaves_ = std::max(most_leaves_, group.leaves.size());
    }
    // Nothing to measure in a group: its fluents need not be followed.
    for (const auto& [rest, group] : by_rest) {
        if (!groups_[group].leaves.empty()) continue;
        for (const Fluent fluent : groups_[group].members) group_of_[ground::index(fluent)] = none;
    }
}

Nearness::Memory Nearness::make_memory() const {
    Memory memory;
    memory.counts.assign(count_size_, 0);
    memory.pieces.assign(groups_.size(), 0);
    memory.changed.assign(groups_.size(), 1);
    for (std::uint32_t i = 0; i < groups_.size(); ++i) memory.open.push_back(i);
    memory.steps.assign(most_steps_, 0);
    memory.distance.assign(most_leaves_, 0);
    return memory;
}

void Nearness::flip(Fluent fluent, bool holds, Memory& memory) const {
    const std::uint32_t number = group_of_[ground::index(fluent)];
    if (number == none) return;
    const Group& group = groups_[number];
    const std::uint32_t change = holds ? 1 : none;  // adding `none` takes one away
    memory.pieces[number] += change;
    std::uint32_t count = group.first_count;
    for (std::uint32_t i = 0; i < group.dimension_count; ++i) {
        memory.counts[count + coordinates_[first_coordinate_[ground::index(fluent)] + i]] += change;
        count += dimensions_[group.first_dimension + i].values;
    }
    if (memory.changed[number] != 0) return;
    memory.changed[number] = 1;
    memory.open.push_back(number);
}

void Nearness::measure(const Group& group, std::uint32_t number, Memory& memory) const {
    const std::span<double> distance = std::span(memory.distance).first(group.leaves.size());
    if (memory.pieces[number] == 0) {
        std::ranges::fill(distance, 1.0);
        return;
    }
    std::ranges::fill(distance, 0.0);
    const std::uint32_t* counts = memory.counts.data() + group.first_count;
    for (std::uint32_t d = 0; d < group.dimension_count; ++d) {
        const Dimension& dimension = dimensions_[group.first_dimension + d];
        std::fill_n(memory.steps.begin(), dimension.values, std::uint64_t{0});
        for (std::uint32_t held = 0; held < dimension.values; ++held) {
            if (counts[held] == 0) continue;
            for (std::uint32_t to = 0; to < dimension.values; ++to) {
                memory.steps[to] += std::uint64_t{counts[held]} * dimension.between(held, to);
            }
        }
        for (std::size_t i = 0; i < group.leaves.size(); ++i) {
            const std::uint32_t to = coordinates_[first_coordinate_[ground::index(group.leaves[i])] + d];
            distance[i] += static_cast<double>(memory.steps[to]) / dimension.size;
        }
        counts += dimension.values;
    }
    const double parts = static_cast<double>(memory.pieces[number]) * group.dimension_count;
    for (double& one : distance) one = std::min(1.0, one / parts);
}

std::optional<std::uint64_t> Nearness::steps_to_nearest(const machine::State& state, Fluent fluent) const {
    const std::uint32_t number = group_of_[ground::index(fluent)];
    if (number == none) return std::nullopt;
    const Group& group = groups_[number];
    std::optional<std::uint64_t> least;
    for (const Fluent other : group.members) {
        if (!state.holds(other)) continue;
        std::uint64_t steps = 0;
        for (std::uint32_t d = 0; d < group.dimension_count; ++d) {
            steps += dimensions_[group.first_dimension + d].between(
                coordinates_[first_coordinate_[ground::index(other)] + d],
                coordinates_[first_coordinate_[ground::index(fluent)] + d]);
        }
        least = least ? std::min(*least, steps) : steps;
    }
    return least;
}

}  // namespace stratagem::evaluate::fuzzy
