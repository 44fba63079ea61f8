#include "machine/circuit/circuit_compiler.h"

#include <algorithm>

namespace stratagem::machine {

void CircuitCompiler::run() {
    mark_needed();
    count_uses();
    flatten();
    find_parts();
    find_blocked();
    number_nodes();
    copy_inputs();
    make_targets();
    make_sinks();
    make_loops();
    find_depth();
}

// Marks everything below the open nodes; a loop node needs its definition, and with it its whole cycle.
void CircuitCompiler::mark(std::vector<std::uint32_t>& open, std::vector<bool>& seen) {
    std::vector<std::uint32_t> place_of(graph_.nodes.size(), 0);
    for (std::uint32_t i = 0; i < graph_.loop_nodes.size(); ++i) place_of[graph_.loop_nodes[i]] = i;
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        if (seen[node]) continue;
        seen[node] = true;
        if (graph_.nodes[node].kind == NodeKind::loop) open.push_back(graph_.loop_definitions[place_of[node]].node());
        for (const Signal input : graph_.inputs_of(node)) open.push_back(input.node());
    }
}

void CircuitCompiler::mark_needed() {
    core_.assign(graph_.nodes.size(), false);
    goal_.assign(graph_.nodes.size(), false);
    std::vector<std::uint32_t> open{graph_.outputs.terminal.node()};
    for (const Signal signal : graph_.outputs.legal) open.push_back(signal.node());
    for (const Signal signal : graph_.outputs.next) open.push_back(signal.node());
    mark(open, core_);
    for (const Signal signal : graph_.outputs.goals) open.push_back(signal.node());
    mark(open, goal_);
    // Goals computed on request must not need cycles of their own: those are kept up to date like the rest.
    for (const std::uint32_t node : graph_.loop_nodes) {
        if (goal_[node] && !core_[node]) open.push_back(node);
    }
    mark(open, core_);
}

void CircuitCompiler::count_uses() {
    uses_.assign(graph_.nodes.size(), 0);
    for (std::uint32_t node = 0; node < graph_.nodes.size(); ++node) {
        if (!core_[node] && !goal_[node]) continue;
        for (const Signal input : graph_.inputs_of(node)) ++uses_[input.node()];
    }
    const auto output = [&](Signal signal) { uses_[signal.node()] += 2; };  // never absorbed
    output(graph_.outputs.terminal);
    for (const auto* list : {&graph_.outputs.legal, &graph_.outputs.next, &graph_.outputs.goals}) {
        for (const Signal signal : *list) output(signal);
    }
    for (const Signal signal : graph_.loop_definitions) output(signal);
}

// A gate whose only user is another gate, with the same sense, is replaced by its inputs there: and(a, and(b, c))
// becomes and(a, b, c), and so do nested disjunctions. With flatten_shared also small gates with several users: more
// counters are then looked at, but fewer gates change in between (lines of sight over a board, say).
bool CircuitCompiler::is_absorbable(std::uint32_t node, Signal input) const {
    constexpr std::size_t small = 12;
    constexpr std::uint32_t few_users = 5;  // a gate that many use is worth its place
    const std::uint32_t inner = input.node();
    // A gate used for goals and for more is used from both; parts are never mixed.
    if (input.negated() || graph_.nodes[inner].kind != NodeKind::gate || core_[inner] != core_[node]) return false;
    if (uses_[inner] == 1) return true;
    return options_.flatten_shared && uses_[inner] <= few_users && inputs(inner).size() + inputs(node).size() <= small;
}

void CircuitCompiler::flatten() {
    absorbed_.assign(graph_.nodes.size(), false);
    flat_of_.assign(graph_.nodes.size(), 0);
    for (std::uint32_t node = 0; node < graph_.nodes.size(); ++node) {
        if (graph_.nodes[node].kind != NodeKind::gate || (!core_[node] && !goal_[node])) continue;
        const auto own = inputs(node);
        std::vector<Signal> merged;
        std::vector<std::uint32_t> inlined;
        for (const Signal input : own) {
            if (!is_absorbable(node, input)) {
                merged.push_back(input);
                continue;
            }
            const auto inner = inputs(input.node());
            merged.insert(merged.end(), inner.begin(), inner.end());
            for (const Signal signal : inner) ++uses_[signal.node()];
            inlined.push_back(input.node());
        }
        if (inlined.empty()) continue;
        std::sort(merged.begin(), merged.end());
        merged.erase(std::unique(merged.begin(), merged.end()), merged.end());
        flat_.push_back(std::move(merged));
        flat_of_[node] = static_cast<std::uint32_t>(flat_.size());
        for (const std::uint32_t inner : inlined) release(inner);
    }
}

// One user less; a gate without users goes, and with it its use of others.
void CircuitCompiler::release(std::uint32_t node) {
    std::vector<std::uint32_t> open{node};
    while (!open.empty()) {
        const std::uint32_t released = open.back();
        open.pop_back();
        if (--uses_[released] > 0 || graph_.nodes[released].kind != NodeKind::gate) continue;
        absorbed_[released] = true;
        for (const Signal input : inputs(released)) open.push_back(input.node());
    }
}

void CircuitCompiler::find_parts() {
    const auto count = static_cast<std::uint32_t>(graph_.nodes.size());
    on_moves_.assign(count, false);
    // Loop definitions may lie above the loop nodes, so repeat until nothing changes; cycles are few and shallow.
    for (bool changed = true; changed;) {
        for (std::uint32_t node = 0; node < count; ++node) {
            if (on_moves_[node]) continue;
            bool depends = graph_.nodes[node].kind == NodeKind::move;
            for (const Signal input : inputs(node)) depends = depends || on_moves_[input.node()];
            if (depends) on_moves_[node] = true;
        }
        changed = false;
        for (std::size_t i = 0; i < graph_.loop_nodes.size(); ++i) {
            const std::uint32_t node = graph_.loop_nodes[i];
            if (on_moves_[node] || !on_moves_[graph_.loop_definitions[i].node()]) continue;
            on_moves_[node] = changed = true;
        }
    }
    for (const std::uint32_t node : graph_.loop_nodes) {
        if (on_moves_[node] && core_[node]) circuit_.moves_are_state_ = true;
    }
    part_.assign(count, Part::state);
    for (std::uint32_t node = 0; node < count; ++node) {
        if (graph_.nodes[node].kind == NodeKind::gate && goal_[node] && !core_[node]) part_[node] = Part::goal;
    }
}

// Values while no move is made: constants spread from the moves, which are false.
void CircuitCompiler::find_blocked() {
    const auto count = static_cast<std::uint32_t>(graph_.nodes.size());
    base_.assign(count, 2);
    base_[0] = 1;
    if (circuit_.moves_are_state_) return;
    for (std::uint32_t node = 0; node < count; ++node) {
        const NodeKind kind = graph_.nodes[node].kind;
        if (kind == NodeKind::move) base_[node] = 0;
        if (kind != NodeKind::gate || part_[node] == Part::goal) continue;
        if (!on_moves_[node]) continue;
        bool all_true = true;
        bool any_false = false;
        for (const Signal input : inputs(node)) {
            const std::uint8_t value = base_[input.node()];
            if (value == 2) {
                all_true = false;
            } else if ((value == 1) == input.negated()) {
                any_false = true;
            }
        }
        if (any_false) {
            base_[node] = 0;
        } else if (all_true) {
            base_[node] = 1;
        }
        part_[node] = base_[node] == 2 ? Part::varying : Part::blocked;
    }
}

void CircuitCompiler::number_nodes() {
    const auto count = static_cast<std::uint32_t>(graph_.nodes.size());
    number_.assign(count, 0);
    const auto add = [&](std::uint32_t node) {
        number_[node] = static_cast<std::uint32_t>(order_.size());
        order_.push_back(node);
    };
    for (std::uint32_t node = 0; node < count; ++node) {
        const NodeKind kind = graph_.nodes[node].kind;
        const bool input = kind == NodeKind::constant || kind == NodeKind::fluent || kind == NodeKind::move;
        const bool wanted = (core_[node] || goal_[node]) && !absorbed_[node];
        if (kind == NodeKind::move && circuit_.first_move_ == 0)
            circuit_.first_move_ = static_cast<std::uint32_t>(order_.size());
        if (input || wanted) add(node);
    }
    for (const std::uint32_t node : order_) {
        circuit_.kind_.push_back(graph_.nodes[node].kind);
        circuit_.part_.push_back(part_[node]);
        if (graph_.nodes[node].kind == NodeKind::gate) ++circuit_.gate_count_;
        if (part_[node] == Part::goal) circuit_.goal_gates_.push_back(number_[node]);
        circuit_.base_value_.push_back(base_[node] == 1 ? 1 : 0);
    }
    const auto renumber_all = [&](std::vector<Signal>& signals) {
        for (Signal& signal : signals) signal = renumber(signal);
    };
    circuit_.outputs_ = graph_.outputs;
    renumber_all(circuit_.outputs_.legal);
    renumber_all(circuit_.outputs_.next);
    renumber_all(circuit_.outputs_.goals);
    circuit_.outputs_.percepts.clear();
    circuit_.outputs_.terminal = renumber(circuit_.outputs_.terminal);
}

void CircuitCompiler::copy_inputs() {
    circuit_.first_input_.push_back(0);
    circuit_.base_count_.assign(order_.size(), 0);
    for (std::uint32_t node = 0; node < order_.size(); ++node) {
        const std::uint32_t old = order_[node];
        for (const Signal input : inputs(old)) {
            const std::uint8_t base = base_[input.node()];
            const bool constant_base = part_[old] == Part::blocked && base != 2;
            if (!constant_base) {
                circuit_.inputs_.push_back(renumber(input));
            } else if ((base == 1) == input.negated()) {
                ++circuit_.base_count_[node];
            }
        }
        circuit_.first_input_.push_back(static_cast<std::uint32_t>(circuit_.inputs_.size()));
    }
}

// Users of each node. First those that are kept up to date with the state, then those that only a step computes.
void CircuitCompiler::make_targets() {
    const auto count = static_cast<std::uint32_t>(order_.size());
    const auto in_state = [&](std::uint32_t old_gate, std::uint32_t old_input) {
        // What is constant while no move is made does not change with the state.
        return part_[old_gate] != Part::blocked && (circuit_.moves_are_state_ || base_[old_input] == 2);
    };
    std::vector<std::uint32_t> state_count(count + 1, 0);
    std::vector<std::uint32_t> step_count(count + 1, 0);
    const auto for_each_edge = [&](auto&& visit) {
        for (std::uint32_t gate = 0; gate < count; ++gate) {
            const std::uint32_t old = order_[gate];
            if (graph_.nodes[old].kind != NodeKind::gate || part_[old] == Part::goal) continue;
            for (const Signal input : inputs(old)) {
                const bool state = in_state(old, input.node());
                // During a step only what depends on moves changes.
                if (state || on_moves_[input.node()]) visit(gate, input, state);
            }
        }
    };
    for_each_edge(
        [&](std::uint32_t, Signal input, bool state) { ++(state ? state_count : step_count)[number_[input.node()]]; });
    circuit_.wiring_.assign(count + 1, {});
    std::uint32_t total = 0;
    std::vector<std::uint32_t> state_place(count);
    std::vector<std::uint32_t> step_place(count);
    for (std::uint32_t node = 0; node < count; ++node) {
        Circuit::Wiring& wiring = circuit_.wiring_[node];
        wiring.first_target = state_place[node] = total;
        wiring.step_target = step_place[node] = total + state_count[node];
        wiring.end_target = total += state_count[node] + step_count[node];
    }
    circuit_.targets_.assign(total, {});
    for_each_edge([&](std::uint32_t gate, Signal input, bool state) {
        std::uint32_t& place = (state ? state_place : step_place)[number_[input.node()]];
        circuit_.targets_[place++] = Signal(gate, input.negated());
    });
}

void CircuitCompiler::make_sinks() {
    const auto count = static_cast<std::uint32_t>(order_.size());
    std::vector<std::vector<Sink>> sinks(count);
    for (std::uint32_t i = 0; i < circuit_.outputs_.legal.size(); ++i) {
        const Signal signal = circuit_.outputs_.legal[i];
        sinks[signal.node()].push_back({Sink::Kind::legal, signal.negated(), i});
    }
    for (std::uint32_t i = 0; i < circuit_.outputs_.next.size(); ++i) {
        const Signal signal = circuit_.outputs_.next[i];
        sinks[signal.node()].push_back({Sink::Kind::next, signal.negated(), i});
    }
    for (std::size_t i = 0; i < graph_.loop_nodes.size(); ++i) {
        if (!core_[graph_.loop_nodes[i]]) continue;
        const Signal signal = renumber(graph_.loop_definitions[i]);
        const auto place = static_cast<std::uint32_t>(circuit_.loops_.size());
        circuit_.loops_.push_back({number_[graph_.loop_nodes[i]], signal, graph_.nodes[graph_.loop_nodes[i]].number});
        sinks[signal.node()].push_back({Sink::Kind::loop, signal.negated(), place});
    }
    for (std::uint32_t node = 0; node < count; ++node) {
        circuit_.sinks_.insert(circuit_.sinks_.end(), sinks[node].begin(), sinks[node].end());
        circuit_.wiring_[node + 1].first_sink = static_cast<std::uint32_t>(circuit_.sinks_.size());
    }
}

// Gates on a cycle are marked with it and with their sense: whether being true speaks for or against its atoms.
void CircuitCompiler::make_loops() {
    if (circuit_.loops_.empty()) return;
    // Cycles that are not needed leave gaps; number those that are there in order.
    std::vector<std::uint32_t> cycles;
    for (const Loop& loop : circuit_.loops_) {
        if (cycles.empty() || cycles.back() != loop.cycle) cycles.push_back(loop.cycle);
    }
    for (Loop& loop : circuit_.loops_) {
        loop.cycle =
            static_cast<std::uint32_t>(std::lower_bound(cycles.begin(), cycles.end(), loop.cycle) - cycles.begin());
    }
    circuit_.cycle_count_ = static_cast<std::uint32_t>(cycles.size());
    const std::uint32_t count = circuit_.node_count();
    // The latest cycle a gate depends on: it is on that cycle if it also leads back to it.
    std::vector<std::uint32_t> latest(count, 0);
    for (const Loop& loop : circuit_.loops_) latest[loop.node] = loop.cycle + 1;
    for (std::uint32_t node = 0; node < count; ++node) {
        for (const Signal input : circuit_.inputs(node)) latest[node] = std::max(latest[node], latest[input.node()]);
    }
    circuit_.loop_mark_.assign(count, 0);
    std::vector<Signal> open;
    for (const Loop& loop : circuit_.loops_) {
        open.assign(1, loop.definition);
        while (!open.empty()) {
            const Signal signal = open.back();
            open.pop_back();
            const std::uint32_t node = signal.node();
            if (latest[node] != loop.cycle + 1 || circuit_.kind_[node] != NodeKind::gate) continue;
            if (circuit_.loop_mark_[node] != 0) continue;
            circuit_.loop_mark_[node] = 1 + 2 * loop.cycle + (signal.negated() ? 1U : 0U);
            for (const Signal input : circuit_.inputs(node)) open.push_back(signal.negated() ? !input : input);
        }
    }
}

void CircuitCompiler::find_depth() {
    std::vector<std::uint32_t> depth(circuit_.node_count(), 0);
    for (std::uint32_t node = 0; node < circuit_.node_count(); ++node) {
        if (circuit_.kind_[node] != NodeKind::gate) continue;
        std::uint32_t deepest = 0;
        for (const Signal input : inputs(order_[node])) deepest = std::max(deepest, depth[number_[input.node()]]);
        depth[node] = deepest + 1;
        circuit_.depth_ = std::max<std::size_t>(circuit_.depth_, depth[node]);
    }
}

}  // namespace stratagem::machine
