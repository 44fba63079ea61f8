// The circuit run incrementally: a change costs what it changes.
//
// Every gate that is kept up to date has a counter of its false inputs; it is true when the counter is zero. When a
// node changes, the counters of the gates that use it change by one, and only gates whose counter reaches or leaves
// zero go on. Legal moves are lists that gates enter and leave in constant time; the state that would follow if nobody
// did anything is a bitset in which gates flip bits.
//
// A step sets the moves and spreads their consequences through the gates that depend on them. Gates that are constant
// without moves (see Part::blocked) have no counter until a step reaches them: then it is computed from their inputs.
// What a step touched is put back afterwards, and the flipped fluents spread through the state part.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "machine/circuit/circuit.h"
#include "machine/state.h"

namespace stratagem::machine {

class Runner {
  public:
    explicit Runner(std::shared_ptr<const Circuit> circuit);

    const Circuit& circuit() const { return *circuit_; }

    // Makes this the current state; `words` as State::words().
    void go_to(std::span<const std::uint64_t> words);
    bool terminal() const { return is_true(circuit_->outputs().terminal); }
    // In no particular order; valid until the state changes.
    std::span<const Move> legal(Role role) const {
        return {legal_.data() + first_move_[ground::index(role)], legal_count_[ground::index(role)]};
    }
    // The state after a joint move, one for each role; valid until the next question. Pre: legal moves.
    std::span<const std::uint64_t> next(std::span<const Move> joint);
    // Nothing unless exactly one value holds.
    std::optional<int> goal(Role role);

    // What has been done so far, counted: changes of nodes and counters looked at. For comparing circuits of one game.
    std::uint64_t work() const { return work_; }

    // Recomputes everything from scratch and compares. For tests and debug builds.
    bool is_consistent() const;

  private:
    // Audits cost as much as many steps: now and then one is made before a step.
    static constexpr std::uint64_t audited_every = 128;

    bool is_legal(std::span<const Move> joint) const;
    // A cell holds the value of a node in its lowest bit and, for a gate, the number of its false inputs above.
    static bool value(std::int32_t cell) { return (cell & 1) != 0; }
    static bool counts_true(std::int32_t cell) { return cell >> 1 == 0; }
    bool is_true(Signal signal) const { return value(cells_[signal.node()]) != signal.negated(); }
    std::int32_t false_inputs(std::uint32_t gate) const;
    std::int32_t false_inputs_in_step(std::uint32_t gate) const;
    void evaluate_all();
    void flip_inputs(std::span<const std::uint32_t> nodes);
    void flip_input(std::uint32_t node) { flip_inputs({&node, 1}); }
    template <bool with_loops>
    void spread(std::span<const std::uint32_t> nodes);
    template <bool with_loops>
    void deliver(std::uint32_t node);
    void sink(const Sink& sink, bool node_value);
    void make_room(std::size_t count);
    void settle_loops();
    void raise_loops(std::uint32_t cycle);
    void step_moves(std::span<const Move> joint);
    void step_deliver(std::uint32_t node);
    void undo_step();
    void evaluate_goals();

    std::shared_ptr<const Circuit> circuit_;
    std::vector<std::int32_t> cells_;   // by node
    std::vector<std::uint32_t> queue_;  // gates that may have changed: the first queued_ entries
    std::size_t queued_ = 0;
    std::vector<std::uint32_t> flips_;    // inputs to flip together
    std::vector<std::uint64_t> current_;  // the state
    std::vector<std::uint64_t> next_;     // the state to follow, under the moves set now
    std::vector<std::uint64_t> result_;   // what next() found

    std::vector<std::uint32_t> first_move_;   // by role
    std::vector<Move> legal_;                 // per role a list, at first_move_[role]
    std::vector<std::uint32_t> legal_place_;  // by move: where in the list
    std::vector<std::uint32_t> legal_count_;  // by role
    std::vector<std::uint32_t> role_of_;      // by move

    // Of a step under way.
    struct Touched {
        std::uint32_t node;
        std::int32_t cell;
    };
    std::uint32_t epoch_ = 0;
    std::vector<std::uint32_t> touched_in_;  // by node: the step that touched it last
    std::vector<Touched> trail_;
    std::vector<std::uint32_t> flipped_next_;
    std::vector<Move> set_moves_;  // moves that are true now

    // Cycles.
    std::vector<std::uint8_t> cycle_state_;             // 0 settled, 1 something may rise, 2 something may fall
    std::vector<std::vector<std::uint32_t>> may_rise_;  // by cycle: loops whose definition became true
    std::vector<std::uint32_t> first_loop_;             // by cycle

    bool goals_known_ = false;
    std::uint64_t work_ = 0;
};

}  // namespace stratagem::machine
