#include "evaluate/least_model.h"

#include <algorithm>

#include "util/contract.h"
#include "util/strongly_connected.h"

namespace stratagem::evaluate {

namespace {
constexpr std::uint32_t unknown = 0xFFFFFFFFU;
}

LeastModel::LeastModel(const analysis::RuleIndex& index, std::span<const Atom> atoms) {
    if (atoms.empty()) return;
    collect(index, atoms);
    order_rules(index);
    for (const Atom atom : atoms) wanted_.push_back(number_[ground::index(atom)]);
    number_.clear();
}

// All atoms below the given ones, numbered so that what a component depends on comes before it.
void LeastModel::collect(const analysis::RuleIndex& index, std::span<const Atom> atoms) {
    const ground::Program& program = index.program();
    std::vector<Atom> found;
    number_.assign(program.atom_count(), unknown);
    const auto reach = [&](Atom atom) {
        if (number_[ground::index(atom)] != unknown) return;
        number_[ground::index(atom)] = static_cast<std::uint32_t>(found.size());
        found.push_back(atom);
    };
    for (const Atom atom : atoms) reach(atom);
    std::vector<std::uint32_t> first{0}, targets;
    for (std::size_t i = 0; i < found.size(); ++i) {  // NOLINT(modernize-loop-convert): grows meanwhile
        for (const std::uint32_t rule : index.rules(found[i])) {
            for (const ground::Condition condition : program.body(rule)) {
                reach(condition.atom());
                targets.push_back(number_[ground::index(condition.atom())]);
            }
        }
        first.push_back(static_cast<std::uint32_t>(targets.size()));
    }
    const std::vector<std::uint32_t> component =
        strongly_connected(static_cast<std::uint32_t>(found.size()), first, targets);
    std::vector<std::uint32_t> order(found.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    // Leaves first (fluents), then components by number.
    const auto is_leaf = [&](std::uint32_t i) { return ground::index(found[i]) < program.first_derived(); };
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        if (is_leaf(a) != is_leaf(b)) return is_leaf(a);
        if (is_leaf(a)) return found[a] < found[b];
        return component[a] != component[b] ? component[a] < component[b] : a < b;
    });
    std::uint32_t last = unknown;
    for (const std::uint32_t i : order) {
        number_[ground::index(found[i])] = static_cast<std::uint32_t>(atoms_.size());
        atoms_.push_back(found[i]);
        if (is_leaf(i)) {
            STRATAGEM_EXPECTS(ground::index(found[i]) < program.first_move_atom());
            fluents_.push_back(Fluent{ground::index(found[i])});
            component_of_.push_back(unknown);
            continue;
        }
        if (component[i] != last) component_rules_.push_back(0);
        last = component[i];
        component_of_.push_back(static_cast<std::uint32_t>(component_rules_.size() - 1));
    }
}

void LeastModel::order_rules(const analysis::RuleIndex& index) {
    const ground::Program& program = index.program();
    std::vector<std::vector<std::uint32_t>> users(atoms_.size());
    std::uint32_t component = unknown;
    for (auto number = static_cast<std::uint32_t>(fluents_.size()); number < atoms_.size(); ++number) {
        if (component_of_[number] != component) {
            component = component_of_[number];
            component_rules_[component] = static_cast<std::uint32_t>(rules_.size());
        }
        for (const std::uint32_t rule : index.rules(atoms_[number])) {
            Rule made{number, static_cast<std::uint32_t>(conditions_.size()), 0};
            for (const ground::Condition condition : program.body(rule)) {
                const std::uint32_t part = number_[ground::index(condition.atom())];
                conditions_.emplace_back(part, condition.negated());
                if (component_of_[part] == component) users[part].push_back(static_cast<std::uint32_t>(rules_.size()));
            }
            made.end = static_cast<std::uint32_t>(conditions_.size());
            rules_.push_back(made);
        }
    }
    component_rules_.push_back(static_cast<std::uint32_t>(rules_.size()));
    first_user_.push_back(0);
    for (const std::vector<std::uint32_t>& list : users) {
        users_.insert(users_.end(), list.begin(), list.end());
        first_user_.push_back(static_cast<std::uint32_t>(users_.size()));
    }
}

LeastModel::Memory LeastModel::make_memory() const {
    Memory memory;
    memory.holds.assign(atoms_.size(), 0);
    memory.waiting.assign(rules_.size(), 0);
    memory.open.reserve(atoms_.size());
    return memory;
}

void LeastModel::settle(const machine::State& state, Memory& memory) const {
    std::ranges::fill(memory.holds, std::uint8_t{0});
    for (std::size_t i = 0; i < fluents_.size(); ++i) memory.holds[i] = state.holds(fluents_[i]) ? 1 : 0;
    for (std::size_t c = 0; c + 1 < component_rules_.size(); ++c) settle_component(c, memory);
}

void LeastModel::settle_component(std::size_t component, Memory& memory) const {
    const std::uint32_t first = component_rules_[component];
    const std::uint32_t end = component_rules_[component + 1];
    for (std::uint32_t r = first; r < end; ++r) {
        std::uint32_t waiting = 0;
        for (std::uint32_t c = rules_[r].first; c < rules_[r].end; ++c) {
            const bool holds = memory.holds[conditions_[c].node()] != 0;
            if (holds == conditions_[c].negated()) ++waiting;
        }
        memory.waiting[r] = waiting;
    }
    const auto derive = [&](std::uint32_t head) {
        if (memory.holds[head] != 0) return;
        memory.holds[head] = 1;
        memory.open.push_back(head);
    };
    for (std::uint32_t r = first; r < end; ++r) {
        if (memory.waiting[r] == 0) derive(rules_[r].head);
    }
    while (!memory.open.empty()) {
        const std::uint32_t atom = memory.open.back();
        memory.open.pop_back();
        for (std::uint32_t u = first_user_[atom]; u < first_user_[atom + 1]; ++u) {
            if (--memory.waiting[users_[u]] == 0) derive(rules_[users_[u]].head);
        }
    }
}

}  // namespace stratagem::evaluate
