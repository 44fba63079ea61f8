#include "machine/circuit/build_circuit.h"

#include <algorithm>
#include <stdexcept>

#include "machine/circuit/circuit_machine.h"
#include "machine/circuit/phase_groups.h"

namespace stratagem::machine {

namespace {

constexpr std::size_t observed_steps = 1000;
constexpr std::uint64_t observed_work = 100'000'000;  // of the steps together; large games need fewer to be known

// Plays some random games and shows each state to `visit`. Returns the work of a step, on average.
template <typename Visitor>
double play(const std::shared_ptr<const Circuit>& circuit, const Deadline& deadline, Visitor&& visit) {
    CircuitMachine machine(circuit);
    Random random(1);
    std::vector<Move> joint(machine.role_count());
    const std::uint64_t before = machine.work();
    std::size_t steps = 0;
    for (; steps < observed_steps && machine.work() - before < observed_work && !deadline.expired(); ++steps) {
        visit(machine.current());
        bool over = machine.terminal();
        for (std::uint32_t role = 0; role < joint.size() && !over; ++role) {
            const auto moves = machine.legal(Role{role});
            over = moves.empty();
            if (!over) joint[role] = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
        }
        if (over) {
            machine.go_to(machine.initial());
        } else {
            machine.advance(joint);
        }
    }
    return static_cast<double>(machine.work() - before) / static_cast<double>(std::max<std::size_t>(1, steps));
}

std::vector<Circuit::Phase> phases_of(const std::shared_ptr<const ground::Program>& program, const PhaseGroup& group,
                                      const GateOptions& options, const Deadline& deadline) {
    std::vector<Circuit::Phase> phases;
    for (std::size_t i = 0; i < group.size(); ++i) {
        phases.push_back({group[i], std::make_shared<const Circuit>(program, deadline, assume(group, i), options)});
    }
    return phases;
}

}  // namespace

std::shared_ptr<const Circuit> build_circuit(std::shared_ptr<const ground::Program> program, const Deadline& deadline) {
    // Trying variants of a very large game takes longer than it saves, and so does factoring it to the end.
    constexpr std::size_t largest = 1'000'000;
    GateOptions options;
    if (program->rule_count() > largest) options.factor_rounds = 2;
    std::shared_ptr<Circuit> best = std::make_shared<Circuit>(program, deadline, Assumption{}, options);
    if (program->rule_count() > largest) return best;
    try {
        std::vector<PhaseGroup> groups = phase_groups(*program);
        double least = play(best, deadline, [&](const State& state) {
            std::erase_if(groups, [&](const PhaseGroup& group) { return !exactly_one(state, group); });
        });
        std::erase_if(groups, [&](const PhaseGroup& group) { return program->rule_count() * group.size() > largest; });
        const auto consider = [&](const GateOptions& tried, const PhaseGroup& group) {
            const auto candidate = std::make_shared<Circuit>(program, deadline, Assumption{}, tried);
            if (!group.empty()) candidate->set_phases(phases_of(program, group, tried, deadline));
            const double work = play(candidate, deadline, [](const State&) {});
            if (work >= least || deadline.expired()) return false;
            least = work;
            best = candidate;
            return true;
        };
        PhaseGroup chosen;
        constexpr std::size_t most_tried = 4;
        for (std::size_t i = 0; i < groups.size() && i < most_tried; ++i) {
            if (consider(options, groups[i])) chosen = groups[i];
        }
        GateOptions other = options;
        other.factor_state = false;
        if (consider(other, chosen)) options = other;
        other = options;
        other.flatten_shared = true;
        consider(other, chosen);
    } catch (const std::runtime_error&) {
        // No time for more variants: the best so far does everything.
    }
    return best;
}

}  // namespace stratagem::machine
