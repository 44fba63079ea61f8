#include "machine/circuit/build_circuit.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "machine/circuit/circuit_machine.h"

namespace stratagem::machine {

namespace {

using Group = std::vector<Fluent>;

// More phases would cost more memory and time to build than they bring.
constexpr std::size_t most_phases = 8;
constexpr std::size_t observed_steps = 1000;

std::vector<Group> groups_of(const ground::Program& program) {
    std::map<std::pair<gdl::Symbol, std::uint32_t>, Group> by_name;
    for (std::uint32_t i = 0; i < program.fluents.size(); ++i) {
        const gdl::Term term = program.fluents[i];
        by_name[{program.terms.symbol(term), program.terms.arity(term)}].push_back(Fluent{i});
    }
    std::vector<Group> small;
    for (auto& [name, group] : by_name) {
        if (group.size() <= most_phases) small.push_back(std::move(group));
    }
    // Phases may go by two names, such as who is to place and who is to turn.
    std::vector<Group> groups;
    for (std::size_t i = 0; i < small.size(); ++i) {
        if (small[i].size() >= 2) groups.push_back(small[i]);
        for (std::size_t k = i + 1; k < small.size(); ++k) {
            if (small[i].size() + small[k].size() > most_phases) continue;
            Group both = small[i];
            both.insert(both.end(), small[k].begin(), small[k].end());
            groups.push_back(std::move(both));
        }
    }
    return groups;
}

bool exactly_one(const State& state, const Group& group) {
    return std::count_if(group.begin(), group.end(), [&](Fluent fluent) { return state.holds(fluent); }) == 1;
}

// Plays some random games and shows each state to `visit`. Returns the work of a step, on average.
template <typename Visitor>
double play(const std::shared_ptr<const Circuit>& circuit, const Deadline& deadline, Visitor&& visit) {
    CircuitMachine machine(circuit);
    Random random(1);
    std::vector<Move> joint(machine.role_count());
    const std::uint64_t before = machine.work();
    std::size_t steps = 0;
    for (; steps < observed_steps && !deadline.expired(); ++steps) {
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

std::vector<Circuit::Phase> phases_of(const std::shared_ptr<const ground::Program>& program, const Group& group,
                                      const GateOptions& options, const Deadline& deadline) {
    std::vector<Circuit::Phase> phases;
    for (const Fluent fluent : group) {
        Assumption assumption;
        for (const Fluent other : group) (other == fluent ? assumption.holds : assumption.fails).push_back(other);
        phases.push_back({fluent, std::make_shared<const Circuit>(program, deadline, assumption, options)});
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
        std::vector<Group> groups = groups_of(*program);
        double least = play(best, deadline, [&](const State& state) {
            std::erase_if(groups, [&](const Group& group) { return !exactly_one(state, group); });
        });
        std::erase_if(groups, [&](const Group& group) { return program->rule_count() * group.size() > largest; });
        const auto consider = [&](const GateOptions& tried, const Group& group) {
            const auto candidate = std::make_shared<Circuit>(program, deadline, Assumption{}, tried);
            if (!group.empty()) candidate->set_phases(phases_of(program, group, tried, deadline));
            const double work = play(candidate, deadline, [](const State&) {});
            if (work >= least || deadline.expired()) return false;
            least = work;
            best = candidate;
            return true;
        };
        Group chosen;
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
