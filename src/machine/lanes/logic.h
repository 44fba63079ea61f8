// Boolean functions as a graph of two-input conjunctions with signed inputs (an and-inverter graph).
//
// Everything a lane does in a step is put into this one form: the gates of the circuit, the choice of a random legal
// move, the transition. Equal nodes are the same node, and what two levels show to be constant or redundant is
// simplified on the spot, so later passes see one small graph and need not know what it means.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "machine/circuit/gate_graph.h"

namespace stratagem::machine::lanes {

class Logic {
  public:
    struct Node {
        Signal left;   // of an input: its number
        Signal right;  // of an input: unused
    };

    Logic();

    // Inputs are numbered in the order of the calls.
    Signal input();
    std::uint32_t input_count() const { return input_count_; }

    Signal both(Signal a, Signal b);
    Signal either(Signal a, Signal b) { return !both(!a, !b); }
    Signal differ(Signal a, Signal b) { return either(both(a, !b), both(!a, b)); }
    Signal choose(Signal condition, Signal yes, Signal no) {
        return either(both(condition, yes), both(!condition, no));
    }
    // At least two of three.
    Signal most(Signal a, Signal b, Signal c) { return either(both(a, b), both(c, either(a, b))); }
    Signal all(const std::vector<Signal>& signals);
    Signal any(std::vector<Signal> signals);

    std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
    // Node 0 is the constant, nodes of inputs have no inputs of their own; inputs of a node have smaller numbers.
    bool is_gate(std::uint32_t node) const { return node != 0 && !is_input_[node]; }
    bool is_input(std::uint32_t node) const { return is_input_[node]; }
    std::uint32_t input_number(std::uint32_t node) const { return nodes_[node].left.code(); }
    const Node& node(std::uint32_t node) const { return nodes_[node]; }

  private:
    Signal simplify(Signal a, Signal b) const;
    void grow();
    static std::size_t hash(Signal a, Signal b);

    std::vector<Node> nodes_;
    std::vector<bool> is_input_;
    std::vector<std::uint32_t> slots_;  // hash table: node, 0 is empty
    std::size_t gate_count_ = 0;
    std::uint32_t input_count_ = 0;
};

}  // namespace stratagem::machine::lanes
