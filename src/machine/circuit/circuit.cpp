#include "machine/circuit/circuit.h"

#include <fmt/format.h>

#include <algorithm>

#include "gdl/print.h"
#include "machine/circuit/circuit_compiler.h"
#include "util/contract.h"

namespace stratagem::machine {

Circuit::Circuit(std::shared_ptr<const ground::Program> program, const Deadline& deadline, const Assumption& assumption,
                 const GateOptions& options)
    : program_(std::move(program)) {
    STRATAGEM_EXPECTS(program_ != nullptr);
    CircuitCompiler(*this, assumption, options, deadline).run();
    STRATAGEM_INVARIANT(is_consistent());
}

std::string Circuit::name(std::uint32_t node) const {
    switch (kind_[node]) {
        case NodeKind::constant:
            return "always";
        case NodeKind::fluent:
        case NodeKind::move:
            return program_->name(ground::Atom{node - 1});
        case NodeKind::loop:
            return fmt::format("loop{}", node);
        case NodeKind::gate:
            return fmt::format("g{}", node);
    }
    return {};
}

std::string Circuit::to_text() const {
    static constexpr const char* parts[] = {"state", "varying", "blocked", "goal"};
    const auto signal_text = [&](Signal signal) {
        return signal == never ? std::string("never") : (signal.negated() ? "~" : "") + name(signal.node());
    };
    std::string text;
    for (std::uint32_t node = 0; node < node_count(); ++node) {
        if (kind_[node] != NodeKind::gate) continue;
        text += fmt::format("{} [{}] = and", name(node), parts[static_cast<int>(part_[node])]);
        if (part_[node] == Part::blocked) text += fmt::format(" ({} from moves)", base_count_[node]);
        for (const Signal input : inputs(node)) text += " " + signal_text(input);
        text += "\n";
    }
    for (const Loop& loop : loops_)
        text += fmt::format("{} = least {}\n", name(loop.node), signal_text(loop.definition));
    for (std::uint32_t i = 0; i < outputs_.legal.size(); ++i) {
        text += fmt::format("legal {} = {}\n", name(move_node(i)), signal_text(outputs_.legal[i]));
    }
    for (std::uint32_t i = 0; i < outputs_.next.size(); ++i) {
        text += fmt::format("next {} = {}\n", name(fluent_node(i)), signal_text(outputs_.next[i]));
    }
    for (std::size_t i = 0; i < outputs_.goals.size(); ++i) {
        const ground::GoalEntry& goal = program_->goals[i];
        text +=
            fmt::format("goal {} {} = {}\n", gdl::to_kif(program_->terms, program_->roles[ground::index(goal.role)]),
                        goal.value, signal_text(outputs_.goals[i]));
    }
    return text + fmt::format("terminal = {}\n", signal_text(outputs_.terminal));
}

std::string Circuit::to_dot() const {
    std::string text = "digraph circuit {\n  rankdir=LR;\n  node [shape=box];\n";
    const auto edge = [&](Signal from, const std::string& to) {
        text += fmt::format("  n{} -> {}{};\n", from.node(), to, from.negated() ? " [style=dashed]" : "");
    };
    for (std::uint32_t node = 0; node < node_count(); ++node) {
        const bool gate = kind_[node] == NodeKind::gate;
        text += fmt::format("  n{} [label=\"{}\"{}];\n", node, gate ? "and" : name(node), gate ? ", shape=circle" : "");
        if (!gate) continue;
        for (const Signal input : inputs(node)) edge(input, fmt::format("n{}", node));
    }
    const auto output = [&](const std::string& id, const std::string& label, Signal signal) {
        text += fmt::format("  {} [label=\"{}\", style=bold];\n", id, label);
        edge(signal, id);
    };
    for (std::uint32_t i = 0; i < outputs_.legal.size(); ++i) {
        output(fmt::format("legal{}", i), "legal " + name(move_node(i)), outputs_.legal[i]);
    }
    for (std::uint32_t i = 0; i < outputs_.next.size(); ++i) {
        output(fmt::format("next{}", i), "next " + name(fluent_node(i)), outputs_.next[i]);
    }
    output("terminal", "terminal", outputs_.terminal);
    return text + "}\n";
}

bool Circuit::is_consistent() const {
    std::vector<Signal> sorted = inputs_;  // by gate: some gates have very many
    for (std::uint32_t node = 0; node < node_count(); ++node) {
        std::sort(sorted.begin() + first_input_[node], sorted.begin() + first_input_[node + 1]);
    }
    for (std::uint32_t node = 0; node < node_count(); ++node) {
        for (const Signal input : inputs(node)) {
            if (input.node() >= node) return false;
        }
        for (std::uint32_t i = wiring_[node].first_target; i < wiring_[node].end_target; ++i) {
            const std::uint32_t gate = targets_[i].node();
            if (gate >= node_count() || kind_[gate] != NodeKind::gate) return false;
            if (part_[gate] == Part::blocked) continue;
            const Signal wanted(node, targets_[i].negated());
            if (!std::binary_search(sorted.begin() + first_input_[gate], sorted.begin() + first_input_[gate + 1],
                                    wanted)) {
                return false;
            }
        }
    }
    return std::all_of(loops_.begin(), loops_.end(), [&](const Loop& loop) {
        return loop.node < node_count() && kind_[loop.node] == NodeKind::loop && loop.cycle < cycle_count_;
    });
}

}  // namespace stratagem::machine
