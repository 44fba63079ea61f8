#include "evaluate/linear/linear.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>

#include "evaluate/linear/learn.h"
#include "evaluate/linear/linear_evaluator.h"
#include "evaluate/linear/weights_file.h"
#include "machine/circuit/circuit.h"

namespace stratagem::evaluate {

namespace {

using Kind = Option::Kind;

constexpr std::array linear_options{
    Option{"weights", Kind::text, "", 0, 0, "", "a file of weights (stratagem learn) instead of learning"},
    Option{"patterns", Kind::flag, "on", 0, 0, "",
           "weights for several cells that a rule looks at together, besides single ones"},
    Option{"walks", Kind::real, "1", 0, 100, "",
           "for each cell, so many patterns that wander over cells that belong together", "patterns=on"},
    Option{"symmetries", Kind::flag, "on", 0, 0, "", "what a symmetry of the rules makes alike has the same weight"},
    Option{"states", Kind::integer, "0", 0, 1e12, "",
           "states to look at in games against itself; 0: as many as the clock allows, or a million without one"},
    Option{"lambda", Kind::real, "0.6", 0, 1, "",
           "how much the end of a game counts against what was expected on the way"},
    Option{"opening", Kind::real, "0.5", 0, 1, "",
           "every other game begins with moves by chance, as many as this part of the usual length at most"},
    Option{"explore", Kind::real, "0.2", 0, 1, "", "part of the moves that are made by chance"},
    Option{"step", Kind::real, "4", 0.001, 100, "", "how far new weights move for an error of one, in logits"},
};

std::string read_weights(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    if (!file) throw OptionError(fmt::format("weights: '{}' cannot be read", name));
    return text;
}

std::shared_ptr<const Evaluator> from_file(const std::string& name, std::shared_ptr<const ground::Program> program) {
    std::variant<linear::Model, std::string> read = linear::model_from_json(read_weights(name), *program);
    if (const auto* problem = std::get_if<std::string>(&read)) {
        throw OptionError(fmt::format("weights: '{}' does not fit the game: {}", name, *problem));
    }
    return std::make_shared<linear::LinearEvaluator>(std::move(program), std::move(std::get<linear::Model>(read)));
}

void check_linear(const OptionValues& values) {
    if (!values.text("weights").empty()) read_weights(values.text("weights"));
}

std::shared_ptr<const Evaluator> make_linear(const Material& material, const OptionValues& values) {
    const std::shared_ptr<const machine::Circuit> circuit = material.game->circuit();
    if (circuit == nullptr || !material.analysis) {
        material.say("linear: the game has no circuit to learn from");
        return nullptr;
    }
    if (!values.text("weights").empty()) return from_file(values.text("weights"), circuit->shared_program());
    linear::LearnSettings settings = linear::settings_of(values);
    if (settings.play.most_states == 0 && material.stop.deadline.is_never()) settings.play.most_states = 1'000'000;
    const auto play =
        linear::prepare_learning(*material.game, *material.analysis, material.asked.get(), settings, material.stop);
    play->run(material.stop);
    linear::Model model = play->model();
    const linear::SelfPlayed& played = play->played();
    material.say(
        fmt::format("linear: {} cells and {} patterns in {} looks, {} weights; {} games against itself, {} states, "
                    "error {:.3f}",
                    model.tuples->cells().size(), model.tuples->patterns().size(), model.tuples->looks(),
                    model.weights.size(), played.games, played.states, played.error));
    if (played.games == 0) return nullptr;
    return std::make_shared<linear::LinearEvaluator>(circuit->shared_program(), std::move(model));
}

}  // namespace

constinit const EvaluatorEntry linear_entry{
    "linear",
    "weights of cells and patterns from the rules, learned by games against itself (Kuhlplayer)",
    linear_options,
    make_linear,
    check_linear,
    false,
    true};

}  // namespace stratagem::evaluate
