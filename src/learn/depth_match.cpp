#include "learn/depth_match.h"

#include <algorithm>
#include <array>

#include "evaluate/feature_tree/fluent_sums.h"
#include "util/contract.h"

namespace stratagem::learn {

namespace {

using evaluate::feature_tree::FluentSums;
using machine::Move;
using machine::Role;
using machine::State;

constexpr std::int64_t sure = std::int64_t{1} << 60;  // more than any sum
constexpr std::int64_t beyond = 2 * sure;

Role other(Role role) { return Role{1 - ground::index(role)}; }

}  // namespace

// Looks ahead for one player.
class DepthTable::Searcher {
  public:
    Searcher(DepthTable& table, const DepthPlayer& player, Role role)
        : table_(table), machine_(*table.machine_), player_(player), role_(role), sums_(player.weights, 1) {
        for (const std::int64_t weight : player.weights) most_ += std::abs(weight);
        levels_.resize(table.settings_.depth);
    }

    // One of its best moves, all others choosing afterwards, and by chance among equals. Pre: it has a move, as has the
    // other one.
    Move choose(const State& state, machine::Random& random) {
        Level& level = levels_.front();
        ask(state, level);
        const std::vector<Move>& moves = level.legal[ground::index(role_)];
        Move chosen = moves.front();
        if (moves.size() == 1) return chosen;
        std::int64_t best = -beyond;
        std::uint32_t equals = 0;
        for (const Move move : moves) {
            // A window that tells equals from what is worse.
            const std::int64_t value = after(state, move, table_.settings_.depth, best - 1, beyond);
            if (value < best) continue;
            equals = value > best ? 1 : equals + 1;
            best = value;
            if (random.below(equals) == 0) chosen = move;
        }
        return chosen;
    }

  private:
    // What belongs to so many moves that are left to look at.
    struct Level {
        std::array<std::vector<Move>, 2> legal;
        State next;
    };

    void ask(const State& state, Level& level) {
        for (std::uint32_t role = 0; role < 2; ++role) machine_.legal(state, Role{role}, level.legal[role]);
    }

    // The least that the other one leaves after our move.
    std::int64_t after(const State& state, Move ours, std::size_t depth, std::int64_t alpha, std::int64_t beta) {
        Level& level = levels_[table_.settings_.depth - depth];
        std::array<Move, 2> joint{};
        joint[ground::index(role_)] = ours;
        std::int64_t worst = beyond;
        for (const Move theirs : level.legal[ground::index(other(role_))]) {
            joint[ground::index(other(role_))] = theirs;
            machine_.next(state, joint, level.next);
            worst = std::min(worst, value(level.next, depth - 1, alpha, std::min(beta, worst)));
            if (worst <= alpha) break;
        }
        return worst;
    }

    std::int64_t value(const State& state, std::size_t depth, std::int64_t alpha, std::int64_t beta) {
        if (machine_.terminal(state)) return of_end(state, depth);
        if (depth == 0) return sums_.move_to(state)[0] - player_.even;
        Level& level = levels_[table_.settings_.depth - depth];
        ask(state, level);
        std::int64_t best = -beyond;
        for (const Move move : level.legal[ground::index(role_)]) {
            best = std::max(best, after(state, move, depth, std::max(alpha, best), beta));
            if (best >= beta) break;
        }
        // Nobody moves where somebody cannot: judged as it stands.
        return best == -beyond || best == beyond ? sums_.move_to(state)[0] - player_.even : best;
    }

    // Sooner is better for who wins, and later for who loses.
    std::int64_t of_end(const State& state, std::size_t depth) {
        const double share = table_.share_of(state, role_);
        const auto left = static_cast<std::int64_t>(depth);
        if (share >= 1) return sure + left;
        if (share <= 0) return -sure - left;
        return static_cast<std::int64_t>((share - 0.5) * 2 * static_cast<double>(most_));
    }

    DepthTable& table_;
    machine::Machine& machine_;
    const DepthPlayer& player_;
    Role role_;
    FluentSums sums_;
    std::int64_t most_ = 0;  // of all sums
    std::vector<Level> levels_;
};

DepthTable::DepthTable(const machine::Game& game, const DepthMatch& settings)
    : machine_(game.make()), settings_(settings), least_(2, 100), most_(2, 0) {
    STRATAGEM_EXPECTS(game.program() != nullptr && game.roles().size() == 2 && settings.depth > 0);
    fluents_ = game.program()->fluents.size();
    for (const ground::GoalEntry& goal : game.program()->goals) {
        double& least = least_[ground::index(goal.role)];
        double& most = most_[ground::index(goal.role)];
        least = std::min(least, static_cast<double>(goal.value));
        most = std::max(most, static_cast<double>(goal.value));
    }
}

DepthTable::~DepthTable() = default;

double DepthTable::share_of(const State& state, Role role) {
    const std::uint32_t i = ground::index(role);
    const std::optional<int> goal = machine_->goal(state, role);
    if (!goal || least_[i] >= most_[i]) return 0.5;
    return (*goal - least_[i]) / (most_[i] - least_[i]);
}

std::optional<double> DepthTable::play(const DepthPlayer& first, const DepthPlayer& second, Role ours,
                                       std::uint64_t seed, const machine::Stop& stop,
                                       const std::function<void(const State&)>& see) {
    STRATAGEM_EXPECTS(first.weights.size() == fluents_ && second.weights.size() == fluents_);
    Searcher one(*this, first, ours), two(*this, second, other(ours));
    // Chance of each its own, so that what the one draws changes nothing for the other.
    machine::Random first_random(seed, 1), second_random(seed, 2), opening(seed, 3);
    State state = machine_->initial(), next;
    std::array<std::vector<Move>, 2> legal;
    for (std::size_t step = 0; step < settings_.longest; ++step) {
        if (stop.now()) return std::nullopt;
        if (see) see(state);
        if (machine_->terminal(state)) return 100 * share_of(state, ours);
        std::array<Move, 2> joint{};
        for (std::uint32_t role = 0; role < 2; ++role) {
            machine_->legal(state, Role{role}, legal[role]);
            if (legal[role].empty()) return std::nullopt;
            joint[role] = legal[role].front();
            if (step < settings_.opening) {
                joint[role] = legal[role][opening.below(static_cast<std::uint32_t>(legal[role].size()))];
            }
        }
        if (step >= settings_.opening) {
            if (legal[ground::index(ours)].size() > 1) joint[ground::index(ours)] = one.choose(state, first_random);
            if (legal[ground::index(other(ours))].size() > 1) {
                joint[ground::index(other(ours))] = two.choose(state, second_random);
            }
        }
        machine_->next(state, joint, next);
        std::swap(state, next);
    }
    return 50;
}

}  // namespace stratagem::learn
