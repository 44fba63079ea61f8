// The ground rules as a graph of gates.
//
// There is one kind of gate: the conjunction of any number of signals, each of which may be negated. A disjunction is
// the negated conjunction of negated signals, so `and` and `or` share everything: hashing, simplification, execution.
// Building a gate simplifies it on the spot: constants vanish, one input is no gate, x and not x is false, and equal
// gates are the same gate.
//
// Alternatives with a condition in common are factored: (a and b) or (a and c) becomes a and (b or c). Only by
// conditions on the state: what a move triggers should stay behind the move, where changes of the state do not reach.
//
// "One of these moves is made" where these are most moves of a role (typical of frame rules: a cell keeps its content
// if the move goes elsewhere) is turned into "none of the others is made": each role makes exactly one move. What a
// step has to compute shrinks from all cells to those that the move concerns.
//
// Recursive rules give cycles. Each atom on a cycle is a *loop* node: an input to the gates that use it, with a
// definition set afterwards; its value is the least one that agrees with the definition.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ground/program.h"
#include "util/deadline.h"
#include "util/literal.h"

namespace stratagem::machine {

// A node, plain or negated.
using Signal = stratagem::Literal<std::uint32_t>;

inline constexpr Signal always{0, false};  // node 0 is the constant
inline constexpr Signal never{0, true};

enum class NodeKind : std::uint8_t { constant, fluent, move, loop, gate };

struct GateNode {
    NodeKind kind = NodeKind::gate;
    std::uint32_t first_input = 0;
    std::uint32_t input_count = 0;
    std::uint32_t number = 0;  // of a fluent or move; of a loop node: its cycle
};

// What a game is asked for, as signals.
struct Outputs {
    std::vector<Signal> next;   // by fluent
    std::vector<Signal> legal;  // by move
    std::vector<Signal> goals;  // by entry of Program::goals
    std::vector<Signal> percepts;
    Signal terminal = never;
};

// What is taken for granted when a circuit is built for some of the states only: fluents that hold or do not hold.
struct Assumption {
    std::vector<ground::Fluent> holds;
    std::vector<ground::Fluent> fails;
};

// Ways of building that pay in some games and cost in others; build_circuit.h tries them on the game at hand.
struct GateOptions {
    bool factor_state = true;        // factor alternatives that concern the state alone
    std::size_t factor_rounds = 64;  // common conditions taken out of the alternatives of one atom
    bool flatten_shared = false;     // replace a small conjunction by its inputs also where several gates use it
};

class GateGraph {
  public:
    // Under an assumption, moves that are never legal are taken as never made, and a role's only legal move as made.
    // Throws std::runtime_error when the deadline passes.
    GateGraph(const ground::Program& program, const Assumption& assumption, const GateOptions& options,
              const Deadline& deadline);

    std::vector<GateNode> nodes;  // inputs of a gate have smaller numbers
    std::vector<Signal> inputs;
    std::vector<Signal> loop_definitions;   // by loop node, in order of their numbers
    std::vector<std::uint32_t> loop_nodes;  // cycles in the order in which they are to be settled
    Outputs outputs;

    std::span<const Signal> inputs_of(std::uint32_t node) const {
        return std::span(inputs).subspan(nodes[node].first_input, nodes[node].input_count);
    }

  private:
    class Builder;

    Signal conjunction(std::vector<Signal>& signals);
    Signal disjunction(std::vector<Signal>& signals);
    Signal sum_of_products(std::vector<std::vector<Signal>> products);
    Signal add_gate(std::span<const Signal> signals);
    void grow();
    static std::size_t hash(std::span<const Signal> signals);
    void build_clear();
    void build(const ground::Program& program);
    // Counts so many small steps. Throws when the deadline has passed.
    void spend(std::size_t steps);
    // Fixes inputs by what is legal under the assumption; false when that fixes nothing new.
    bool fix_moves(const ground::Program& program);
    void shorten_move_sets(const ground::Program& program);

    std::vector<std::uint32_t> slots_;  // hash table of gates: node, 0 is empty
    std::size_t gate_count_ = 0;
    GateOptions options_;
    Deadline deadline_;
    std::size_t spent_ = 0;
    std::vector<bool> on_moves_;        // by node
    std::vector<std::uint32_t> tally_;  // by code of a signal: work space of sum_of_products, all zero outside of it
    std::vector<Signal> fixed_;         // by fluent or move atom: its node, or a constant
};

}  // namespace stratagem::machine
