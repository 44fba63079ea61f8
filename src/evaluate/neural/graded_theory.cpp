#include "evaluate/neural/graded_theory.h"

namespace stratagem::evaluate::neural {

GradedTheory::GradedTheory(const analysis::RuleIndex& index, const DomainTheory::Settings& settings,
                           const TransformationSettings& transformation, const machine::Stop& stop,
                           const FindNodeFeatures& find)
    : theory_(index, settings, stop),
      features_(find ? find(theory_) : NodeFeatures()),
      network_(transformed(transformation, stop)),
      leaf_of_(index.program().fluents.size(), none),
      recursion_(index, find_leaves(leaf_of_.size())),
      asked_(theory_.size(), false),
      watched_(leaf_of_.size(), false) {
    for (const Code root : roots()) asked_[node_of(root)] = true;
    for (const Fluent fluent : recursion_.fluents()) watched_[ground::index(fluent)] = true;
    if (!features_.all().empty()) count_at_first(index.program());
}

void GradedTheory::count_at_first(const ground::Program& program) {
    machine::State first(program.fluents.size());
    for (const Fluent fluent : program.initial) first.insert(fluent);
    Memory memory = make_memory();
    first.for_each([&](Fluent fluent) { set_leaf(fluent, 1, false, memory); });
    settle(first, 1, memory);
    network_.count_at_first(memory.values);
}

Network GradedTheory::transformed(const TransformationSettings& settings, const machine::Stop& stop) const {
    std::vector<Limits> inputs;
    if (settings.leaves != Limits{}) {
        for (std::uint32_t i = 0; i < theory_.size(); ++i) {
            const bool graded = theory_.leaf(i) && theory_.node(i).kind != DomainTheory::Kind::constant;
            inputs.push_back(graded ? settings.leaves : Limits{});
        }
    }
    switch (settings.kind) {
        case TransformationSettings::Kind::cilp:
            return transform_by_cilp(theory_);
        case TransformationSettings::Kind::local:
            return transform_locally(theory_, {settings.difference, inputs, features_.all(), stop, settings.sound});
        case TransformationSettings::Kind::soft:
            break;
    }
    return transform_softly(theory_, settings.soft, inputs, features_.all());
}

// Those that depend on themselves; of the others where they are.
std::vector<Atom> GradedTheory::find_leaves(std::size_t fluents) {
    std::vector<Atom> recursive;
    for (std::uint32_t i = 0; i < theory_.size(); ++i) {
        const DomainTheory::Node& node = theory_.node(i);
        if (node.kind == DomainTheory::Kind::fluent && ground::index(node.atom) < fluents) {
            leaf_of_[ground::index(node.atom)] = i;
        }
        if (node.kind != DomainTheory::Kind::recursive) continue;
        recursive.push_back(node.atom);
        recursive_leaf_.push_back(i);
    }
    return recursive;
}

GradedTheory::Memory GradedTheory::make_memory() const {
    Memory memory{network_.make_values(), recursion_.make_memory()};
    network_.set_input(memory.values, 0, 1, true);  // node 0 is what always holds
    return memory;
}

void GradedTheory::set_leaf(Fluent fluent, double value, bool certain, Memory& memory) const {
    const std::uint32_t leaf = leaf_of_[ground::index(fluent)];
    if (leaf != none) network_.set_input(memory.values, leaf, value, certain);
}

std::vector<Code> GradedTheory::roots() const {
    std::vector<Code> all{theory_.end()};
    for (const DomainTheory::Goal& goal : theory_.goals()) all.push_back(goal.condition);
    return all;
}

void GradedTheory::prune(Memory& memory) const { network_.prune(memory.values, roots()); }

void GradedTheory::settle(const machine::State& state, double plain, Memory& memory) const {
    if (!recursion_.empty() && memory.recursion_changed) recursion_.settle(state, memory.recursion);
    memory.recursion_changed = false;
    for (std::size_t i = 0; i < recursive_leaf_.size(); ++i) {
        const bool holds = recursion_.holds(memory.recursion, i);
        network_.set_input(memory.values, recursive_leaf_[i], holds ? plain : -plain);
    }
    if (memory.fresh) {
        network_.compute_all(memory.values);
    } else {
        network_.compute_changes(memory.values);
    }
    memory.fresh = false;
}

}  // namespace stratagem::evaluate::neural
