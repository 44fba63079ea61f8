#include "evaluate/feature_tree/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "evaluate/feature_tree/prepare.h"
#include "evaluate/feature_tree/tree_evaluator.h"

namespace stratagem::evaluate {

namespace {

constexpr std::array tree_options{
    Option{"weights", Option::Kind::text, "", 0, 0, "",
           "a file with a tree and weights (stratagem lab selection) instead of fitting them to random games"},
    Option{"grown", Option::Kind::integer, "2000", 1, 1e6, "", "nodes that the tree of all features may have"},
    Option{"negations", Option::Kind::flag, "off", 0, 0, "",
           "features of what something is not, besides corners and edges"},
    Option{"outcomes", Option::Kind::integer, "10000", 1, 1e7, "", "states of random games that weights are fitted to"},
    Option{"ridge", Option::Kind::real, "0.001", 0, 1000, "", "how much weights are drawn to nothing"},
};

std::string read_tree_file(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    if (!file) throw OptionError(fmt::format("weights: '{}' cannot be read", name));
    return text;
}

void check_tree(const OptionValues& values) {
    if (!values.text("weights").empty()) read_tree_file(values.text("weights"));
}

std::shared_ptr<const Evaluator> make_tree(const Material& material, const OptionValues& values) {
    using namespace feature_tree;
    const std::shared_ptr<const machine::Circuit> circuit = material.game->circuit();
    if (circuit == nullptr || !material.analysis) {
        material.say("tree: the rules cannot be grounded, so there are no literals to make features of");
        return nullptr;
    }
    const Literals literals(*material.analysis);
    if (const std::string& name = values.text("weights"); !name.empty()) {
        auto read = model_from_json(read_tree_file(name), literals.program());
        if (const auto* problem = std::get_if<std::string>(&read)) {
            throw OptionError(fmt::format("weights: '{}' does not fit the game: {}", name, *problem));
        }
        return std::make_shared<TreeEvaluator>(std::move(std::get<TreeModel>(read)), literals);
    }
    PrepareSettings settings;
    settings.growth.nodes = static_cast<std::size_t>(values.integer("grown"));
    settings.growth.negations = values.flag("negations");
    settings.outcomes.states = static_cast<std::size_t>(values.integer("outcomes"));
    auto prepared = prepare(circuit, literals, *material.analysis, settings, material.stop);
    if (const auto* why = std::get_if<std::string>(&prepared)) {
        material.say("tree: " + *why);
        return nullptr;
    }
    const Prepared& grown = std::get<Prepared>(prepared);
    RegressionSettings regression;
    regression.ridge = values.real("ridge");
    Fitted fitted = fit(grown, literals.program(), regression, material.stop);
    material.say(fmt::format(
        "tree: {} nodes{}, {} features, {} of them vary; fitted to {} states of {} random games, error {:.3f} of "
        "{:.3f}",
        grown.tree.nodes().size(), grown.complete ? "" : " and not all there could be", grown.sums->features(),
        grown.variation->count(), grown.outcomes.states, grown.outcomes.games.size(), fitted.error, fitted.spread));
    TreeModel model = fitted.model.pruned();
    if (std::ranges::all_of(model.seats, [](const TreeModel::Seat& seat) { return seat.weights.empty(); })) {
        material.say(material.stop.now() ? "tree: no time to find weights"
                                         : "tree: random games do not tell good states from bad ones");
        return nullptr;
    }
    return std::make_shared<TreeEvaluator>(std::move(model), literals);
}

}  // namespace

constinit const EvaluatorEntry tree_entry{
    "tree",
    "counts and places of literals, as a tree lets them through, with weights from a file or random games (Kuhlplayer)",
    tree_options,
    make_tree,
    check_tree,
    false,
    true};

}  // namespace stratagem::evaluate
