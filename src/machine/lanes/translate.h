// From the gates of the circuit to logic, with the moves replaced by what chooses them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "machine/circuit/gate_graph.h"
#include "machine/lanes/factor.h"
#include "machine/lanes/logic.h"

namespace stratagem::machine::lanes {

class Translation {
  public:
    // Inputs of the logic are the fluents, in their order. Only what is needed for `roots` can be asked for. Pre: the
    // graph has no loops.
    Translation(const GateGraph& graph, std::span<const Signal> roots, std::size_t fluents, std::size_t moves,
                Logic& logic, const Deadline& deadline);

    // The graph's signal as logic. Moves it depends on must have been set.
    Signal operator()(Signal signal);
    void set_move(std::uint32_t move, Signal made) { value_[1 + fluents_ + move] = made; }

  private:
    void make(std::uint32_t root);

    Logic& logic_;
    std::size_t fluents_;
    GateInputs gates_;
    std::vector<Signal> value_;  // by node of the graph
    std::vector<std::uint32_t> open_;
};

}  // namespace stratagem::machine::lanes
