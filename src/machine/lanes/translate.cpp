#include "machine/lanes/translate.h"

#include "util/contract.h"

namespace stratagem::machine::lanes {

namespace {

constexpr Signal unknown = Signal::from_code(0xFFFFFFFFU);

}  // namespace

Translation::Translation(const GateGraph& graph, std::span<const Signal> roots, std::size_t fluents, std::size_t moves,
                         Logic& logic, const Deadline& deadline)
    : logic_(logic), fluents_(fluents) {
    STRATAGEM_EXPECTS(graph.loop_nodes.empty());
    std::vector<bool> needed(graph.nodes.size(), false);
    for (const Signal root : roots) needed[root.node()] = true;
    for (auto node = static_cast<std::uint32_t>(graph.nodes.size()); node-- > 0;) {
        if (!needed[node]) continue;
        for (const Signal input : graph.inputs_of(node)) needed[input.node()] = true;
    }
    gates_ = factor(graph, needed, deadline);
    value_.assign(gates_.size(), unknown);
    value_[0] = always;
    for (std::size_t i = 0; i < fluents; ++i) value_[1 + i] = logic.input();
    for (std::size_t i = 0; i < moves; ++i) value_[1 + fluents + i] = never;
}

Signal Translation::operator()(Signal signal) {
    if (value_[signal.node()] == unknown) make(signal.node());
    const Signal value = value_[signal.node()];
    return signal.negated() ? !value : value;
}

void Translation::make(std::uint32_t root) {
    open_.push_back(root);
    std::vector<Signal> signals;
    while (!open_.empty()) {
        const std::uint32_t node = open_.back();
        bool ready = true;
        for (const Signal input : gates_[node]) {
            if (value_[input.node()] == unknown) {
                open_.push_back(input.node());
                ready = false;
            }
        }
        if (!ready) continue;
        open_.pop_back();
        if (value_[node] != unknown) continue;
        signals.clear();
        for (const Signal input : gates_[node]) {
            signals.push_back(input.negated() ? !value_[input.node()] : value_[input.node()]);
        }
        value_[node] = logic_.all(signals);
    }
}

}  // namespace stratagem::machine::lanes
