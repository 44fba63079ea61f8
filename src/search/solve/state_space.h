// All states that can come up, with the moves between them: what small games are solved from.
//
// For games in which at most one role at a time has a choice. States are found breadth first, and the work can be
// interrupted and taken up again. Of states that are alike under symmetries of the rules one stands for all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/canonical.h"
#include "machine/machine.h"
#include "machine/stop.h"
#include "search/common/state_index.h"

namespace stratagem::search {

class StateSpace {
  public:
    using Number = StateIndex::Number;  // of a state; 0 is where it began

    enum class Status : std::uint8_t {
        growing,
        complete,
        too_large,    // for the memory allowed
        not_by_turns  // two roles have a choice in the same state
    };

    // `alike` may be null: every state stands for itself.
    StateSpace(const machine::State& start, std::size_t max_bytes,
               std::shared_ptr<const analysis::Canonical> alike = nullptr);

    // Goes on until complete, impossible, stopped, or so many states were looked at.
    Status grow(machine::Machine& machine, const machine::Stop& stop, std::uint64_t max_states = UINT64_MAX);

    Status status() const { return status_; }
    std::size_t size() const { return states_.size(); }
    std::size_t looked_at() const { return movers_.size(); }
    std::size_t edge_count() const { return successors_.size(); }
    std::size_t bytes() const { return bytes_ + states_.bytes(); }
    const machine::State& state(Number number) const { return states_.state(number); }
    // Of the state that stands for it. Nothing when that is not there.
    std::optional<Number> find(const machine::State& state) const {
        return alike_ ? states_.find(alike_->representative(state)) : states_.find(state);
    }
    // What a move in a state is called in the one that stands for it.
    machine::Move rename(const machine::State& state, machine::Move move) const {
        return alike_ ? alike_->symmetry(state).moves[ground::index(move)] : move;
    }

    // Of states that were looked at. Who has a choice there; nobody where all moves are forced or the game is over.
    std::optional<std::uint32_t> mover(Number number) const {
        return movers_[number] == nobody ? std::nullopt : std::optional(movers_[number]);
    }
    // By the mover's legal moves in ascending order; one if they are forced, none where the game is over.
    std::span<const Number> successors(Number number) const {
        return {successors_.data() + first_[number], successors_.data() + first_[number + 1]};
    }
    bool is_end(Number number) const { return first_[number] == first_[number + 1]; }
    // Where the game is over: by role; 0 where there is no goal value or nobody can go on.
    std::span<const std::int16_t> goals(Number number) const;

    // Whole-object audit: numbers in range, and where it is complete, every state was looked at.
    bool is_consistent() const;

  private:
    static constexpr std::uint32_t nobody = UINT32_MAX;

    bool look_at(machine::Machine& machine, Number number);
    Number insert(const machine::State& state);

    Status status_ = Status::growing;
    std::size_t roles_ = 0;
    std::size_t max_bytes_;
    std::size_t bytes_ = 0;  // beside the states
    StateIndex states_;
    std::shared_ptr<const analysis::Canonical> alike_;
    std::vector<std::uint32_t> movers_;
    std::vector<std::size_t> first_{0};  // into successors_, one more than states looked at
    std::vector<Number> successors_;
    std::vector<std::uint32_t> goal_place_;  // by state: which of goals_
    std::vector<std::int16_t> goals_;

    std::vector<std::vector<machine::Move>> legal_;
    std::vector<machine::Move> joint_;
    machine::State next_;
};

}  // namespace stratagem::search
