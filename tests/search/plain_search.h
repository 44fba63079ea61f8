// What the searches are compared with: the definitions written down directly, without pruning or ordering. Every state
// is worked out once and kept, which is all that makes them bearable.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "evaluate/evaluator.h"
#include "machine/machine.h"
#include "search/common/score.h"

namespace stratagem::search::testing {

using machine::Move;
using machine::Role;
using machine::State;

struct HashState {
    std::size_t operator()(const State& state) const { return state.hash(); }
};

// Calls visit(joint) for each joint move of the roles for which `free` holds; the others keep what they have.
inline void for_each_joint(const std::vector<std::vector<Move>>& legal, const std::vector<bool>& free,
                           std::vector<Move>& joint, const std::function<void()>& visit, std::size_t role = 0) {
    if (role == legal.size()) return visit();
    if (!free[role]) return for_each_joint(legal, free, joint, visit, role + 1);
    for (const Move move : legal[role]) {
        joint[role] = move;
        for_each_joint(legal, free, joint, visit, role + 1);
    }
}

// The goal value for one role when its friends play for it and all others against it, knowing the move.
class PlainMinimax {
  public:
    PlainMinimax(machine::Machine& machine, std::vector<bool> ours, std::uint32_t role, bool others_random = false)
        : machine_(machine), ours_(std::move(ours)), role_(role), others_random_(others_random) {}

    double value(const State& state) {
        if (const auto known = values_.find(state); known != values_.end()) return known->second;
        const double result = work_out(state);
        values_.emplace(state, result);
        return result;
    }

    // The value when we make this move now.
    double value_of_move(const State& state, Move move) {
        std::vector<std::vector<Move>> legal = legal_moves(state);
        legal[role_] = {move};
        return best(state, legal);
    }

    std::vector<std::vector<Move>> legal_moves(const State& state) {
        std::vector<std::vector<Move>> legal(machine_.role_count());
        for (std::uint32_t i = 0; i < legal.size(); ++i) machine_.legal(state, Role{i}, legal[i]);
        return legal;
    }

  private:
    double work_out(const State& state) {
        if (machine_.terminal(state)) return machine_.goal(state, Role{role_}).value_or(0);
        const std::vector<std::vector<Move>> legal = legal_moves(state);
        for (const std::vector<Move>& moves : legal) {
            if (moves.empty()) return 0;
        }
        return best(state, legal);
    }

    double best(const State& state, const std::vector<std::vector<Move>>& legal) {
        std::vector<bool> theirs = ours_;
        theirs.flip();
        bool both = false;
        for (std::size_t i = 0; i < legal.size(); ++i) both = both || (ours_[i] && legal[i].size() > 1);
        std::vector<Move> joint(legal.size());
        double greatest = -1;
        for_each_joint(legal, ours_, joint, [&] {
            double least = 101;
            double sum = 0;
            std::size_t count = 0;
            std::vector<Move> inner = joint;
            for_each_joint(legal, theirs, inner, [&] {
                State next;
                machine_.next(state, inner, next);
                const double result = value(next);
                least = std::min(least, result);
                sum += result;
                ++count;
            });
            greatest = std::max(greatest, others_random_ && both ? sum / static_cast<double>(count) : least);
        });
        return greatest;
    }

    machine::Machine& machine_;
    std::vector<bool> ours_;
    std::uint32_t role_;
    bool others_random_;
    std::unordered_map<State, double, HashState> values_;
};

inline PlainMinimax plain_against_all(machine::Machine& machine, std::uint32_t role) {
    std::vector<bool> ours(machine.role_count(), false);
    ours[role] = true;
    return {machine, ours, role};
}

// Minimax of two players who take turns, to a fixed depth with an evaluator's opinions there.
class PlainDepthLimited {
  public:
    PlainDepthLimited(machine::Machine& machine, const evaluate::Evaluator& evaluator, const ScoreScale& scale,
                      std::uint32_t role)
        : machine_(machine), evaluator_(evaluator), scale_(scale), role_(role) {}

    Score value(const State& state, std::uint32_t depth, std::int32_t ply = 0) {
        if (machine_.terminal(state)) {
            return scale_.of_goal(machine_.goal(state, Role{role_}).value_or(0), ply);
        }
        if (depth == 0) return scale_.of_opinion(evaluator_.value(state, Role{role_}));
        std::vector<std::vector<Move>> legal(machine_.role_count());
        bool ours = false;
        for (std::uint32_t i = 0; i < legal.size(); ++i) {
            machine_.legal(state, Role{i}, legal[i]);
            ours = ours || (i == role_ && legal[i].size() > 1);
        }
        Score best = ours ? -score_infinity : score_infinity;
        std::vector<Move> joint(legal.size());
        for_each_joint(legal, std::vector<bool>(legal.size(), true), joint, [&] {
            State next;
            machine_.next(state, joint, next);
            const Score score = value(next, depth - 1, ply + 1);
            best = ours ? std::max(best, score) : std::min(best, score);
        });
        return best;
    }

  private:
    machine::Machine& machine_;
    const evaluate::Evaluator& evaluator_;
    ScoreScale scale_;
    std::uint32_t role_;
};

// Whether the role can force a goal value of at least `goal` within so many moves of everybody.
class PlainForce {
  public:
    PlainForce(machine::Machine& machine, std::uint32_t role, int goal) : machine_(machine), role_(role), goal_(goal) {}

    bool within(const State& state, std::uint32_t moves) {
        auto& known = known_[state];
        if (known.first > 0 && moves + 1 >= known.first) return true;  // already with fewer
        if (known.second > moves) return false;                        // not even with more
        const bool result = work_out(state, moves);
        auto& now = known_[state];
        if (result) now.first = now.first == 0 ? moves + 1 : std::min(now.first, moves + 1);
        if (!result) now.second = std::max(now.second, moves + 1);
        return result;
    }
    bool by_move(const State& state, Move move, std::uint32_t moves) {
        std::vector<std::vector<Move>> legal(machine_.role_count());
        for (std::uint32_t i = 0; i < legal.size(); ++i) machine_.legal(state, Role{i}, legal[i]);
        legal[role_] = {move};
        return can(state, legal, moves);
    }

  private:
    bool work_out(const State& state, std::uint32_t moves) {
        if (machine_.terminal(state)) return machine_.goal(state, Role{role_}).value_or(0) >= goal_;
        if (moves == 0) return false;
        std::vector<std::vector<Move>> legal(machine_.role_count());
        for (std::uint32_t i = 0; i < legal.size(); ++i) {
            machine_.legal(state, Role{i}, legal[i]);
            if (legal[i].empty()) return goal_ <= 0;
        }
        return can(state, legal, moves);
    }
    bool can(const State& state, const std::vector<std::vector<Move>>& legal, std::uint32_t moves) {
        for (const Move move : legal[role_]) {
            std::vector<Move> joint(legal.size());
            std::vector<bool> others(legal.size(), true);
            joint[role_] = move;
            others[role_] = false;
            bool all = true;
            for_each_joint(legal, others, joint, [&] {
                if (!all) return;
                State next;
                machine_.next(state, joint, next);
                all = within(next, moves - 1);
            });
            if (all) return true;
        }
        return false;
    }

    machine::Machine& machine_;
    std::uint32_t role_;
    int goal_;
    std::unordered_map<State, std::pair<std::uint32_t, std::uint32_t>, HashState> known_;
};

}  // namespace stratagem::search::testing