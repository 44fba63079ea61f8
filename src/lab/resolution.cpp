#include "lab/resolution.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "evaluate/neural/neural_evaluator.h"
#include "machine/circuit/circuit.h"
#include "util/contract.h"

namespace stratagem::lab {

namespace {

namespace neural = evaluate::neural;
using machine::Machine;
using machine::Move;
using machine::Role;
using machine::State;
using Goal = neural::DomainTheory::Goal;

struct FirstStates {
    std::vector<State> states;
    bool all = true;
};

// Every state one joint move away, once.
FirstStates first_states(Machine& machine, std::size_t most, const machine::Stop& stop) {
    FirstStates result;
    std::vector<std::vector<Move>> legal(machine.role_count());
    for (std::uint32_t role = 0; role < legal.size(); ++role) {
        machine.legal(machine.initial(), Role{role}, legal[role]);
        if (legal[role].empty()) return result;
    }
    std::unordered_multimap<std::uint64_t, std::size_t> known;  // by hash
    std::vector<std::size_t> place(legal.size(), 0);
    std::vector<Move> joint(legal.size());
    State next;
    std::size_t tried = 0;
    for (bool more = true; more;) {
        // Joint moves of many roles may be more than can be tried, however few states they lead to.
        if (result.states.size() >= most || tried++ >= 20 * most || stop.now()) {
            result.all = false;
            return result;
        }
        for (std::size_t i = 0; i < joint.size(); ++i) joint[i] = legal[i][place[i]];
        machine.next(machine.initial(), joint, next);
        const auto [begin, end] = known.equal_range(next.hash());
        if (std::none_of(begin, end, [&](const auto& one) { return result.states[one.second] == next; })) {
            known.emplace(next.hash(), result.states.size());
            result.states.push_back(next);
        }
        more = false;
        for (std::size_t i = joint.size(); i-- > 0 && !more;) {
            more = ++place[i] < legal[i].size();
            if (!more) place[i] = 0;
        }
    }
    return result;
}

// Of the first role that has goals: 100, or the greatest.
const Goal* chosen_goal(std::span<const Goal> goals) {
    const Goal* best = nullptr;
    for (const Goal& goal : goals) {
        if (best != nullptr && goal.role != best->role) break;
        if (best == nullptr || best->value != 100) best = &goal;
    }
    return best;
}

Spread spread_of(const neural::NeuralEvaluator& evaluator, const Goal& goal, std::span<const State> states) {
    std::vector<double> outputs;
    outputs.reserve(states.size());
    neural::Work work(evaluator);
    for (const State& state : states) {
        work.move_to(state);
        outputs.push_back(evaluator.goals().answer(work.goals(), goal.condition));
    }
    Spread result;
    if (outputs.empty()) return result;
    std::ranges::sort(outputs);
    result.lowest = outputs.front();
    result.highest = outputs.back();
    double last = outputs.front();
    result.distinct = 1;
    for (const double output : outputs) {
        if (output - last < least_difference) continue;
        ++result.distinct;
        last = output;
    }
    return result;
}

}  // namespace

double Spread::log_interval() const { return std::log10(std::max(interval(), least_interval)); }

std::optional<Resolution> measure_resolution(const machine::Game& game, const ResolutionSettings& settings,
                                             std::string& why) {
    STRATAGEM_EXPECTS(game.program() != nullptr);
    const auto in_time = [&] {
        return machine::Stop{Deadline::after(std::chrono::duration<double>(settings.seconds)), settings.abort};
    };
    const std::unique_ptr<Machine> machine = game.make();
    const FirstStates first = first_states(*machine, settings.most_states, in_time());
    Resolution result;
    result.states = first.states.size();
    result.all_states = first.all;
    for (std::size_t i = 0; i < transformations.size(); ++i) {
        neural::Settings network;
        network.transformation.kind = transformations[i].kind;
        network.aggregation = neural::Settings::Aggregation::sum;  // as in the thesis, for its networks
        const auto begin = Deadline::Clock::now();
        try {
            const neural::NeuralEvaluator evaluator(game.program(), nullptr, network, in_time());
            const std::chrono::duration<double> seconds = Deadline::Clock::now() - begin;
            const neural::DomainTheory& theory = evaluator.goals().theory();
            const Goal* goal = chosen_goal(theory.goals());
            if (goal == nullptr) {
                why = "no role has a goal";
                return std::nullopt;
            }
            result.role = machine->role_name(goal->role);
            result.goal = goal->value;
            result.trivial = theory.leaf(neural::node_of(goal->condition));
            result.by[i] = spread_of(evaluator, *goal, first.states);
            result.by[i].seconds = seconds.count();
        } catch (const neural::DomainTheory::Interrupted&) {
            why = "no time to make the networks";
            return std::nullopt;
        }
    }
    return result;
}

void ResolutionTotals::Means::add(const Resolution& one) {
    ++games;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one.by[i].log_interval();
}

void ResolutionTotals::add(const Resolution& one) {
    for (std::size_t i = 0; i < changes_.size(); ++i) {
        const double growth = one.by[i + 1].interval() - one.by[i].interval();
        Change& change = changes_[i];
        ++(std::abs(growth) < least_difference ? change.equal : growth > 0 ? change.larger : change.smaller);
        if (one.by[i + 1].distinct > one.by[i].distinct) ++change.more_values;
        if (one.by[i + 1].distinct < one.by[i].distinct) ++change.fewer_values;
        if (i == 0 && growth >= least_difference) larger_.add(one);
    }
    all_.add(one);
    if (!one.trivial) nontrivial_.add(one);
    for (std::size_t i = 0; i < seconds_.size(); ++i) seconds_[i].add(one.by[i].seconds);
}

}  // namespace stratagem::lab
