#include "search/game_facts.h"

#include <algorithm>
#include <optional>

#include "machine/limits.h"
#include "machine/machine.h"
#include "machine/random.h"

namespace stratagem::search {

namespace {

using machine::Move;
using machine::Role;
using machine::State;

constexpr std::size_t enough_games = 300;
constexpr std::size_t longest_game = 10'000;  // a game that goes on longer tells nothing new
constexpr std::size_t enough_states = 1'000'000;
// The interpreter is slow, and where no clock ends observing these do.
constexpr std::size_t enough_interpreted_games = 20;
constexpr std::size_t enough_interpreted_states = 2'000;
constexpr int no_goal = 0;  // what a state without a goal value is worth

class Observer {
  public:
    Observer(const machine::Game& game, std::uint64_t seed) : game_(game), machine_(game.make()), random_(seed) {
        const std::size_t roles = machine_->role_count();
        facts_.roles = roles;
        legal_.resize(roles);
        joint_.resize(roles);
        had_choice_.assign(roles, false);
        goals_.assign(roles, no_goal);
        same_.assign(roles * roles, true);
        for (std::uint32_t role = 0; role < roles; ++role) {
            facts_.is_chance.push_back(machine_->role_name(Role{role}) == "random");
        }
        facts_.turn_taking = true;
    }

    GameFacts run(const machine::Stop& stop) {
        const bool few = !game_.is_quick() && stop.deadline.is_never();
        const std::size_t most_games = few ? enough_interpreted_games : enough_games;
        std::size_t most_states = few ? enough_interpreted_states : enough_states;
        if (!few && stop.deadline.is_never()) most_states = affordable_states();
        try {
            while (facts_.games < most_games && states_ < most_states && !stop.now()) {
                if (play(stop)) ++facts_.games;
            }
        } catch (const machine::LimitExceeded&) {  // what was seen before still counts
        }
        conclude();
        return std::move(facts_);
    }

  private:
    // Where no clock ends observing: each state costs in proportion to the rules.
    std::size_t affordable_states() const {
        constexpr std::size_t states_times_rules = 2'000'000'000;
        const std::size_t rules = game_.statistics().ground_rules;
        return std::clamp(states_times_rules / std::max<std::size_t>(1, rules), enough_interpreted_states,
                          enough_states);
    }

    // One random game; false when it was given up. A game that gets stuck counts: it ends there.
    bool play(const machine::Stop& stop) {
        state_ = machine_->initial();
        for (std::size_t steps = 0; steps < longest_game; ++steps) {
            if (machine_->terminal(state_)) {
                see_end(steps);
                return true;
            }
            if (steps % 16 == 0 && stop.now()) return false;
            if (!choose()) return true;
            machine_->next(state_, joint_, next_);
            std::swap(state_, next_);
        }
        facts_.longest = longest_game;
        return true;
    }

    bool choose() {
        double joint_moves = 1;
        std::size_t choosers = 0;
        for (std::uint32_t role = 0; role < joint_.size(); ++role) {
            machine_->legal(state_, Role{role}, legal_[role]);
            if (legal_[role].empty()) return false;
            joint_moves *= static_cast<double>(legal_[role].size());
            if (legal_[role].size() > 1) {
                ++choosers;
                had_choice_[role] = true;
            }
            joint_[role] = legal_[role][random_.below(static_cast<std::uint32_t>(legal_[role].size()))];
        }
        if (choosers > 1) facts_.turn_taking = false;
        joint_moves_ += joint_moves;
        ++states_;
        return true;
    }

    void see_end(std::size_t steps) {
        for (std::uint32_t role = 0; role < goals_.size(); ++role) {
            goals_[role] = machine_->goal(state_, Role{role}).value_or(no_goal);
        }
        for (std::size_t a = 0; a < goals_.size(); ++a) {
            for (std::size_t b = 0; b < goals_.size(); ++b) {
                if (goals_[a] != goals_[b]) same_[a * goals_.size() + b] = false;
            }
        }
        ends_.insert(ends_.end(), goals_.begin(), goals_.end());
        total_length_ += static_cast<double>(steps);
        facts_.longest = std::max(facts_.longest, steps);
        ++ended_;
    }

    // Over the roles for which `counts` holds.
    template <typename Counts>
    bool sums_are_equal(Counts&& counts) const {
        std::optional<int> first;
        for (std::size_t end = 0; end < ends_.size(); end += facts_.roles) {
            int sum = 0;
            for (std::size_t role = 0; role < facts_.roles; ++role) sum += counts(role) ? ends_[end + role] : 0;
            if (first.value_or(sum) != sum) return false;
            first = sum;
        }
        return first.has_value();
    }

    // Equal values that never change are no sign of friendship.
    bool varies(std::size_t role) const {
        for (std::size_t end = 0; end < ends_.size(); end += facts_.roles) {
            if (ends_[end + role] != ends_[role]) return true;
        }
        return false;
    }

    void conclude() {
        const std::size_t roles = facts_.roles;
        const auto plays = [this](std::size_t role) { return had_choice_[role] && !facts_.is_chance[role]; };
        for (std::size_t role = 0; role < roles; ++role) facts_.players += plays(role) ? 1U : 0U;
        facts_.constant_sum = sums_are_equal([this](std::size_t role) { return !facts_.is_chance[role]; });
        for (std::size_t end = 0; end < ends_.size(); end += roles) {
            int sum = 0;
            for (std::size_t role = 0; role < roles; ++role) sum += facts_.is_chance[role] ? 0 : ends_[end + role];
            facts_.least_sum = end == 0 ? sum : std::min(facts_.least_sum, sum);
            facts_.most_sum = end == 0 ? sum : std::max(facts_.most_sum, sum);
        }
        facts_.two_player_zero_sum = facts_.players == 2 && sums_are_equal(plays);
        for (std::uint32_t role = 0; role < roles; ++role) {
            std::uint32_t team = role;
            for (std::uint32_t other = 0; other < role && ended_ > 0; ++other) {
                const bool both_play = !facts_.is_chance[role] && !facts_.is_chance[other];
                if (both_play && varies(role) && same_[role * roles + other]) {
                    team = facts_.team[other];
                    break;
                }
            }
            facts_.team.push_back(team);
        }
        set_goal_ranges();
        if (states_ > 0) facts_.branching = joint_moves_ / static_cast<double>(states_);
        if (ended_ > 0) facts_.length = total_length_ / static_cast<double>(ended_);
    }

    // The ground rules name every goal value there can be; without them any value allowed by the language may come.
    void set_goal_ranges() {
        facts_.least_goal.assign(facts_.roles, 0);
        facts_.most_goal.assign(facts_.roles, 100);
        const std::shared_ptr<const ground::Program> program = game_.program();
        if (!program) return;
        std::vector<bool> seen(facts_.roles, false);
        for (const ground::GoalEntry& goal : program->goals) {
            const std::uint32_t role = ground::index(goal.role);
            facts_.least_goal[role] = seen[role] ? std::min(facts_.least_goal[role], goal.value) : goal.value;
            facts_.most_goal[role] = seen[role] ? std::max(facts_.most_goal[role], goal.value) : goal.value;
            seen[role] = true;
        }
        for (std::size_t role = 0; role < facts_.roles; ++role) {
            // No goal, or several at once, is worth nothing.
            facts_.least_goal[role] = std::min(seen[role] ? facts_.least_goal[role] : no_goal, no_goal);
            if (!seen[role]) facts_.most_goal[role] = no_goal;
        }
    }

    const machine::Game& game_;
    std::unique_ptr<machine::Machine> machine_;
    machine::Random random_;
    GameFacts facts_;
    State state_;
    State next_;
    std::vector<std::vector<Move>> legal_;
    std::vector<Move> joint_;
    std::vector<bool> had_choice_;
    std::vector<int> goals_;
    std::vector<int> ends_;   // goals of every end seen, role by role
    std::vector<bool> same_;  // by pair of roles: equal goals in every end seen
    double joint_moves_ = 0;
    std::size_t states_ = 0;
    double total_length_ = 0;
    std::size_t ended_ = 0;
};

}  // namespace

GameFacts observe(const machine::Game& game, const machine::Stop& stop, std::uint64_t seed) {
    return Observer(game, seed).run(stop);
}

}  // namespace stratagem::search
