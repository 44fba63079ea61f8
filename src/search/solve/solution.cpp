#include "search/solve/solution.h"

#include <algorithm>
#include <queue>

#include "search/common/pacer.h"
#include "util/contract.h"

namespace stratagem::search {

Solution::Solution(const StateSpace& space, const analysis::GameKind& facts)
    : space_(&space), facts_(&facts), roles_(facts.roles) {
    values_.assign(space.size() * roles_, 0);
    steps_.assign(space.size(), 0);
    settled_.assign(space.size(), 0);
}

std::optional<Solution> Solution::find(const StateSpace& space, const analysis::GameKind& facts,
                                       const machine::Stop& stop) {
    STRATAGEM_EXPECTS(space.status() == StateSpace::Status::complete);
    Solution solution(space, facts);
    solution.reverse_edges();
    if (!solution.induce(stop)) return std::nullopt;
    const bool all = std::find(solution.settled_.begin(), solution.settled_.end(), 0) == solution.settled_.end();
    if (!all && !solution.settle_cycles(stop)) return std::nullopt;
    solution.find_sure_roles();
    // Only needed while solving.
    solution.before_ = {};
    solution.first_before_ = {};
    return solution;
}

void Solution::reverse_edges() {
    first_before_.assign(space_->size() + 1, 0);
    for (Number number = 0; number < space_->size(); ++number) {
        for (const Number after : space_->successors(number)) ++first_before_[after + 1];
    }
    for (std::size_t i = 0; i < space_->size(); ++i) first_before_[i + 1] += first_before_[i];
    before_.resize(space_->edge_count());
    std::vector<std::size_t> place(first_before_.begin(), first_before_.end() - 1);
    for (Number number = 0; number < space_->size(); ++number) {
        for (const Number after : space_->successors(number)) before_[place[after]++] = number;
    }
}

bool Solution::induce(const machine::Stop& stop) {
    Pacer pacer(stop);
    std::vector<std::uint32_t> waits_for(space_->size());
    std::vector<Number> ready;
    for (Number number = 0; number < space_->size(); ++number) {
        waits_for[number] = static_cast<std::uint32_t>(space_->successors(number).size());
        if (waits_for[number] == 0) ready.push_back(number);
    }
    while (!ready.empty()) {
        if (pacer.due()) return false;
        const Number number = ready.back();
        ready.pop_back();
        settle(number);
        for (std::size_t i = first_before_[number]; i < first_before_[number + 1]; ++i) {
            if (--waits_for[before_[i]] == 0) ready.push_back(before_[i]);
        }
    }
    return true;
}

// Pre: all successors are settled.
void Solution::settle(Number number) {
    settled_[number] = 1;
    const std::span<const Number> after = space_->successors(number);
    STRATAGEM_EXPECTS(std::ranges::all_of(after, [this](Number next) { return settled_[next] != 0; }));
    if (after.empty()) {
        const std::span<const std::int16_t> goals = space_->goals(number);
        for (std::size_t role = 0; role < roles_; ++role) at(number, role) = goals[role];
        return;
    }
    const std::optional<std::uint32_t> mover = space_->mover(number);
    if (mover && facts_->is_chance[*mover]) {
        used_mean_ = true;
        for (const Number next : after) {
            for (std::size_t role = 0; role < roles_; ++role) at(number, role) += at(next, role);
            steps_[number] = std::max(steps_[number], steps_[next] + 1);
        }
        for (std::size_t role = 0; role < roles_; ++role) at(number, role) /= static_cast<float>(after.size());
        return;
    }
    Number chosen = after[0];
    for (const Number next : after) {
        if (mover && prefers(next, chosen, *mover)) chosen = next;
    }
    for (std::size_t role = 0; role < roles_; ++role) at(number, role) = at(chosen, role);
    steps_[number] = steps_[chosen] + 1;
}

bool Solution::prefers(Number a, Number b, std::uint32_t role) const {
    const float value = at(a, role);
    if (value != at(b, role)) return value > at(b, role);
    const float middle = static_cast<float>(facts_->least_goal[role] + facts_->most_goal[role]) / 2;
    if (value > middle) return steps_[a] < steps_[b];
    return value < middle && steps_[a] > steps_[b];
}

// The two who move, and the goal values there are; false unless there are two whose goal values add up to the same.
bool Solution::find_players() {
    std::vector<std::uint32_t> players;
    for (Number number = 0; number < space_->size(); ++number) {
        const std::optional<std::uint32_t> mover = space_->mover(number);
        if (!mover || std::find(players.begin(), players.end(), *mover) != players.end()) continue;
        if (players.size() == 2 || facts_->is_chance[*mover]) return false;
        players.push_back(*mover);
    }
    if (players.empty()) return false;
    we_ = players[0];
    they_ = players.size() == 2 ? std::optional(players[1]) : std::nullopt;
    if (players.size() == 1 && roles_ == 2 && !facts_->is_chance[1 - we_]) they_ = 1 - we_;  // who never has a choice
    bool first = true;
    for (Number number = 0; number < space_->size(); ++number) {
        if (!space_->is_end(number)) continue;
        const std::span<const std::int16_t> goals = space_->goals(number);
        const auto sum = static_cast<float>(goals[we_] + (they_ ? goals[*they_] : 0));
        if (they_ && !first && sum != sum_) return false;
        sum_ = sum;
        first = false;
        goals_.push_back(goals[we_]);
    }
    std::sort(goals_.begin(), goals_.end());
    goals_.erase(std::unique(goals_.begin(), goals_.end()), goals_.end());
    if (goals_.empty()) return false;
    least_ = goals_.front();
    most_ = goals_.back();
    return true;
}

void Solution::find_sure_roles() {
    std::vector<bool> moves(roles_, false);
    for (Number number = 0; number < space_->size(); ++number) {
        const std::optional<std::uint32_t> mover = space_->mover(number);
        if (mover && !facts_->is_chance[*mover]) moves[*mover] = true;
    }
    sure_.assign(roles_, false);
    for (std::uint32_t role = 0; role < roles_; ++role) {
        std::vector<std::uint32_t> others;
        for (std::uint32_t other = 0; other < roles_; ++other) {
            if (other != role && moves[other]) others.push_back(other);
        }
        sure_[role] = others.empty() || (others.size() == 1 && have_constant_sum(role, others[0]));
    }
}

bool Solution::have_constant_sum(std::uint32_t a, std::uint32_t b) const {
    std::optional<int> sum;
    for (Number number = 0; number < space_->size(); ++number) {
        if (!space_->is_end(number)) continue;
        const std::span<const std::int16_t> goals = space_->goals(number);
        if (sum.value_or(goals[a] + goals[b]) != goals[a] + goals[b]) return false;
        sum = goals[a] + goals[b];
    }
    return true;
}

bool Solution::settle_cycles(const machine::Stop& stop) {
    if (!find_players()) return false;
    open_place_.assign(space_->size(), not_open);
    for (Number number = 0; number < space_->size(); ++number) {
        if (settled_[number] != 0) continue;
        open_place_[number] = static_cast<std::uint32_t>(open_.size());
        open_.push_back(number);
    }
    bounds_.resize(open_.size());
    for (auto goal = goals_.rbegin(); goal != goals_.rend(); ++goal) {
        if (!force(true, *goal, stop)) return false;
    }
    for (const float goal : goals_) {
        if (!force(false, goal, stop)) return false;
    }
    settle_from_bounds();
    return true;
}

// The states on cycles from which one side can force an end worth at least (we) or at most (they) this goal, nearest to
// the end first.
bool Solution::force(bool ours, float goal, const machine::Stop& stop) {
    Pacer pacer(stop);
    const std::optional<std::uint32_t> forcing = ours ? we_ : they_;
    const auto known = [&](const Bound& b) { return ours ? b.at_least >= goal : b.at_most <= goal; };
    const auto steps = [&](const Bound& b) { return ours ? b.steps_to_least : b.steps_to_most; };
    using Reached = std::pair<std::uint32_t, Number>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> reached;
    std::vector<std::uint32_t> waits_for(open_.size());
    std::vector<std::uint8_t> queued(space_->size(), 0);
    for (std::size_t i = 0; i < open_.size(); ++i) {
        const std::span<const Number> after = space_->successors(open_[i]);
        waits_for[i] = static_cast<std::uint32_t>(after.size());
        if (known(bounds_[i])) {
            reached.emplace(steps(bounds_[i]), open_[i]);
            queued[open_[i]] = 1;
        }
        for (const Number next : after) {
            if (settled_[next] == 0 || queued[next] != 0 || !known(bound(next))) continue;
            queued[next] = 1;
            reached.emplace(steps(bound(next)), next);
        }
    }
    while (!reached.empty()) {
        if (pacer.due()) return false;
        const auto [distance, number] = reached.top();
        reached.pop();
        for (std::size_t i = first_before_[number]; i < first_before_[number + 1]; ++i) {
            const Number before = before_[i];
            if (settled_[before] != 0 || queued[before] != 0) continue;
            const std::uint32_t place = open_place_[before];
            --waits_for[place];
            const std::optional<std::uint32_t> mover = space_->mover(before);
            const bool chooses = mover && mover == forcing;
            if (!chooses && waits_for[place] > 0) continue;
            (ours ? bounds_[place].at_least : bounds_[place].at_most) = goal;
            (ours ? bounds_[place].steps_to_least : bounds_[place].steps_to_most) = distance + 1;
            queued[before] = 1;
            reached.emplace(distance + 1, before);
        }
    }
    return true;
}

Solution::Bound Solution::bound(Number number) const {
    if (const std::optional<std::uint32_t> place = open_place(number)) return bounds_[*place];
    const float value = at(number, we_);
    return {value, value, steps_[number], steps_[number]};
}

void Solution::settle_from_bounds() {
    const float middle = static_cast<float>(facts_->least_goal[we_] + facts_->most_goal[we_]) / 2;
    for (std::size_t i = 0; i < open_.size(); ++i) {
        Bound& b = bounds_[i];
        // Whoever can force the best there is for him leaves nothing open.
        if (b.at_least == most_) {
            b.at_most = most_;
            b.steps_to_most = b.steps_to_least;
        } else if (b.at_most == least_) {
            b.at_least = least_;
            b.steps_to_least = b.steps_to_most;
        }
        const bool exact = b.at_least == b.at_most;
        const float value = exact ? b.at_least : middle;
        at(open_[i], we_) = value;
        if (they_) at(open_[i], *they_) = sum_ - value;
        steps_[open_[i]] = value < middle ? b.steps_to_most : b.steps_to_least;
        settled_[open_[i]] = exact ? 1 : 0;
        open_count_ += exact ? 0U : 1U;
    }
}

// For us: more that can be forced, then nearer to it; a sure loss as far away as can be. For them the other way round.
bool Solution::prefers_on_cycle(Number a, Number b, bool ours) const {
    const Bound x = bound(a);
    const Bound y = bound(b);
    if (ours) {
        if (x.at_least != y.at_least) return x.at_least > y.at_least;
        if (x.at_most != y.at_most) return x.at_most > y.at_most;
        const bool lost = x.at_most == least_ && x.at_least != most_;
        return lost ? x.steps_to_most > y.steps_to_most : x.steps_to_least < y.steps_to_least;
    }
    if (x.at_most != y.at_most) return x.at_most < y.at_most;
    if (x.at_least != y.at_least) return x.at_least < y.at_least;
    const bool lost = x.at_least == most_ && x.at_most != least_;
    return lost ? x.steps_to_least > y.steps_to_least : x.steps_to_most < y.steps_to_most;
}

std::size_t Solution::best(Number number) const {
    const std::span<const Number> after = space_->successors(number);
    STRATAGEM_EXPECTS(!after.empty());
    const std::optional<std::uint32_t> mover = space_->mover(number);
    std::size_t chosen = 0;
    if (!mover) return chosen;  // there is only one
    const bool on_cycle = open_place(number).has_value();
    for (std::size_t i = 1; i < after.size(); ++i) {
        const bool better = on_cycle ? prefers_on_cycle(after[i], after[chosen], *mover == we_)
                                     : prefers(after[i], after[chosen], *mover);
        if (better) chosen = i;
    }
    return chosen;
}

Solution::Value Solution::value(Number number, std::uint32_t role) const {
    const bool on_cycle = open_place(number).has_value();
    const bool known = !on_cycle || role == we_ || role == they_;
    return {known ? double{at(number, role)} : 50.0, settled_[number] != 0 && known, steps_[number]};
}

}  // namespace stratagem::search
