#include "lab/spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "evaluate/feature/random_games.h"
#include "evaluate/registry.h"

namespace stratagem::lab {

namespace {

using machine::Move;
using machine::Role;
using machine::State;

constexpr double least_gap = 1e-10;  // values that differ by less are the same

// What a role can choose between: the states after its moves, the others doing the same each time.
struct Choices {
    Role role{};
    std::vector<State> states;
};

// One position from each game, any of them as likely.
std::vector<State> positions_of(const std::shared_ptr<const machine::Circuit>& circuit, const SpreadSearch& search,
                                const machine::Stop& stop) {
    machine::CircuitMachine machine(circuit);
    machine::Random random(search.seed), which(search.seed + 1);
    std::vector<State> positions;
    while (positions.size() < search.positions) {
        std::size_t seen = 0;
        State kept;
        const auto see = [&](machine::CircuitMachine& at) {
            if (which.below(static_cast<std::uint32_t>(++seen)) == 0) kept = at.current();
        };
        if (!evaluate::feature::play_random_game(machine, nullptr, random, stop, see, [](const std::vector<int>&) {}))
            break;
        if (seen == 0) break;  // the game is over before it begins
        positions.push_back(std::move(kept));
    }
    return positions;
}

std::vector<Choices> choices_at(machine::Machine& machine, const State& position, machine::Random& random) {
    std::vector<std::vector<Move>> legal(machine.role_count());
    std::vector<Move> joint(legal.size());
    for (std::uint32_t role = 0; role < legal.size(); ++role) {
        machine.legal(position, Role{role}, legal[role]);
        if (legal[role].empty()) return {};
        joint[role] = legal[role][random.below(static_cast<std::uint32_t>(legal[role].size()))];
    }
    std::vector<Choices> found;
    State next;
    for (std::uint32_t role = 0; role < legal.size(); ++role) {
        if (machine.role_name(Role{role}) == "random") continue;
        Choices choices{Role{role}, {}};
        std::vector<Move> moves = joint;
        for (const Move move : legal[role]) {
            moves[role] = move;
            machine.next(position, moves, next);
            if (machine.terminal(next) || std::ranges::find(choices.states, next) != choices.states.end()) continue;
            choices.states.push_back(next);
        }
        if (choices.states.size() > 1) found.push_back(std::move(choices));
    }
    return found;
}

ToldApart told_apart(const evaluate::Evaluator& evaluator, const std::vector<Choices>& all) {
    ToldApart result;
    const auto opinions = evaluator.start();
    for (const Choices& choices : all) {
        std::vector<double> values;
        for (const State& state : choices.states) values.push_back(opinions->value(state, choices.role));
        result.at_ends += static_cast<std::size_t>(
            std::ranges::count_if(values, [](double value) { return value == 0 || value == 100; }));
        std::ranges::sort(values);
        std::size_t different = 1;
        for (std::size_t i = 1; i < values.size(); ++i) different += values[i] - values[i - 1] > least_gap ? 1U : 0U;
        result.values += different;
        result.flat += different == 1 ? 1U : 0U;
    }
    return result;
}

}  // namespace

std::optional<ValueSpread> measure_spread(const std::shared_ptr<const machine::Game>& game,
                                          const std::vector<player::Recipe>& recipes, const SpreadSearch& search,
                                          std::string& why) {
    const machine::Stop stop{Deadline::after(std::chrono::duration<double>(search.seconds)), search.abort};
    const std::unique_ptr<machine::Machine> machine = game->make();
    machine::Random random(search.seed + 2);
    std::vector<Choices> all;
    ValueSpread result;
    for (const State& position : positions_of(game->circuit(), search, stop)) {
        for (Choices& choices : choices_at(*machine, position, random)) {
            ++result.choices;
            result.moves += choices.states.size();
            all.push_back(std::move(choices));
        }
    }
    // From one analysis, as it is not to matter that one of them had more time.
    const evaluate::Material material = evaluate::make_material(game, search.seconds, search.abort, search.seed);
    for (const player::Recipe& recipe : recipes) {
        const evaluate::EvaluatorEntry& entry = *player::evaluator_of(*recipe.entry());
        const auto made = entry.make(material, OptionValues(entry.options, recipe.options_for_evaluator()));
        if (made == nullptr) {
            why = fmt::format("no time to make {}", recipe.text());
            return std::nullopt;
        }
        result.by.push_back(told_apart(*made, all));
    }
    return result;
}

}  // namespace stratagem::lab
