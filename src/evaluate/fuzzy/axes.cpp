#include "evaluate/fuzzy/axes.h"

#include <algorithm>

namespace stratagem::evaluate::fuzzy {

using analysis::Structure;

Axes::Axes(const analysis::Findings& analysis, const Structure& structure)
    : program_(*analysis.program()), family_(analysis.families()[structure.family]) {
    const bool outputs = structure.kind != Structure::Kind::board;
    for (std::uint32_t i = 0; i < structure.arguments.size(); ++i) {
        const auto& argument = structure.arguments[i];
        if (!argument.order || argument.output != outputs) continue;
        std::optional<Axis> made = make_axis(analysis, i, *argument.order);
        if (made) axes_.push_back(std::move(*made));
    }
}

std::uint32_t Axes::Axis::between(std::uint32_t a, std::uint32_t b) const {
    if (position.empty()) return steps[a * values + b];
    return position[a] < position[b] ? position[b] - position[a] : position[a] - position[b];
}

std::optional<Axes::Axis> Axes::make_axis(const analysis::Findings& analysis, std::uint32_t argument,
                                          std::size_t order_number) const {
    const analysis::Order& order = analysis.orders()[order_number];
    const std::vector<gdl::Term>& values = family_.values[argument];
    if (values.size() < 2 || (!order.linear && values.size() > most_values)) return std::nullopt;
    Axis made;
    made.argument = argument;
    made.values = static_cast<std::uint32_t>(values.size());
    std::uint32_t farthest = 0;
    if (order.linear) {
        for (const gdl::Term value : values) {
            const std::optional<std::uint32_t> position = order.index_of(value);
            if (!position) return std::nullopt;
            made.position.push_back(*position);
        }
        const auto [least, most] = std::ranges::minmax(made.position);
        farthest = most - least;
    } else {
        constexpr std::uint32_t no_way = 0xFFFFFFFFU;
        for (const gdl::Term from : values) {
            for (const gdl::Term to : values) {
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

std::uint32_t Axes::value(Fluent fluent, std::uint32_t argument) const {
    const gdl::Term term = program_.terms.arguments(program_.fluents[ground::index(fluent)])[argument];
    const std::vector<gdl::Term>& values = family_.values[argument];
    return static_cast<std::uint32_t>(std::ranges::find(values, term) - values.begin());
}

std::vector<gdl::Term> Axes::rest(Fluent fluent) const {
    std::vector<gdl::Term> rest;
    const std::span<const gdl::Term> arguments = program_.terms.arguments(program_.fluents[ground::index(fluent)]);
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < arguments.size(); ++i) {
        if (next < axes_.size() && axes_[next].argument == i) {
            ++next;
        } else {
            rest.push_back(arguments[i]);
        }
    }
    return rest;
}

Axes::Apart Axes::between(Fluent one, Fluent other) const {
    Apart apart;
    for (const Axis& axis : axes_) {
        const std::uint32_t steps = axis.between(value(one, axis.argument), value(other, axis.argument));
        apart.steps += steps;
        apart.part += steps / axis.size;
    }
    apart.part = std::min(1.0, apart.part / static_cast<double>(axes_.size()));
    return apart;
}

}  // namespace stratagem::evaluate::fuzzy
