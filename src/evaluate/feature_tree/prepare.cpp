#include "evaluate/feature_tree/prepare.h"

#include <algorithm>
#include <utility>

namespace stratagem::evaluate::feature_tree {

namespace {

machine::Stop part_of_time(const machine::Stop& stop, int parts) {
    if (stop.deadline.is_never()) return stop;
    return {Deadline::after(stop.deadline.remaining() / parts), stop.flag};
}

}  // namespace

std::variant<Prepared, std::string> prepare(const std::shared_ptr<const machine::Circuit>& circuit,
                                            const Literals& literals, const analysis::Findings& known,
                                            const PrepareSettings& settings, const machine::Stop& stop) {
    // So that the numbers of all features of all states have room.
    constexpr std::size_t most_numbers = 20'000'000;
    Prepared result;
    Growth growth = grow(literals, settings.growth, part_of_time(stop, 4));
    result.tree = std::move(growth.tree);
    result.complete = growth.complete;
    result.sums = std::make_unique<const Sums>(result.tree, literals, part_of_time(stop, 3));
    if (!result.sums->is_complete()) return "no time to grow a tree of features";
    result.variation = std::make_unique<Variation>(*result.sums);
    OutcomeSettings games = settings.outcomes;
    games.states = std::min(games.states, most_numbers / std::max<std::size_t>(result.sums->features(), 1) + 100);
    result.outcomes = play_for_outcomes(circuit, &known, games, part_of_time(stop, 2),
                                        [&](const machine::State& state) { result.variation->see(state); });
    return result;
}

Fitted fit(const Prepared& prepared, const ground::Program& program, const RegressionSettings& settings,
           const machine::Stop& stop) {
    Fitted result{{prepared.tree, {}}, 0, 0};
    for (std::uint32_t role = 0; role < program.roles.size(); ++role) {
        TreeModel::Seat& seat = result.model.seats.emplace_back();
        int least = 100, most = 0;
        for (const Outcomes::Game& game : prepared.outcomes.games) {
            if (game.goals[role] < 0) continue;
            least = std::min(least, game.goals[role]);
            most = std::max(most, game.goals[role]);
        }
        if (least >= most) continue;
        seat.least = least;
        seat.most = most;
        Regression found = fit_outcomes(
            *prepared.sums, prepared.variation->varying(), prepared.outcomes, machine::Role{role}, least, most,
            settings, part_of_time(stop, static_cast<int>(program.roles.size()) - static_cast<int>(role)));
        seat.bias = found.bias;
        seat.weights = std::move(found.weights);
        if (result.spread == 0) {
            result.error = found.error;
            result.spread = found.spread;
        }
    }
    return result;
}

}  // namespace stratagem::evaluate::feature_tree
