#include "view/evidence.h"

#include <set>

#include "machine/machine_text.h"
#include "machine/playout.h"

namespace stratagem::view {

BoardEvidence look_at(const machine::Game& game) {
    constexpr std::uint64_t seed = 1;
    // What is slow is large as well.
    const bool fast = game.is_quick();
    const std::size_t games = fast ? 4 : 1;
    const std::size_t longest = fast ? 100 : 10;
    constexpr std::size_t state_every = 3;  // neighbours tell little new

    BoardEvidence evidence;
    // Nothing with so many fluents can be looked at by anybody.
    constexpr std::size_t most_fluents = 100'000;
    constexpr std::size_t most_names = 1'000'000;  // of fluents in all states; every one of them costs
    if (game.statistics().fluents > most_fluents) return evidence;
    evidence.order = CoordinateOrder(game);
    const std::unique_ptr<machine::Machine> machine = game.make();
    evidence.roles = machine::role_names(*machine);
    machine::Random random(seed);
    machine::RandomPlay play(*machine);
    evidence.states.push_back(fluents_of(*machine, machine->initial()));
    std::size_t names = evidence.states.back().size();
    for (std::size_t played = 0; played < games && names < most_names; ++played) {
        machine::State state = machine->initial();
        for (std::size_t step = 0; step < longest && names < most_names && !machine->terminal(state);
             step += state_every) {
            const machine::Playout& part = play.play(random, {state_every, false, {}}, state);
            if (part.steps == 0) break;
            state = part.last;
            evidence.states.push_back(fluents_of(*machine, state));
            names += evidence.states.back().size();
        }
    }
    if (const std::shared_ptr<const ground::Program> program = game.program()) {
        for (std::uint32_t i = 0; i < program->fluents.size(); ++i) {
            evidence.fluents.push_back(read_fluent(machine->fluent_name(machine::Fluent{i})));
        }
    } else {
        std::set<std::string> seen;
        for (const FluentTexts& state : evidence.states) {
            for (const FluentText& fluent : state) {
                if (seen.insert(to_text(fluent)).second) evidence.fluents.push_back(fluent);
            }
        }
    }
    return evidence;
}

}  // namespace stratagem::view
