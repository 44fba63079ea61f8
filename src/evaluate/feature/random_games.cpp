#include "evaluate/feature/random_games.h"

#include <algorithm>
#include <cmath>

#include "machine/circuit/circuit.h"
#include "machine/random_play.h"

namespace stratagem::evaluate::feature {

namespace {

struct Watcher : machine::PlayVisitor {
    static constexpr std::size_t longest = 200;

    Watcher(const std::function<void(machine::CircuitMachine&)>& each,
            const std::function<void(const std::vector<int>&)>& last)
        : see(each), end(last) {}

    bool on_state(machine::CircuitMachine& machine, std::size_t step) {
        see(machine);
        return step <= longest;
    }
    void on_end(machine::CircuitMachine& machine, machine::PlayoutEnd how, std::size_t) {
        if (how != machine::PlayoutEnd::terminal) return;
        std::vector<int> goals;
        for (std::uint32_t role = 0; role < machine.role_count(); ++role) {
            goals.push_back(machine.goal(machine::Role{role}).value_or(-1));
        }
        end(goals);
    }

    const std::function<void(machine::CircuitMachine&)>& see;
    const std::function<void(const std::vector<int>&)>& end;
};

}  // namespace

bool play_random_game(machine::CircuitMachine& machine, const analysis::NeutralOrder* order, machine::Random& random,
                      const machine::Stop& stop, const std::function<void(machine::CircuitMachine&)>& see,
                      const std::function<void(const std::vector<int>&)>& end) {
    machine.go_to(machine.initial());
    machine::PlayoutOptions options;
    options.stop = stop;
    machine::RandomJoint joint;
    std::size_t steps = 0;
    Watcher watcher(see, end);
    analysis::NeutralPosition position(machine, order);
    return machine::play_randomly(position, random, options, joint, steps, watcher) != machine::PlayoutEnd::stopped;
}

RandomGames::RandomGames(const std::shared_ptr<const machine::Circuit>& circuit, const analysis::Findings* analysis,
                         const machine::Stop& stop)
    : order(analysis != nullptr && analysis->samples() != nullptr
                ? analysis->samples()->order()
                : std::make_shared<const analysis::NeutralOrder>(circuit->program(), stop)),
      often(circuit->program().fluents.size(), 0),
      moves(circuit->program().roles.size(), 1),
      goals_defined(circuit->program().roles.size(), true) {
    constexpr std::size_t games = 30, most_states = 600;
    machine::CircuitMachine machine(circuit);
    machine::Random random(1);
    const std::size_t roles = moves.size();
    std::vector<double> choices(roles, 0), sum(roles, 0);
    std::vector<std::optional<int>> first(roles);
    std::vector<bool> differs(roles, false);
    std::size_t states = 0;
    const auto see = [&](machine::CircuitMachine& at) {
        ++states;
        at.current().for_each([&](ground::Fluent fluent) { often[ground::index(fluent)] += 1; });
        for (std::uint32_t role = 0; role < roles; ++role) {
            const std::size_t count = at.legal(machine::Role{role}).size();
            if (count > 1) {
                choices[role] += 1;
                sum[role] += static_cast<double>(count);
            }
            const std::optional<int> now = at.goal(machine::Role{role});
            if (!now) goals_defined[role] = false;
            if (!first[role]) first[role] = now;
            if (now != first[role]) differs[role] = true;
        }
    };
    for (std::size_t game = 0; game < games && states < most_states; ++game) {
        if (!play_random_game(machine, order.get(), random, stop, see, [](const std::vector<int>&) {})) break;
    }
    for (std::size_t role = 0; role < roles; ++role) {
        if (choices[role] > 0) moves[role] = sum[role] / choices[role];
        goals_defined[role] = goals_defined[role] && differs[role];
    }
}

void Correlation::add(double x, double y) {
    ++count_;
    x_ += x;
    y_ += y;
    xx_ += x * x;
    yy_ += y * y;
    xy_ += x * y;
}

double Correlation::value() const {
    const auto n = static_cast<double>(count_);
    const double by_x = n * xx_ - x_ * x_, by_y = n * yy_ - y_ * y_;
    // What is always the same differs by rounding still, and by the more the more of it was added up.
    constexpr double rounding = 1e-9;
    if (by_x <= rounding * n * xx_ || by_y <= rounding * n * yy_) return 0;
    return (n * xy_ - x_ * y_) / std::sqrt(by_x * by_y);
}

Mobility::Memory Mobility::make_memory() const {
    return {std::make_unique<machine::CircuitMachine>(circuit_), std::vector<double>(mean_.size(), 1)};
}

void Mobility::count(const machine::State& state, Memory& memory) const {
    memory.machine->go_to(state);
    count(*memory.machine, memory.moves);
}

void Mobility::count(const machine::CircuitMachine& machine, std::vector<double>& moves) const {
    moves.resize(mean_.size());
    bool choice = false;
    for (std::uint32_t role = 0; role < mean_.size(); ++role) {
        const std::size_t count = machine.legal(machine::Role{role}).size();
        choice = choice || count > 1;
        moves[role] = static_cast<double>(count);
    }
    for (std::size_t role = 0; role < mean_.size(); ++role) {
        moves[role] = choice && moves[role] <= 1 ? 1 : moves[role] / mean_[role];
    }
}

double lead(const std::vector<double>& by_role, std::size_t role) {
    double others = 0;
    for (std::size_t other = 0; other < by_role.size(); ++other) others += other == role ? 0 : by_role[other];
    return by_role[role] - (by_role.size() > 1 ? others / static_cast<double>(by_role.size() - 1) : 0);
}

}  // namespace stratagem::evaluate::feature
