#include "machine/circuit/runner.h"

#include <algorithm>

#include "util/contract.h"

namespace stratagem::machine {

using ground::index;

namespace {

// A change of a node costs about as much as this many counters.
constexpr std::uint64_t work_of_a_change = 8;

}  // namespace

Runner::Runner(std::shared_ptr<const Circuit> circuit)
    : circuit_(std::move(circuit)),
      cells_(circuit_->node_count(), 0),
      queue_(1024),
      touched_in_(circuit_->node_count(), 0) {
    const ground::Program& program = circuit_->program();
    current_.assign((program.fluents.size() + 63) / 64, 0);
    next_ = current_;
    result_ = current_;

    first_move_.assign(program.roles.size() + 1, 0);
    for (const ground::GroundMove& move : program.moves) {
        role_of_.push_back(index(move.role));
        ++first_move_[index(move.role) + 1];
    }
    for (std::size_t role = 0; role < program.roles.size(); ++role) first_move_[role + 1] += first_move_[role];
    legal_.resize(program.moves.size());
    legal_place_.resize(program.moves.size());
    legal_count_.assign(program.roles.size(), 0);
    cycle_state_.assign(circuit_->cycle_count(), 0);
    may_rise_.resize(circuit_->cycle_count());
    first_loop_.assign(circuit_->cycle_count() + 1, 0);
    for (const Loop& loop : circuit_->loops()) ++first_loop_[loop.cycle + 1];
    for (std::uint32_t cycle = 0; cycle < circuit_->cycle_count(); ++cycle)
        first_loop_[cycle + 1] += first_loop_[cycle];
    evaluate_all();
    STRATAGEM_INVARIANT(is_consistent());
}

// Of those it lists: all of them, or for a blocked gate those that follow the state.
std::int32_t Runner::false_inputs(std::uint32_t gate) const {
    std::int32_t count = 0;
    for (const Signal input : circuit_->inputs(gate)) count += is_true(input) ? 0 : 1;
    return count;
}

// The same of a blocked gate that a step reaches. Where a condition on the state alone fails, nothing in this step can
// make the gate true, and the rest need not be counted.
inline std::int32_t Runner::false_inputs_in_step(std::uint32_t gate) const {
    constexpr std::int32_t hopeless = 1 << 24;  // more than any gate has inputs
    std::int32_t count = 0;
    for (const Signal input : circuit_->inputs(gate)) {
        if (is_true(input)) continue;
        if (circuit_->part(input.node()) == Part::state) return hopeless;
        ++count;
    }
    return count;
}

// Everything for the empty state without moves, in the order of nodes.
void Runner::evaluate_all() {
    const Circuit& circuit = *circuit_;
    cells_[0] = 1;
    for (std::uint32_t node = 0; node < circuit.node_count(); ++node) {
        if (circuit.kind(node) != NodeKind::gate) continue;
        if (circuit.part(node) == Part::blocked) {
            cells_[node] = circuit.base_value(node) ? 1 : 0;
            continue;
        }
        const std::int32_t count = false_inputs(node);
        cells_[node] = count << 1 | (count == 0 ? 1 : 0);
    }
    const Outputs& outputs = circuit.outputs();
    for (std::uint32_t i = 0; i < outputs.legal.size(); ++i) {
        if (is_true(outputs.legal[i])) sink({Sink::Kind::legal, false, i}, true);
    }
    for (std::uint32_t i = 0; i < outputs.next.size(); ++i) {
        if (is_true(outputs.next[i])) next_[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    for (std::uint32_t i = 0; i < circuit.loops().size(); ++i) {
        if (is_true(circuit.loops()[i].definition)) sink({Sink::Kind::loop, false, i}, true);
    }
    settle_loops();
}

void Runner::sink(const Sink& sink, bool node_value) {
    const bool now = node_value != sink.negated;
    switch (sink.kind) {
        case Sink::Kind::legal: {
            const std::uint32_t move = sink.number;
            const std::uint32_t role = role_of_[move];
            const std::uint32_t first = first_move_[role];
            if (now) {
                const std::uint32_t place = legal_count_[role]++;
                legal_[first + place] = Move{move};
                legal_place_[move] = place;
            } else {
                const std::uint32_t place = legal_place_[move];
                const Move last = legal_[first + --legal_count_[role]];
                legal_[first + place] = last;
                legal_place_[index(last)] = place;
            }
            return;
        }
        case Sink::Kind::next:
            next_[sink.number / 64] ^= std::uint64_t{1} << (sink.number % 64);
            return;
        case Sink::Kind::loop: {
            const std::uint32_t cycle = circuit_->loops()[sink.number].cycle;
            if (now) {
                may_rise_[cycle].push_back(sink.number);
                if (cycle_state_[cycle] == 0) cycle_state_[cycle] = 1;
            } else {
                cycle_state_[cycle] = 2;
            }
            return;
        }
    }
}

inline void Runner::make_room(std::size_t count) {
    if (queued_ + count > queue_.size()) queue_.resize(2 * (queued_ + count));
}

// Tells the users of a node that it has changed.
template <bool with_loops>
inline void Runner::deliver(std::uint32_t node) {
    const Circuit::Wiring& wiring = circuit_->wiring()[node];
    const Signal* const targets = circuit_->targets();
    std::int32_t* const cells = cells_.data();
    const bool now = value(cells[node]);
    work_ += wiring.step_target - wiring.first_target + work_of_a_change;
    make_room(wiring.step_target - wiring.first_target);
    std::uint32_t* const queue = queue_.data();
    std::size_t queued = queued_;
    for (std::uint32_t i = wiring.first_target; i < wiring.step_target; ++i) {
        const std::uint32_t gate = targets[i].node();
        // An input that became true is one false input less.
        const bool input = now != targets[i].negated();
        const std::int32_t cell = cells[gate] += input ? -2 : 2;
        // Queued when the count no longer agrees with the value: 0 false inputs but not true, or 1 but still true.
        queue[queued] = gate;
        queued += cell == (input ? 0 : 3) ? 1U : 0U;
        if constexpr (with_loops) {
            const std::uint32_t mark = circuit_->loop_mark(gate);
            // On a cycle: what speaks against its atoms may take away their support.
            if (mark != 0 && input == (((mark - 1) & 1U) != 0)) cycle_state_[(mark - 1) >> 1] = 2;
        }
    }
    queued_ = queued;
    const std::uint32_t last_sink = (&wiring)[1].first_sink;
    for (std::uint32_t i = wiring.first_sink; i < last_sink; ++i) sink(circuit_->sinks()[i], now);
}

// All inputs change before any gate goes on: what one of them starts another may stop.
template <bool with_loops>
inline void Runner::spread(std::span<const std::uint32_t> nodes) {
    for (const std::uint32_t node : nodes) {
        cells_[node] ^= 1;
        deliver<with_loops>(node);
    }
    // First come, first served: gates are then mostly reached when all their inputs are final. A change that was
    // taken back meanwhile is noticed here.
    for (std::size_t head = 0; head < queued_; ++head) {
        const std::uint32_t gate = queue_[head];
        const std::int32_t cell = cells_[gate];
        if (value(cell) == counts_true(cell)) continue;
        cells_[gate] = cell ^ 1;
        deliver<with_loops>(gate);
    }
    queued_ = 0;
}

void Runner::flip_inputs(std::span<const std::uint32_t> nodes) {
    if (circuit_->cycle_count() == 0) {
        spread<false>(nodes);
    } else {
        spread<true>(nodes);
    }
}

// Cycles in order: each is brought to its least fixpoint before those that use it. Where something may have lost its
// support all atoms of the cycle start from false again; where things only rose, they rise further from where they are.
void Runner::settle_loops() {
    for (std::uint32_t cycle = 0; cycle < cycle_state_.size(); ++cycle) {
        if (cycle_state_[cycle] == 0) continue;
        const auto loops = circuit_->loops().subspan(first_loop_[cycle], first_loop_[cycle + 1] - first_loop_[cycle]);
        if (cycle_state_[cycle] == 2) {
            for (const Loop& loop : loops) {
                if (value(cells_[loop.node])) flip_input(loop.node);
            }
            may_rise_[cycle].clear();
            for (std::uint32_t i = first_loop_[cycle]; i < first_loop_[cycle + 1]; ++i) may_rise_[cycle].push_back(i);
        }
        raise_loops(cycle);
        cycle_state_[cycle] = 0;
    }
}

void Runner::raise_loops(std::uint32_t cycle) {
    std::vector<std::uint32_t>& open = may_rise_[cycle];
    while (!open.empty()) {
        const Loop& loop = circuit_->loops()[open.back()];
        open.pop_back();
        if (!value(cells_[loop.node]) && is_true(loop.definition)) flip_input(loop.node);
    }
}

void Runner::go_to(std::span<const std::uint64_t> words) {
    flips_.clear();
    for (std::uint32_t w = 0; w < current_.size(); ++w) {
        const std::uint64_t wanted = w < words.size() ? words[w] : 0;
        for (std::uint64_t difference = wanted ^ current_[w]; difference != 0; difference &= difference - 1) {
            const std::uint32_t fluent = w * 64 + static_cast<std::uint32_t>(std::countr_zero(difference));
            flips_.push_back(circuit_->fluent_node(fluent));
        }
        current_[w] = wanted;
    }
    if (flips_.empty()) return;
    goals_known_ = false;
    flip_inputs(flips_);
    if (circuit_->cycle_count() > 0) settle_loops();
}

// The same during a step. See Part: blocked gates have no count before they are touched.
inline void Runner::step_deliver(std::uint32_t node) {
    const Circuit::Wiring& wiring = circuit_->wiring()[node];
    const Signal* const targets = circuit_->targets();
    const bool now = value(cells_[node]);
    const bool follows_state = circuit_->part(node) == Part::varying;
    work_ += wiring.end_target - wiring.first_target + work_of_a_change;
    make_room(wiring.end_target - wiring.first_target);
    for (std::uint32_t i = wiring.first_target; i < wiring.end_target; ++i) {
        const std::uint32_t gate = targets[i].node();
        const bool input = now != targets[i].negated();
        std::int32_t cell = cells_[gate];
        if (touched_in_[gate] != epoch_) {
            touched_in_[gate] = epoch_;
            trail_.push_back({gate, cell});
            if (circuit_->part(gate) == Part::blocked) {
                cell = (circuit_->base_count(gate) + false_inputs_in_step(gate)) << 1 | (cell & 1);
                // The change is already in what was just counted if this node follows the state.
                if (follows_state) cell += input ? 2 : -2;
            }
        }
        cell += input ? -2 : 2;
        cells_[gate] = cell;
        if (value(cell) != counts_true(cell)) queue_[queued_++] = gate;
    }
    const std::uint32_t last_sink = (&wiring)[1].first_sink;
    for (std::uint32_t i = wiring.first_sink; i < last_sink; ++i) {
        const Sink& target = circuit_->sinks()[i];
        if (target.kind != Sink::Kind::next) continue;
        next_[target.number / 64] ^= std::uint64_t{1} << (target.number % 64);
        flipped_next_.push_back(target.number);
    }
}

void Runner::step_moves(std::span<const Move> joint) {
    if (++epoch_ == 0) {  // wrapped round: forget all marks
        std::fill(touched_in_.begin(), touched_in_.end(), 0);
        epoch_ = 1;
    }
    for (const Move move : joint) {
        const std::uint32_t node = circuit_->move_node(index(move));
        cells_[node] = 1;
        step_deliver(node);
    }
    for (std::size_t head = 0; head < queued_; ++head) {
        const std::uint32_t gate = queue_[head];
        const std::int32_t cell = cells_[gate];
        if (value(cell) == counts_true(cell)) continue;
        cells_[gate] = cell ^ 1;
        step_deliver(gate);
    }
    queued_ = 0;
}

void Runner::undo_step() {
    for (const Touched& touched : trail_) cells_[touched.node] = touched.cell;
    trail_.clear();
    for (const std::uint32_t fluent : flipped_next_) next_[fluent / 64] ^= std::uint64_t{1} << (fluent % 64);
    flipped_next_.clear();
}

std::span<const std::uint64_t> Runner::next(std::span<const Move> joint) {
    STRATAGEM_EXPECTS(is_legal(joint));
    STRATAGEM_INVARIANT(work_ % audited_every != 0 || is_consistent());
    if (circuit_->moves_are_state()) {
        for (const Move move : set_moves_) flip_input(circuit_->move_node(index(move)));
        set_moves_.assign(joint.begin(), joint.end());
        for (const Move move : joint) flip_input(circuit_->move_node(index(move)));
        settle_loops();
        std::copy(next_.begin(), next_.end(), result_.begin());
        return result_;
    }
    step_moves(joint);
    std::copy(next_.begin(), next_.end(), result_.begin());
    for (const Move move : joint) cells_[circuit_->move_node(index(move))] = 0;
    undo_step();
    return result_;
}

bool Runner::is_legal(std::span<const Move> joint) const {
    if (joint.size() != legal_count_.size()) return false;
    for (std::uint32_t role = 0; role < joint.size(); ++role) {
        const std::uint32_t move = index(joint[role]);
        if (move >= role_of_.size() || role_of_[move] != role || !is_true(circuit_->outputs().legal[move]))
            return false;
    }
    return true;
}

void Runner::evaluate_goals() {
    if (goals_known_) return;
    goals_known_ = true;
    for (const std::uint32_t gate : circuit_->goal_gates()) {
        const auto inputs = circuit_->inputs(gate);
        cells_[gate] = std::all_of(inputs.begin(), inputs.end(), [this](Signal s) { return is_true(s); }) ? 1 : 0;
    }
}

std::optional<int> Runner::goal(Role role) {
    evaluate_goals();
    std::optional<int> value;
    const auto& goals = circuit_->program().goals;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        if (goals[i].role != role || !is_true(circuit_->outputs().goals[i])) continue;
        if (value) return std::nullopt;
        value = goals[i].value;
    }
    return value;
}

bool Runner::is_consistent() const {
    for (std::uint32_t node = 0; node < circuit_->node_count(); ++node) {
        if (circuit_->kind(node) != NodeKind::gate) continue;
        const Part part = circuit_->part(node);
        if (part == Part::goal) continue;
        if (part == Part::blocked) {
            if (value(cells_[node]) != circuit_->base_value(node)) return false;
            continue;
        }
        const std::int32_t count = false_inputs(node);
        if (cells_[node] != (count << 1 | (count == 0 ? 1 : 0))) return false;
    }
    for (std::uint32_t i = 0; i < circuit_->outputs().legal.size(); ++i) {
        const auto list = legal(Role{role_of_[i]});
        if ((std::find(list.begin(), list.end(), Move{i}) != list.end()) != is_true(circuit_->outputs().legal[i])) {
            return false;
        }
    }
    return true;
}

}  // namespace stratagem::machine
