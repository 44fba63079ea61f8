#include "analysis/game_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/claims.h"
#include "machine/playout.h"

namespace stratagem::analysis {

namespace {

constexpr std::size_t enough_games = 300;
constexpr std::size_t longest_game = 10'000;  // a game that goes on longer tells nothing new
constexpr std::size_t enough_states = 1'000'000;
// The interpreter is slow, and where no clock ends observing these do.
constexpr std::size_t enough_interpreted_games = 20;
constexpr std::size_t enough_interpreted_states = 2'000;
constexpr int no_goal = 0;  // what a state without a goal value is worth

// The ground rules name every goal value there can be; without them any value allowed by the language may come.
void set_goal_ranges(const machine::Game& game, GameKind& kind) {
    kind.least_goal.assign(kind.roles, 0);
    kind.most_goal.assign(kind.roles, 100);
    const std::shared_ptr<const ground::Program> program = game.program();
    if (!program) return;
    std::vector<bool> seen(kind.roles, false);
    for (const ground::GoalEntry& goal : program->goals) {
        const std::uint32_t role = ground::index(goal.role);
        kind.least_goal[role] = seen[role] ? std::min(kind.least_goal[role], goal.value) : goal.value;
        kind.most_goal[role] = seen[role] ? std::max(kind.most_goal[role], goal.value) : goal.value;
        seen[role] = true;
    }
    for (std::size_t role = 0; role < kind.roles; ++role) {
        // No goal, or several at once, is worth nothing.
        kind.least_goal[role] = std::min(seen[role] ? kind.least_goal[role] : no_goal, no_goal);
        if (!seen[role]) kind.most_goal[role] = no_goal;
    }
}

class Observer : public machine::PlayVisitor {
  public:
    Observer(const machine::Game& game, std::uint64_t seed)
        : game_(game), machine_(game.make()), random_(seed), kind_(unobserved(game)) {
        const std::size_t roles = kind_.roles;
        had_choice_.assign(roles, false);
        goals_.assign(roles, no_goal);
        same_.assign(roles * roles, true);
    }

    GameKind run(const machine::Stop& stop) {
        const bool few = !game_.is_quick() && stop.deadline.is_never();
        const std::size_t most_games = few ? enough_interpreted_games : enough_games;
        std::size_t most_states = few ? enough_interpreted_states : enough_states;
        if (!few && stop.deadline.is_never()) most_states = affordable_states();
        const auto enough = [&] { return kind_.games >= most_games || kind_.states >= most_states; };
        machine::RandomPlay play(*machine_);
        const machine::PlayoutOptions options{longest_game, false, stop};
        try {
            while (!enough() && !stop.now()) {
                // A game that gets stuck counts: it ends there.
                const machine::PlayoutEnd end = play.play(random_, options, machine_->initial(), *this).end;
                if (end == machine::PlayoutEnd::stopped) continue;
                if (end == machine::PlayoutEnd::too_long) kind_.longest = longest_game;
                ++kind_.games;
            }
            kind_.complete = enough();
        } catch (const machine::LimitExceeded&) {  // what was seen before still counts
        }
        conclude();
        return std::move(kind_);
    }

    void on_moves(machine::MachinePosition&, const machine::RandomJoint& joint) {
        double joint_moves = 1;
        std::size_t choosers = 0;
        for (std::size_t role = 0; role < joint.legal.size(); ++role) {
            joint_moves *= static_cast<double>(joint.legal[role].size());
            if (joint.legal[role].size() < 2) continue;
            ++choosers;
            had_choice_[role] = true;
        }
        if (choosers > 1) kind_.turn_taking = Verdict::refuted;
        joint_moves_ += joint_moves;
        ++kind_.states;
    }

    void on_end(machine::MachinePosition& position, machine::PlayoutEnd end, std::size_t steps) {
        if (end != machine::PlayoutEnd::terminal) return;
        for (std::uint32_t role = 0; role < goals_.size(); ++role) {
            goals_[role] = position.goal(Role{role}).value_or(no_goal);
        }
        for (std::size_t a = 0; a < goals_.size(); ++a) {
            for (std::size_t b = 0; b < goals_.size(); ++b) {
                if (goals_[a] != goals_[b]) same_[a * goals_.size() + b] = false;
            }
        }
        ends_.insert(ends_.end(), goals_.begin(), goals_.end());
        total_length_ += static_cast<double>(steps);
        kind_.longest = std::max(kind_.longest, steps);
        ++ended_;
    }

  private:
    // Where no clock ends observing: each state costs in proportion to the rules.
    std::size_t affordable_states() const {
        constexpr std::size_t states_times_rules = 2'000'000'000;
        const std::size_t rules = game_.statistics().ground_rules;
        return std::clamp(states_times_rules / std::max<std::size_t>(1, rules), enough_interpreted_states,
                          enough_states);
    }

    // Over the roles for which `counts` holds.
    template <typename Counts>
    Verdict sums_are_equal(Counts&& counts) const {
        std::optional<int> first;
        for (std::size_t end = 0; end < ends_.size(); end += kind_.roles) {
            int sum = 0;
            for (std::size_t role = 0; role < kind_.roles; ++role) sum += counts(role) ? ends_[end + role] : 0;
            if (first.value_or(sum) != sum) return Verdict::refuted;
            first = sum;
        }
        return first ? Verdict::observed : Verdict::unknown;
    }

    // Equal values that never change are no sign of friendship.
    bool varies(std::size_t role) const {
        for (std::size_t end = 0; end < ends_.size(); end += kind_.roles) {
            if (ends_[end + role] != ends_[role]) return true;
        }
        return false;
    }

    void conclude() {
        const std::size_t roles = kind_.roles;
        const auto plays = [this](std::size_t role) { return had_choice_[role] && !kind_.is_chance[role]; };
        for (std::size_t role = 0; role < roles; ++role) kind_.players += plays(role) ? 1U : 0U;
        if (kind_.turn_taking != Verdict::refuted && kind_.states > 0) kind_.turn_taking = Verdict::observed;
        kind_.constant_sum = sums_are_equal([this](std::size_t role) { return !kind_.is_chance[role]; });
        for (std::size_t end = 0; end < ends_.size(); end += roles) {
            int sum = 0;
            for (std::size_t role = 0; role < roles; ++role) sum += kind_.is_chance[role] ? 0 : ends_[end + role];
            kind_.least_sum = end == 0 ? sum : std::min(kind_.least_sum, sum);
            kind_.most_sum = end == 0 ? sum : std::max(kind_.most_sum, sum);
        }
        if (kind_.players == 2) kind_.two_player_zero_sum = sums_are_equal(plays);
        if (kind_.players > 2) kind_.two_player_zero_sum = Verdict::refuted;
        find_teams();
        if (kind_.states > 0) kind_.branching = joint_moves_ / static_cast<double>(kind_.states);
        if (ended_ > 0) kind_.length = total_length_ / static_cast<double>(ended_);
    }

    void find_teams() {
        for (std::uint32_t role = 0; role < kind_.roles; ++role) {
            for (std::uint32_t other = 0; other < role && ended_ > 0; ++other) {
                const bool both_play = !kind_.is_chance[role] && !kind_.is_chance[other];
                if (both_play && varies(role) && same_[role * kind_.roles + other]) {
                    kind_.team[role] = kind_.team[other];
                    break;
                }
            }
        }
    }

    const machine::Game& game_;
    std::unique_ptr<machine::Machine> machine_;
    machine::Random random_;
    GameKind kind_;
    std::vector<bool> had_choice_;
    std::vector<int> goals_;
    std::vector<int> ends_;   // goals of every end seen, role by role
    std::vector<bool> same_;  // by pair of roles: equal goals in every end seen
    double joint_moves_ = 0;
    double total_length_ = 0;
    std::size_t ended_ = 0;
};

}  // namespace

GameKind unobserved(const machine::Game& game) {
    GameKind kind;
    kind.roles = game.roles().size();
    for (std::uint32_t role = 0; role < kind.roles; ++role) {
        kind.is_chance.push_back(machine::is_chance(game, Role{role}));
        kind.team.push_back(role);
    }
    set_goal_ranges(game, kind);
    return kind;
}

GameKind observe(const machine::Game& game, const machine::Stop& stop, std::uint64_t seed) {
    return Observer(game, seed).run(stop);
}

bool GameKind::has_chance() const { return std::ranges::find(is_chance, true) != is_chance.end(); }

void GameKind::add_turn_taking(Verdict verdict) {
    if (verdict == Verdict::proved || verdict == Verdict::refuted) turn_taking = verdict;
}

void GameKind::add_goal_sum(const GoalSum& sum) {
    if (sum.constant == Verdict::proved) {
        constant_sum = Verdict::proved;
        least_sum = most_sum = *sum.sum;
        // Of more roles than two one may have a choice that was never seen.
        const bool two = std::ranges::count(is_chance, false) == 2 && players == 2;
        if (two) two_player_zero_sum = Verdict::proved;
    } else if (sum.constant == Verdict::refuted && constant_sum == Verdict::observed && sum.witness_sum != most_sum) {
        constant_sum = Verdict::refuted;
        least_sum = std::min(least_sum, sum.witness_sum);
        most_sum = std::max(most_sum, sum.witness_sum);
        if (std::ranges::count(is_chance, false) == 2 && two_player_zero_sum == Verdict::observed) {
            two_player_zero_sum = Verdict::refuted;
        }
    }
}

std::string to_text(const GameKind& kind) {
    const auto sure = [](Verdict verdict) { return verdict == Verdict::proved ? ", proved" : ""; };
    const std::string sum = holds(kind.two_player_zero_sum) ? fmt::format("zero-sum{}", sure(kind.two_player_zero_sum))
                            : holds(kind.constant_sum)      ? fmt::format("constant sum{}", sure(kind.constant_sum))
                                                            : "any sum";
    const std::string turns =
        holds(kind.turn_taking) ? fmt::format("in turns{}", sure(kind.turn_taking)) : "at the same time";
    return fmt::format(
        "{} of {} roles choose, {}, {}, {:.1f} joint moves a state, {:.0f} moves a game (seen in {} games)",
        kind.players, kind.roles, turns, sum, kind.branching, kind.length, kind.games);
}

}  // namespace stratagem::analysis
