#include "analysis/state_values.h"

#include <algorithm>

#include "util/strongly_connected.h"

namespace stratagem::analysis {

StateValues::StateValues(const RuleIndex& index) : index_(index) {
    const ground::Program& program = index.program();
    const std::uint32_t atoms = program.atom_count();
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> below;
    for (std::uint32_t atom = 0; atom < atoms; ++atom) {
        for (const std::uint32_t rule : index.rules(Atom{atom})) {
            for (const ground::Condition condition : program.body(rule)) {
                below.push_back(ground::index(condition.atom()));
            }
        }
        first.push_back(static_cast<std::uint32_t>(below.size()));
    }
    // Components are numbered after those they can reach.
    const std::vector<std::uint32_t> component = strongly_connected(atoms, first, below);
    std::vector<std::uint32_t> sorted(atoms);
    for (std::uint32_t atom = 0; atom < atoms; ++atom) sorted[atom] = atom;
    std::ranges::stable_sort(sorted, {}, [&](std::uint32_t atom) { return component[atom]; });
    by_moves_.assign(atoms, false);
    for (std::uint32_t i = program.first_move_atom(); i < program.first_derived(); ++i) by_moves_[i] = true;
    for (const std::uint32_t atom : sorted) {
        for (std::uint32_t i = first[atom]; i < first[atom + 1]; ++i) {
            if (by_moves_[below[i]]) by_moves_[atom] = true;
        }
        if (atom < program.first_derived() || by_moves_[atom]) continue;
        if (!order_.empty() && component[ground::index(order_.back())] != component[atom])
            ends_.push_back(order_.size());
        order_.push_back(Atom{atom});
    }
    ends_.push_back(order_.size());
    values_.resize(atoms);
}

bool StateValues::holds(std::uint32_t rule) const {
    return std::ranges::all_of(index_.program().body(rule), [&](const ground::Condition& condition) {
        return values_[ground::index(condition.atom())] == condition.positive();
    });
}

const std::vector<bool>& StateValues::of(const machine::State& state) {
    values_.assign(values_.size(), false);
    state.for_each([&](Fluent fluent) { values_[ground::index(fluent)] = true; });
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = begin; i < end; ++i) {
                const std::uint32_t atom = ground::index(order_[i]);
                if (values_[atom]) continue;
                if (!std::ranges::any_of(index_.rules(Atom{atom}), [&](std::uint32_t rule) { return holds(rule); }))
                    continue;
                values_[atom] = true;
                changed = end - begin > 1;
            }
        }
        begin = end;
    }
    return values_;
}

}  // namespace stratagem::analysis
