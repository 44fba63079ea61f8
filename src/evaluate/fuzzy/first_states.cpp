#include "evaluate/fuzzy/first_states.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>

#include "machine/machine.h"

namespace stratagem::evaluate::fuzzy {

namespace {

using machine::Move;
using machine::State;

class Levels {
  public:
    Levels(const machine::Game& game, const machine::Stop& stop, std::size_t most)
        : machine_(game.make()), stop_(stop), most_(most), legal_(machine_->role_count()), joint_(legal_.size()) {}

    FirstStates find() {
        if (machine_->terminal(machine_->initial())) return {};
        found_.states.push_back(machine_->initial());
        by_hash_.emplace(machine_->initial().hash(), 0);
        for (std::size_t first = 0, end = 1; first < end; first = end, end = found_.states.size()) {
            if (!add_level(first, end)) break;
        }
        return std::move(found_);
    }

  private:
    // What follows on the states from `first` to `end`; false, and nothing, where it is too much.
    bool add_level(std::size_t first, std::size_t end) {
        const std::size_t before = found_.siblings.size();
        for (std::size_t i = first; i < end; ++i) {
            if (add_children(i)) continue;
            found_.states.resize(end);
            found_.siblings.resize(before);
            return false;
        }
        return true;
    }

    bool add_children(std::size_t parent) {
        std::vector<std::uint32_t>& children = found_.siblings.emplace_back();
        const State from = found_.states[parent];
        for (std::uint32_t role = 0; role < legal_.size(); ++role) {
            machine_->legal(from, machine::Role{role}, legal_[role]);
            if (legal_[role].empty()) return true;
        }
        return add_joint(from, 0, children);
    }

    // Joint moves of the roles from `role` on.
    bool add_joint(const State& from, std::size_t role, std::vector<std::uint32_t>& children) {
        if (role == legal_.size()) return add_child(from, children);
        for (const Move move : legal_[role]) {
            joint_[role] = move;
            if (!add_joint(from, role + 1, children)) return false;
        }
        return true;
    }

    bool add_child(const State& from, std::vector<std::uint32_t>& children) {
        // Joint moves of many roles may be more than can be tried, however few states they lead to.
        constexpr std::size_t moves_a_state = 50;
        if (++tried_ > moves_a_state * most_ || stop_.now()) return false;
        machine_->next(from, joint_, next_);
        const auto [begin, end] = by_hash_.equal_range(next_.hash());
        const auto known =
            std::find_if(begin, end, [&](const auto& one) { return found_.states[one.second] == next_; });
        if (known != end) {
            if (std::ranges::find(children, known->second) == children.end()) children.push_back(known->second);
            return true;
        }
        if (machine_->terminal(next_)) return true;
        if (found_.states.size() >= most_) return false;
        const auto number = static_cast<std::uint32_t>(found_.states.size());
        by_hash_.emplace(next_.hash(), number);
        found_.states.push_back(next_);
        children.push_back(number);
        return true;
    }

    std::unique_ptr<machine::Machine> machine_;
    const machine::Stop& stop_;
    std::size_t most_;
    std::size_t tried_ = 0;
    std::vector<std::vector<Move>> legal_;
    std::vector<Move> joint_;
    State next_;
    FirstStates found_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
};

}  // namespace

FirstStates first_states(const machine::Game& game, const machine::Stop& stop, std::size_t most) {
    return Levels(game, stop, most).find();
}

}  // namespace stratagem::evaluate::fuzzy
