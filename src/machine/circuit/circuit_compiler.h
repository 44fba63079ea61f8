// From the graph of gates to the flat circuit; private to circuit.cpp.
#pragma once

#include <vector>

#include "machine/circuit/circuit.h"

namespace stratagem::machine {

class CircuitCompiler {
  public:
    CircuitCompiler(Circuit& circuit, const Assumption& assumption, const GateOptions& options,
                    const Deadline& deadline)
        : circuit_(circuit), options_(options), graph_(circuit.program(), assumption, options, deadline) {}

    void run();

  private:
    void mark_needed();
    void mark(std::vector<std::uint32_t>& open, std::vector<bool>& seen);
    void count_uses();
    void flatten();
    bool is_absorbable(std::uint32_t node, Signal input) const;
    void release(std::uint32_t node);
    void find_parts();
    void find_blocked();
    void number_nodes();
    void copy_inputs();
    void make_targets();
    void make_sinks();
    void make_loops();
    void find_depth();
    Signal renumber(Signal signal) const { return {number_[signal.node()], signal.negated()}; }

    Circuit& circuit_;
    GateOptions options_;
    GateGraph graph_;
    std::vector<std::vector<Signal>> flat_;  // inputs of gates whose list changed by flattening
    std::vector<std::uint32_t> flat_of_;     // by node: place in flat_ + 1, or 0
    std::vector<bool> core_;                 // needed for legal, next or terminal
    std::vector<bool> goal_;                 // needed for goals
    std::vector<std::uint32_t> uses_;
    std::vector<bool> absorbed_;  // flattened into all its users
    std::vector<Part> part_;
    std::vector<bool> on_moves_;
    std::vector<std::uint8_t> base_;  // while no move is made: 0 false, 1 true, 2 follows the state
    std::vector<std::uint32_t> number_;
    std::vector<std::uint32_t> order_;  // old node by new number

    std::span<const Signal> inputs(std::uint32_t node) const {
        if (!flat_of_.empty() && flat_of_[node] != 0) return flat_[flat_of_[node] - 1];
        return graph_.inputs_of(node);
    }
};

}  // namespace stratagem::machine
