#include "search/solve/state_space.h"

#include <algorithm>

#include "search/common/pacer.h"
#include "util/contract.h"

namespace stratagem::search {

using machine::Move;
using machine::Role;
using machine::State;

namespace {

// With the values and the reverse edges to come.
constexpr std::size_t bytes_of_state = 64;
constexpr std::size_t bytes_of_edge = 3 * sizeof(StateSpace::Number);

}  // namespace

StateSpace::StateSpace(const State& start, std::size_t max_bytes, std::shared_ptr<const analysis::Canonical> alike)
    : max_bytes_(max_bytes), alike_(std::move(alike)) {
    insert(start);
}

StateSpace::Number StateSpace::insert(const State& state) {
    if (alike_) return states_.insert(alike_->representative(state)).first;
    return states_.insert(state).first;
}

StateSpace::Status StateSpace::grow(machine::Machine& machine, const machine::Stop& stop, std::uint64_t max_states) {
    roles_ = machine.role_count();
    legal_.resize(roles_);
    joint_.resize(roles_);
    Pacer pacer(stop);
    for (std::uint64_t looked = 0; status_ == Status::growing && looked < max_states; ++looked) {
        if (pacer.due()) break;
        const auto number = static_cast<Number>(movers_.size());
        if (number == states_.size()) {
            status_ = Status::complete;
        } else if (!look_at(machine, number)) {
            status_ = Status::not_by_turns;
        } else if (bytes() > max_bytes_ || states_.size() + 1 >= StateIndex::most_states) {
            status_ = Status::too_large;
        }
    }
    STRATAGEM_INVARIANT(status_ != Status::complete || is_consistent());
    return status_;
}

bool StateSpace::is_consistent() const {
    if (first_.size() != movers_.size() + 1 || first_.back() != successors_.size()) return false;
    if (status_ == Status::complete && movers_.size() != states_.size()) return false;
    if (!std::ranges::is_sorted(first_) || goal_place_.size() != movers_.size()) return false;
    for (std::size_t i = 0; i < movers_.size(); ++i) {
        const std::size_t count = first_[i + 1] - first_[i];
        if (movers_[i] != nobody && (movers_[i] >= roles_ || count < 2)) return false;
        if (movers_[i] == nobody && count > 1) return false;
        if (count == 0 && (std::size_t{goal_place_[i]} + 1) * roles_ > goals_.size()) return false;
    }
    return std::ranges::all_of(successors_, [this](Number number) { return number < states_.size(); });
}

bool StateSpace::look_at(machine::Machine& machine, Number number) {
    const State state = states_.state(number);  // a copy: the list grows
    std::uint32_t mover = nobody;
    bool over = machine.terminal(state);
    bool stuck = false;
    for (std::uint32_t role = 0; role < roles_ && !over; ++role) {
        machine.legal(state, Role{role}, legal_[role]);
        if (legal_[role].empty()) {
            over = true;
            stuck = true;
            break;
        }
        joint_[role] = legal_[role][0];
        if (legal_[role].size() == 1) continue;
        if (mover != nobody) return false;
        mover = role;
    }
    if (over) {
        goal_place_.push_back(static_cast<std::uint32_t>(goals_.size() / roles_));
        for (std::uint32_t role = 0; role < roles_; ++role) {
            const int goal = stuck ? 0 : machine.goal(state, Role{role}).value_or(0);
            goals_.push_back(static_cast<std::int16_t>(goal));
        }
        bytes_ += roles_ * sizeof(std::int16_t);
        mover = nobody;
    } else {
        goal_place_.push_back(0);
        const std::size_t count = mover == nobody ? 1 : legal_[mover].size();
        for (std::size_t i = 0; i < count; ++i) {
            if (mover != nobody) joint_[mover] = legal_[mover][i];
            machine.next(state, joint_, next_);
            successors_.push_back(insert(next_));
        }
        bytes_ += count * bytes_of_edge;
    }
    bytes_ += bytes_of_state;
    movers_.push_back(mover);
    first_.push_back(successors_.size());
    return true;
}

std::span<const std::int16_t> StateSpace::goals(Number number) const {
    return {goals_.data() + std::size_t{goal_place_[number]} * roles_, roles_};
}

}  // namespace stratagem::search
