#include "lab/kept_values.h"

#include "player/engine.h"

namespace stratagem::lab {

using machine::Move;
using machine::State;

void KeptValues::add(const ProvedPosition& position, double part_kept) {
    kept += part_kept;
    ++positions;
    if (!position.is_open()) return;
    kept_open += part_kept;
    ++open;
}

std::optional<KeptValues> kept_by_values(const machine::Game& game, const evaluate::Evaluator& evaluator,
                                         const ProvedPositions& positions) {
    const std::unique_ptr<machine::Machine> machine = game.make();
    const auto opinions = evaluator.start();
    KeptValues result;
    State next;
    for (const ProvedPosition& position : positions.positions) {
        std::optional<ReachedPosition> reached = reach_position(*machine, position);
        if (!reached) return std::nullopt;
        double best = -1, equals = 0, keeping = 0;
        for (std::size_t i = 0; i < reached->choices.size(); ++i) {
            reached->joint[ground::index(position.player)] = reached->choices[i];
            machine->next(reached->state, reached->joint, next);
            const double value = machine->terminal(next) ? machine->goal(next, position.player).value_or(0)
                                                         : opinions->value(next, position.player);
            if (value < best) continue;
            if (value > best) equals = keeping = 0;
            best = value;
            ++equals;
            if (position.choices[i].goal == position.goal()) ++keeping;
        }
        result.add(position, keeping / equals);
    }
    return result;
}

std::optional<KeptValues> kept_by_recipe(const std::shared_ptr<const machine::Game>& game, const player::Recipe& recipe,
                                         const ProvedPositions& positions, std::uint64_t nodes, std::uint64_t seed,
                                         const machine::Stop& stop) {
    nodes = recipe.nodes().value_or(nodes);
    player::EngineSettings making;
    making.nodes = nodes;
    making.search.seed = seed;
    making.shares.solving = {0, 0, 0};
    making.abort = stop.flag;
    const std::unique_ptr<player::Engine> engine = player::make_engine(recipe, game, making);
    const std::unique_ptr<machine::Machine> machine = engine->problem.game->make();
    KeptValues result;
    for (const ProvedPosition& position : positions.positions) {
        if (stop.now()) break;
        const std::optional<ReachedPosition> reached = reach_position(*machine, position);
        if (!reached) return std::nullopt;
        search::Budget budget{stop};
        budget.max_nodes = nodes;
        engine->search->advance(reached->state);
        const search::Choice choice = engine->search->choose(reached->state, position.player, budget);
        bool keeps = false;
        for (std::size_t i = 0; i < reached->choices.size(); ++i) {
            if (choice.move == reached->choices[i]) keeps = position.choices[i].goal == position.goal();
        }
        result.add(position, keeps ? 1 : 0);
    }
    return result;
}

}  // namespace stratagem::lab
