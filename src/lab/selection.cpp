#include "lab/selection.h"

#include <algorithm>
#include <chrono>

#include "analysis/analysis.h"
#include "evaluate/feature_tree/tree_evaluator.h"
#include "learn/quick_match.h"

namespace stratagem::lab {

namespace {

namespace trees = evaluate::feature_tree;
using analysis::Item;

machine::Stop for_seconds(const SelectionSearch& search) {
    return {Deadline::after(std::chrono::duration<double>(search.seconds)), search.stop.flag};
}

bool is_contest(const analysis::GameKind& kind) {
    return kind.roles == 2 && !kind.has_chance() && analysis::holds(kind.two_player_zero_sum);
}

// The best features, by matches; false without time.
bool select(const machine::Game& game, const SelectionSearch& search, trees::Prepared& prepared,
            const ground::Program& program, SelectedFeatures& found, trees::TreeModel& model) {
    found.selection = learn::select_features(game, prepared, search.selection, search.stop, search.progress);
    for (const learn::SelectionRound& round : found.selection.rounds) {
        found.names.push_back(prepared.tree.name(prepared.tree.features()[round.feature]));
    }
    model = learn::model_of(prepared, found.selection.weights, program);
    return found.selection.complete;
}

bool says_anything(const trees::TreeModel& model) {
    return std::ranges::any_of(model.seats, [](const trees::TreeModel::Seat& seat) {
        return std::ranges::any_of(seat.weights, [](double weight) { return weight != 0; });
    });
}

}  // namespace

std::optional<SelectedFeatures> find_selection(const std::shared_ptr<const machine::Game>& game,
                                               const SelectionSearch& search, std::string& why) {
    const analysis::Analysis analysis(game, {.seed = search.selection.seed});
    const analysis::Findings known = analysis.ask(
        {Item::kind, Item::samples, Item::orders, Item::groups, Item::graph, Item::goal_sum}, for_seconds(search));
    const std::shared_ptr<const machine::Circuit> circuit = game->circuit();
    if (circuit == nullptr || !known.program()) {
        why = "the rules cannot be grounded";
        return std::nullopt;
    }
    if (search.by == SelectionSearch::By::matches && !is_contest(known.kind())) {
        why = "not a game of two in which one gets what the other loses";
        return std::nullopt;
    }
    const trees::Literals literals(known);
    const machine::Stop stop = for_seconds(search);
    auto made = trees::prepare(circuit, literals, known, search.prepare, stop);
    if (const auto* problem = std::get_if<std::string>(&made)) {
        why = *problem;
        return std::nullopt;
    }
    auto& prepared = std::get<trees::Prepared>(made);
    SelectedFeatures found;
    found.nodes = prepared.tree.nodes().size();
    found.features = prepared.sums->features();
    found.complete = prepared.complete;
    found.varying = prepared.variation->count();
    found.games = prepared.outcomes.games.size();
    found.states = prepared.outcomes.states;
    trees::TreeModel model;
    if (search.by == SelectionSearch::By::matches) {
        if (!select(*game, search, prepared, literals.program(), found, model)) {
            why = "interrupted";
            return std::nullopt;
        }
    } else {
        trees::Fitted fitted = trees::fit(prepared, literals.program(), search.regression, stop);
        found.error = fitted.error;
        found.spread = fitted.spread;
        model = std::move(fitted.model);
    }
    if (!says_anything(model)) return found;
    model = model.pruned();
    found.model = trees::to_json(model, literals.program());
    learn::QuickMatch match;
    match.games = search.checks;
    match.seed = search.selection.seed;
    const trees::TreeEvaluator evaluator(std::move(model), literals);
    found.points = learn::play_quickly(*game, &evaluator, nullptr, match, for_seconds(search));
    return found;
}

}  // namespace stratagem::lab
