#include "search/uct/single_games.h"

#include <algorithm>

namespace stratagem::search::uct {

namespace {

// A machine seen as one game that goes on.
struct CircuitPosition {
    machine::CircuitMachine& machine;

    bool terminal() const { return machine.terminal(); }
    std::span<const Move> legal(Role role) const { return machine.legal(role); }
    void advance(std::span<const Move> joint) { machine.advance(joint); }
    std::optional<int> goal(Role role) const { return machine.goal(role); }
    const State& state() const { return machine.current(); }
    static constexpr std::size_t steps_between_looks = 64;  // at the clock
};

struct AnyPosition {
    machine::Machine& machine;
    State& current;
    State& next;
    std::vector<Move>& moves;

    bool terminal() const { return machine.terminal(current); }
    std::span<const Move> legal(Role role) {
        machine.legal(current, role, moves);
        return moves;
    }
    void advance(std::span<const Move> joint) {
        machine.next(current, joint, next);
        std::swap(current, next);
    }
    std::optional<int> goal(Role role) const { return machine.goal(current, role); }
    const State& state() const { return current; }
    static constexpr std::size_t steps_between_looks = 1;
};

}  // namespace

Move SingleGames::choose(std::span<const Move> legal, machine::Random& random) const {
    const auto count = static_cast<std::uint32_t>(legal.size());
    if (count == 1) return legal.front();
    constexpr std::uint32_t parts = 1 << 16;
    if (averages_ == nullptr || random.below(parts) >= static_cast<std::uint32_t>(options_.greedy * parts)) {
        return legal[random.below(count)];
    }
    // From a random place on, so that equals are equal.
    const std::uint32_t first = random.below(count);
    Move best = legal[first];
    double best_value = averages_->value(best);
    for (std::uint32_t i = 1; i < count; ++i) {
        const Move move = legal[(first + i) % count];
        const double value = averages_->value(move);
        if (value > best_value) {
            best = move;
            best_value = value;
        }
    }
    return best;
}

template <typename Position>
SingleGames::End SingleGames::run(Position position, machine::Random& random, const machine::Stop& stop) {
    while (!position.terminal()) {
        if (steps_ >= options_.max_steps) return End::cut;
        if (steps_ % Position::steps_between_looks == 0 && steps_ > 0 && stop.now()) return End::stopped;
        for (std::uint32_t role = 0; role < joint_.size(); ++role) {
            const std::span<const Move> legal = position.legal(Role{role});
            if (legal.empty()) return End::stuck;
            joint_[role] = choose(legal, random);
        }
        if (options_.record) moves_.insert(moves_.end(), joint_.begin(), joint_.end());
        position.advance(joint_);
        ++steps_;
    }
    for (std::uint32_t role = 0; role < goals_.size(); ++role) goals_[role] = position.goal(Role{role}).value_or(0);
    return End::terminal;
}

bool SingleGames::play(const State& start, machine::Random& random, const machine::Stop& stop) {
    steps_ = 0;
    moves_.clear();
    std::ranges::fill(goals_, 0);
    End end = End::terminal;
    const State* last = &state_;
    if (circuit_ != nullptr) {
        circuit_->go_to(start);
        end = run(CircuitPosition{*circuit_}, random, stop);
        last = &circuit_->current();
    } else {
        state_ = start;
        end = run(AnyPosition{machine_, state_, next_, legal_}, random, stop);
    }
    ended_ = end == End::terminal || end == End::stuck;
    if (end != End::cut) return end != End::stopped;
    if (options_.opinions == nullptr) return false;
    for (std::uint32_t role = 0; role < goals_.size(); ++role) {
        goals_[role] = options_.opinions->value(*last, Role{role});
    }
    return true;
}

}  // namespace stratagem::search::uct
