#include "machine/circuit/circuit_machine.h"

#include <algorithm>
#include <bit>

#include "gdl/print.h"

namespace stratagem::machine {

using ground::index;

CircuitMachine::CircuitMachine(std::shared_ptr<const Circuit> circuit) : circuit_(std::move(circuit)) {
    const ground::Program& program = circuit_->program();
    current_ = State(program.fluents.size());
    initial_ = current_;
    for (const Fluent fluent : program.initial) initial_.insert(fluent);
    for (const Circuit::Phase& phase : circuit_->phases()) phases_.push_back(std::make_unique<Runner>(phase.circuit));
    joint_.resize(role_count());
    current_ = initial_;
    runner_ = &runner_for(current_.words());
    runner_->go_to(current_.words());
}

Runner& CircuitMachine::runner_for(std::span<const std::uint64_t> words) {
    Runner* found = nullptr;
    bool several = false;
    for (std::size_t i = 0; i < phases_.size(); ++i) {
        const std::uint32_t fluent = index(circuit_->phases()[i].fluent);
        if ((words[fluent / 64] >> (fluent % 64) & 1U) == 0) continue;
        several = found != nullptr;
        found = phases_[i].get();
    }
    if (found != nullptr && !several) return *found;
    if (!whole_) whole_ = std::make_unique<Runner>(circuit_);
    return *whole_;
}

void CircuitMachine::go_to(const State& state) {
    if (state == current_) return;
    current_ = state;
    runner_ = &runner_for(current_.words());
    runner_->go_to(current_.words());
}

void CircuitMachine::advance(std::span<const Move> joint) {
    const std::span<const std::uint64_t> words = runner_->next(joint);
    for (std::uint32_t w = 0; w < words.size(); ++w) {
        for (std::uint64_t difference = words[w] ^ current_.words()[w]; difference != 0; difference &= difference - 1) {
            current_.flip(Fluent{w * 64 + static_cast<std::uint32_t>(std::countr_zero(difference))});
        }
    }
    runner_ = &runner_for(words);
    runner_->go_to(words);
}

std::size_t CircuitMachine::playout(Random& random, std::vector<int>& goals, std::size_t max_steps, bool* stuck) {
    std::size_t steps = 0;
    for (; steps < max_steps && !terminal(); ++steps) {
        bool complete = true;
        for (std::uint32_t role = 0; role < joint_.size(); ++role) {
            const std::span<const Move> moves = legal(Role{role});
            if (moves.empty()) {
                complete = false;
            } else {
                joint_[role] = moves[moves.size() == 1 ? 0 : random.below(static_cast<std::uint32_t>(moves.size()))];
            }
        }
        if (!complete) {
            if (stuck != nullptr) *stuck = true;
            break;
        }
        advance(joint_);
    }
    goals.resize(role_count());
    for (std::uint32_t role = 0; role < goals.size(); ++role) goals[role] = goal(Role{role}).value_or(-1);
    return steps;
}

bool CircuitMachine::terminal(const State& state) {
    go_to(state);
    return terminal();
}

void CircuitMachine::legal(const State& state, Role role, std::vector<Move>& moves) {
    go_to(state);
    const std::span<const Move> list = legal(role);
    moves.assign(list.begin(), list.end());
    std::sort(moves.begin(), moves.end());
}

void CircuitMachine::next(const State& state, std::span<const Move> joint, State& result) {
    go_to(state);
    const std::span<const std::uint64_t> words = runner_->next(joint);
    result = current_;
    for (std::uint32_t w = 0; w < words.size(); ++w) {
        for (std::uint64_t difference = words[w] ^ current_.words()[w]; difference != 0; difference &= difference - 1) {
            result.flip(Fluent{w * 64 + static_cast<std::uint32_t>(std::countr_zero(difference))});
        }
    }
}

std::optional<int> CircuitMachine::goal(const State& state, Role role) {
    go_to(state);
    return goal(role);
}

std::string CircuitMachine::role_name(Role role) const {
    return gdl::to_kif(circuit_->program().terms, circuit_->program().roles[index(role)]);
}
std::string CircuitMachine::fluent_name(Fluent fluent) const {
    return gdl::to_kif(circuit_->program().terms, circuit_->program().fluents[index(fluent)]);
}
std::string CircuitMachine::move_name(Move move) const {
    return gdl::to_kif(circuit_->program().terms, circuit_->program().moves[index(move)].term);
}

// Names are needed at the border only, so they are made when one is first asked for.
void CircuitMachine::make_names() {
    if (!fluents_by_name_.empty() || !moves_by_name_.empty()) return;
    const ground::Program& program = circuit_->program();
    for (std::uint32_t i = 0; i < program.fluents.size(); ++i)
        fluents_by_name_.emplace(fluent_name(Fluent{i}), Fluent{i});
    for (std::uint32_t i = 0; i < program.moves.size(); ++i) {
        moves_by_name_.emplace(std::to_string(index(program.moves[i].role)) + " " + move_name(Move{i}), Move{i});
    }
}

std::optional<Fluent> CircuitMachine::find_fluent(std::string_view name) {
    make_names();
    const auto found = fluents_by_name_.find(std::string(name));
    return found == fluents_by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Move> CircuitMachine::find_move(Role role, std::string_view name) {
    make_names();
    const auto found = moves_by_name_.find(std::to_string(index(role)) + " " + std::string(name));
    return found == moves_by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::uint64_t CircuitMachine::work() const {
    std::uint64_t total = whole_ ? whole_->work() : 0;
    for (const std::unique_ptr<Runner>& runner : phases_) total += runner->work();
    return total;
}

bool CircuitMachine::is_consistent() const { return runner_->is_consistent(); }

}  // namespace stratagem::machine
