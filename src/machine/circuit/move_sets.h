// Which moves a gate speaks about: private to GateGraph::shorten_move_sets.
//
// A *move set* is a gate that is true when none of some moves is made: a conjunction of negated moves, directly or
// through other move sets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "machine/circuit/gate_graph.h"

namespace stratagem::machine {

class MoveSets {
  public:
    MoveSets(const ground::Program& program, const std::vector<GateNode>& nodes, const std::vector<Signal>& inputs,
             const std::vector<Signal>& fixed)
        : nodes_(nodes), inputs_(inputs), seen_in_(nodes.size(), 0), member_(program.moves.size(), false) {
        first_move_.assign(program.roles.size() + 1, 0);
        for (const ground::GroundMove& move : program.moves) ++first_move_[ground::index(move.role) + 1];
        for (std::size_t role = 0; role < program.roles.size(); ++role) first_move_[role + 1] += first_move_[role];
        for (std::uint32_t move = 0; move < program.moves.size(); ++move) {
            nodes_of_.push_back(program.first_move_atom() + 1 + move);
            // Moves known to be made or not are no inputs any more.
            fixed_.push_back(fixed[program.first_move_atom() + move].node() == 0);
        }
        is_set_.assign(nodes.size(), false);
        for (std::uint32_t node = 0; node < nodes.size(); ++node) {
            if (nodes[node].kind != NodeKind::gate) continue;
            const auto own = inputs_of(node);
            is_set_[node] = std::all_of(own.begin(), own.end(), [this](Signal input) { return is_member(input); });
        }
    }

    // A gate that is true when none of some moves is made.
    bool is_set(std::uint32_t node) const { return is_set_[node]; }
    // An input that says so: a negated move, or such a gate.
    bool is_member(Signal input) const {
        return input.negated() ? nodes_[input.node()].kind == NodeKind::move : is_set_[input.node()];
    }

    // Finds all moves behind these inputs. False when the work so far exceeds what is sensible.
    bool collect(std::span<const Signal> members) {
        for (const std::uint32_t move : found_) member_[move] = false;
        found_.clear();
        ++stamp_;
        open_.assign(members.begin(), members.end());
        while (!open_.empty()) {
            const Signal input = open_.back();
            open_.pop_back();
            if (input.negated()) {
                const std::uint32_t move = nodes_[input.node()].number;
                if (!member_[move]) found_.push_back(move);
                member_[move] = true;
                continue;
            }
            if (seen_in_[input.node()] == stamp_) continue;
            seen_in_[input.node()] = stamp_;
            const auto own = inputs_of(input.node());
            open_.insert(open_.end(), own.begin(), own.end());
            work_ += own.size();
        }
        constexpr std::size_t sensible = 200'000'000;
        return work_ < sensible;
    }

    // Whether the moves found are more than half of a role's.
    bool most_of_a_role() {
        split();
        return std::any_of(complement_.begin(), complement_.end(), [](bool complement) { return complement; });
    }

    // Calls use(signals, complement) for each role: its moves found, or the others if those are fewer.
    template <typename Use>
    void for_each_role(Use&& use) {
        split();
        for (std::size_t role = 0; role + 1 < first_move_.size(); ++role) {
            std::vector<Signal> signals;
            for (std::uint32_t move = first_move_[role]; move < first_move_[role + 1]; ++move) {
                if (!fixed_[move] && member_[move] != complement_[role]) signals.emplace_back(nodes_of_[move], false);
            }
            use(std::move(signals), static_cast<bool>(complement_[role]));
        }
    }

  private:
    std::span<const Signal> inputs_of(std::uint32_t node) const {
        return std::span(inputs_).subspan(nodes_[node].first_input, nodes_[node].input_count);
    }

    void split() {
        complement_.assign(first_move_.size() - 1, false);
        for (std::size_t role = 0; role + 1 < first_move_.size(); ++role) {
            std::size_t in = 0;
            std::size_t out = 0;
            for (std::uint32_t move = first_move_[role]; move < first_move_[role + 1]; ++move) {
                if (!fixed_[move]) ++(member_[move] ? in : out);
            }
            complement_[role] = in > out;
        }
    }

    const std::vector<GateNode>& nodes_;
    const std::vector<Signal>& inputs_;
    std::vector<bool> is_set_;
    std::vector<std::uint32_t> seen_in_;
    std::uint32_t stamp_ = 0;
    std::vector<bool> member_;  // by move
    std::vector<std::uint32_t> found_;
    std::vector<Signal> open_;
    std::vector<std::uint32_t> first_move_;
    std::vector<std::uint32_t> nodes_of_;  // by move
    std::vector<bool> fixed_;              // by move
    std::vector<bool> complement_;         // by role
    std::size_t work_ = 0;
};

}  // namespace stratagem::machine
