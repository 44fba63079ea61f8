#include "evaluate/feature_tree/outcomes.h"

#include "evaluate/feature/random_games.h"

namespace stratagem::evaluate::feature_tree {

Outcomes play_for_outcomes(const std::shared_ptr<const machine::Circuit>& circuit, const analysis::Findings* known,
                           const OutcomeSettings& settings, const machine::Stop& stop,
                           const std::function<void(const machine::State&)>& see) {
    machine::CircuitMachine machine(circuit);
    machine::Random random(settings.seed), which(settings.seed, 1);
    const analysis::NeutralOrder* order =
        known != nullptr && known->samples() != nullptr ? known->samples()->order().get() : nullptr;
    Outcomes result;
    Outcomes::Game game;
    std::size_t seen = 0;
    // Any states of the game as likely: each one takes the place of another more and more seldom.
    const auto on_state = [&](machine::CircuitMachine& at) {
        see(at.current());
        ++seen;
        if (game.states.size() < settings.of_a_game) {
            game.states.push_back(at.current());
        } else if (const std::uint32_t place = which.below(static_cast<std::uint32_t>(seen));
                   place < settings.of_a_game) {
            game.states[place] = at.current();
        }
    };
    const auto on_end = [&](const std::vector<int>& goals) { game.goals = goals; };
    // Where games do not end, there is nothing to be learned.
    constexpr std::size_t most_lost = 200;
    std::size_t lost = 0;
    while (result.states < settings.states && lost < most_lost + result.games.size() && !stop.now()) {
        game = {};
        seen = 0;
        if (!feature::play_random_game(machine, order, random, stop, on_state, on_end)) break;
        if (seen == 0) break;  // over before it begins
        if (game.goals.empty()) {
            ++lost;
            continue;
        }
        result.states += game.states.size();
        result.games.push_back(std::move(game));
    }
    return result;
}

}  // namespace stratagem::evaluate::feature_tree
