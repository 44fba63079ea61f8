#include "search/single/puzzle.h"

#include <algorithm>
#include <utility>

namespace stratagem::search {

std::optional<int> PuzzleView::terminal(const State& state) {
    if (!machine_.terminal(state)) return std::nullopt;
    return machine_.goal(state, role_).value_or(0);
}

std::optional<int> PuzzleView::end(const State& state) {
    if (const std::optional<int> goal = terminal(state)) return goal;
    for (std::uint32_t role = 0; role < joint_.size(); ++role) {
        std::vector<Move>& legal = Role{role} == role_ ? moves_ : legal_;
        machine_.legal(state, Role{role}, legal);
        if (legal.empty()) return 0;
        joint_[role] = legal[0];
        if (Role{role} != role_ && legal.size() > 1) others_choose_ = true;
    }
    return std::nullopt;
}

void PuzzleView::next(const State& state, Move move, State& result) {
    for (std::uint32_t role = 0; role < joint_.size(); ++role) {
        if (Role{role} == role_) {
            joint_[role] = move;
        } else {
            machine_.legal(state, Role{role}, legal_);
            joint_[role] = legal_[0];
        }
    }
    machine_.next(state, joint_, result);
}

BestFirst::BestFirst(PuzzleView& view, const evaluate::Evaluator& evaluator, Role role, const State& start,
                     std::size_t max_bytes, std::uint32_t max_depth)
    : view_(view), opinions_(evaluator.start()), role_(role), max_bytes_(max_bytes), max_depth_(max_depth) {
    states_.insert(start);
    nodes_.emplace_back();
    opinions_->begin_at(start);
    open_.push({opinions_->value(start, role_), 0, 0});
}

bool BestFirst::step() {
    if (open_.empty()) return false;
    const Open chosen = open_.top();
    open_.pop();
    const State state = states_.state(chosen.number);
    if (const std::optional<int> goal = view_.end(state)) {
        see_end(*goal, chosen.number);
        return true;
    }
    if (chosen.depth >= max_depth_) {
        cut_ = true;
        return true;
    }
    moves_ = view_.moves();
    for (const Move move : moves_) {  // NOLINT(readability-use-anyofallof): each step adds states
        if (states_.bytes() + nodes_.size() * (sizeof(Node) + sizeof(Open)) > max_bytes_) {
            full_ = true;
            cut_ = true;
            return false;
        }
        view_.next(state, move, next_);
        const auto [number, is_new] = states_.insert(next_);
        if (!is_new) continue;
        nodes_.push_back({chosen.number, chosen.depth + 1, move});
        if (const std::optional<int> goal = view_.terminal(next_)) {
            see_end(*goal, number);
            continue;
        }
        const double value = opinions_->value(next_, role_);
        open_.push({value, chosen.depth + 1, number});
        if (value > best_value_) {
            best_value_ = value;
            promising_ = number;
        }
    }
    return true;
}

void BestFirst::see_end(int goal, StateIndex::Number number) {
    if (goal <= best_goal_) return;
    best_goal_ = goal;
    best_end_ = number;
}

Plan BestFirst::plan(StateIndex::Number to, int goal) const {
    Plan plan;
    plan.goal = goal;
    for (StateIndex::Number at = to; at != 0; at = nodes_[at].parent) {
        const State& before = states_.state(nodes_[at].parent);
        State after;
        view_.next(before, nodes_[at].move, after);
        plan.states.push_back(before);
        plan.moves.push_back(view_.joint());
    }
    std::reverse(plan.states.begin(), plan.states.end());
    std::reverse(plan.moves.begin(), plan.moves.end());
    return plan;
}

DepthFirst::DepthFirst(PuzzleView& view, State start, std::size_t max_bytes, std::uint32_t first_depth,
                       std::uint32_t max_depth)
    : view_(view), start_(std::move(start)), max_bytes_(max_bytes), first_depth_(first_depth), max_depth_(max_depth) {}

DepthFirst::DepthFirst(PuzzleView& view, State start, std::size_t max_bytes, std::uint32_t max_depth,
                       machine::Random& random)
    : DepthFirst(view, std::move(start), max_bytes, max_depth, max_depth) {
    random_ = &random;
}

void DepthFirst::restart() {
    if (exhausted_) return;
    depth_ = 0;
    used_ = 0;
    states_ = StateIndex();
    looked_below_.clear();
}

bool DepthFirst::enter(const State& state) {
    // 1. Seen before, with at least as many moves to go?
    const auto left = depth_ - static_cast<std::uint32_t>(used_);
    std::optional<StateIndex::Number> number = states_.find(state);
    if (!number && states_.bytes() + looked_below_.size() * sizeof(std::uint32_t) < max_bytes_) {
        number = states_.insert(state).first;
        looked_below_.push_back(0);
    }
    if (number) {
        if (looked_below_[*number] > left) return false;
        looked_below_[*number] = left + 1;
    }
    // 2. An end, or too deep?
    if (const std::optional<int> goal = view_.end(state)) {
        found(*goal);
        return false;
    }
    if (left == 0) {
        cut_ = true;
        return false;
    }
    if (used_ == frames_.size()) frames_.emplace_back();
    Frame& frame = frames_[used_++];
    frame.state = state;
    frame.moves = view_.moves();
    frame.next = 0;
    for (std::size_t i = frame.moves.size(); random_ != nullptr && i > 1; --i) {
        std::swap(frame.moves[i - 1], frame.moves[random_->below(static_cast<std::uint32_t>(i))]);
    }
    return true;
}

bool DepthFirst::step() {
    if (exhausted_) return false;
    if (used_ == 0) {  // a new round
        if (depth_ > 0 && !cut_) {
            exhausted_ = true;
            return false;
        }
        if (depth_ >= max_depth_) return false;
        depth_ = depth_ == 0 ? first_depth_ : depth_ + 1;
        cut_ = false;
        enter(start_);
        if (used_ == 0) exhausted_ = true;
        return true;
    }
    Frame& frame = frames_[used_ - 1];
    if (frame.next == frame.moves.size()) {
        --used_;
        return true;
    }
    view_.next(frame.state, frame.moves[frame.next++], next_);
    enter(next_);
    return true;
}

void DepthFirst::found(int goal) {
    if (goal <= best_.goal) return;
    best_ = Plan{};
    best_.goal = goal;
    State after;
    for (std::size_t i = 0; i < used_; ++i) {
        const Frame& frame = frames_[i];
        view_.next(frame.state, frame.moves[frame.next - 1], after);
        best_.states.push_back(frame.state);
        best_.moves.push_back(view_.joint());
    }
}

}  // namespace stratagem::search
