// The gates of a game laid out for execution: immutable, shared by all machines that run it.
//
// Nodes are numbered: the constant, fluents, moves, then loop nodes and gates so that inputs come before their users.
// Each gate belongs to a part, which says when it is computed:
//
//   state    depends on the state alone: kept up to date at every change of the state
//   varying  depends on moves too, but while no move is made its value still follows the state (frame rules: a cell
//            keeps its content unless …): kept up to date like the state part
//   blocked  depends on moves, and while no move is made it is constant whatever the state: computed only from the
//            moves outwards during a step, and forgotten afterwards. These are most gates of most games, which is
//            why steps are cheap: changes of the state never touch them
//   goal     needed for goal values only: computed when one is asked for
//
// If a recursive cycle depends on moves, moves are treated like fluents and everything is in the state part.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ground/program.h"
#include "machine/circuit/gate_graph.h"

namespace stratagem::machine {

enum class Part : std::uint8_t { state, varying, blocked, goal };

// What a change of a node means outside of the gates.
struct Sink {
    enum class Kind : std::uint8_t { legal, next, loop };

    Kind kind = Kind::legal;
    bool negated = false;
    std::uint32_t number = 0;  // move, fluent, or place in loops()
};

struct Loop {
    std::uint32_t node = 0;
    Signal definition;
    std::uint32_t cycle = 0;
};

class Circuit {
  public:
    // For all states, or for those in which the assumption holds. build_circuit.h puts both together.
    // Throws std::runtime_error when the deadline passes.
    explicit Circuit(std::shared_ptr<const ground::Program> program, const Deadline& deadline = Deadline::never(),
                     const Assumption& assumption = {}, const GateOptions& options = {});

    const ground::Program& program() const { return *program_; }
    const std::shared_ptr<const ground::Program>& shared_program() const { return program_; }

    // Smaller circuits for the states in which exactly this one of a group of fluents holds (such as who is to move).
    struct Phase {
        ground::Fluent fluent{};
        std::shared_ptr<const Circuit> circuit;
    };
    std::span<const Phase> phases() const { return phases_; }
    void set_phases(std::vector<Phase> phases) { phases_ = std::move(phases); }
    std::uint32_t node_count() const { return static_cast<std::uint32_t>(kind_.size()); }
    std::size_t gate_count() const { return gate_count_; }
    std::size_t depth() const { return depth_; }
    std::size_t edge_count() const { return targets_.size(); }
    std::uint32_t fluent_node(std::uint32_t fluent) const { return 1 + fluent; }
    std::uint32_t move_node(std::uint32_t move) const { return first_move_ + move; }
    bool moves_are_state() const { return moves_are_state_; }

    NodeKind kind(std::uint32_t node) const { return kind_[node]; }
    Part part(std::uint32_t node) const { return part_[node]; }

    // Where the users of a node are listed: kept together, since a change of the node needs all of it.
    struct Wiring {
        std::uint32_t first_target = 0;
        std::uint32_t step_target = 0;  // where the targets that only matter during a step begin
        std::uint32_t end_target = 0;
        std::uint32_t first_sink = 0;  // ends where that of the next node begins
    };
    const Wiring* wiring() const { return wiring_.data(); }
    // Gates that use a node, negated where they use its negation. From first_target to step_target during changes of
    // the state, to end_target during a step.
    const Signal* targets() const { return targets_.data(); }
    const Sink* sinks() const { return sinks_.data(); }
    // All inputs of a gate; of a blocked gate: those that follow the state.
    std::span<const Signal> inputs(std::uint32_t node) const {
        return {inputs_.data() + first_input_[node], inputs_.data() + first_input_[node + 1]};
    }
    // Of a blocked gate: how many of its other inputs are false while no move is made, and its value then.
    std::int32_t base_count(std::uint32_t node) const { return base_count_[node]; }
    bool base_value(std::uint32_t node) const { return base_value_[node] != 0; }

    std::span<const Loop> loops() const { return loops_; }
    std::uint32_t cycle_count() const { return cycle_count_; }
    // 0: outside of cycles. Else 1 + 2 * cycle + (1 when a true gate speaks against the cycle's atoms).
    std::uint32_t loop_mark(std::uint32_t node) const { return loop_mark_.empty() ? 0 : loop_mark_[node]; }

    // Gates of the goal part, inputs first.
    std::span<const std::uint32_t> goal_gates() const { return goal_gates_; }
    const Outputs& outputs() const { return outputs_; }

    // For people: one gate per line; a graph for dot.
    std::string to_text() const;
    std::string to_dot() const;
    // Whole-object audit: numbers in range, inputs before users, targets mirror inputs. For tests and debug builds.
    bool is_consistent() const;

  private:
    friend class CircuitCompiler;

    std::shared_ptr<const ground::Program> program_;
    std::vector<Phase> phases_;
    std::uint32_t first_move_ = 0;
    std::size_t gate_count_ = 0;
    std::size_t depth_ = 0;
    bool moves_are_state_ = false;
    std::vector<NodeKind> kind_;
    std::vector<Part> part_;
    std::vector<Wiring> wiring_;  // one more than nodes
    std::vector<Signal> targets_;
    std::vector<Sink> sinks_;
    std::vector<std::uint32_t> first_input_;
    std::vector<Signal> inputs_;
    std::vector<std::int32_t> base_count_;
    std::vector<std::uint8_t> base_value_;
    std::vector<Loop> loops_;
    std::uint32_t cycle_count_ = 0;
    std::vector<std::uint32_t> loop_mark_;
    std::vector<std::uint32_t> goal_gates_;
    Outputs outputs_;
    std::string name(std::uint32_t node) const;
};

}  // namespace stratagem::machine
