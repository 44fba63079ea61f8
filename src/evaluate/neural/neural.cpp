#include "evaluate/neural/neural.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "machine/circuit/circuit.h"

namespace stratagem::evaluate {

namespace {

using Kind = Option::Kind;

constexpr std::string_view any_leaf_feature = "distances=on or persistence=on or admissible=on";
constexpr std::string_view any_feature =
    "distances=on or persistence=on or admissible=on or orders=on or variable=on or solutions=on or partial=on";
constexpr std::string_view soft_leaf_features = "transformation=soft,distances=on or persistence=on or admissible=on";
constexpr std::string_view local_features =
    "transformation=local,distances=on or persistence=on or admissible=on or orders=on";

constexpr std::array neural_options{
    Option{"transformation", Kind::choice, "soft", 0, 0, "cilp|local|soft",
           "of rules to networks: C-IL2P (Nexplayer 1.0), local (1.1), or soft means, which tell more states apart"},
    Option{"standard", Kind::real, "50", 0, 100, "", "gamma: the value expected where no goal is near"},
    Option{"aggregation", Kind::choice, "ladder", 0, 0, "ladder|sum",
           "of goals: from the one that holds up to half the way to the next, so that more points are worth more; or "
           "the sum of how far each pulls from the standard value, as in the thesis"},
    Option{"difference", Kind::real, "1", 0.1, 1.9, "", "local: between truth and falsehood in the input of a neuron",
           "transformation=local"},
    Option{"count", Kind::real, "2", 1, 8, "", "soft: the higher, the less each further missing part counts",
           "transformation=soft"},
    Option{"power", Kind::real, "4", 0.5, 12, "", "soft: the higher, the more the nearest alternative counts",
           "transformation=soft"},
    Option{"graded", Kind::integer, "100000", 0, 10'000'000, "",
           "connections at most; conditions beyond them are true or false and nothing in between"},
    Option{"distances", Kind::flag, "off", 0, 0, "", "how far fluents are from those of a goal, along their orders"},
    Option{"persistence", Kind::flag, "off", 0, 0, "", "what stays as it is to the end"},
    Option{"admissible", Kind::flag, "off", 0, 0, "", "the least number of steps, where no other distance was found"},
    Option{"orders", Kind::flag, "off", 0, 0, "", "by how much one number is greater than another"},
    Option{"chains", Kind::flag, "off", 0, 0, "",
           "with orders: numbers that rules count step by step, where a step fails and there is none by the rules",
           "orders=on"},
    Option{"variable", Kind::flag, "off", 0, 0, "", "how far two things are apart that are to meet"},
    Option{"solutions", Kind::flag, "off", 0, 0, "", "how many alternatives hold, of those that are alike"},
    Option{"partial", Kind::flag, "off", 0, 0, "",
           "how far the nearest alternative has come, where there are too many to grade each"},
    Option{"mobility", Kind::real, "0", 0, 50, "", "points at most for having more moves than the others; 0: off"},
    Option{"pieces", Kind::real, "0", 0, 50, "",
           "points at most for pieces, each worth the moves it has alone on the board; 0: off"},
    Option{"depth", Kind::real, "0", 0, 50, "", "points at most against states that come late; 0: off"},
    Option{"goals", Kind::real, "0", 0, 1, "",
           "share of the goal value of the state, where that is defined before the end; 0: off"},
    Option{"probable", Kind::real, "0.5", 0.1, 0.9, "",
           "t_p of features: what is true and may change, far from the end", any_feature},
    Option{"likely", Kind::flag, "off", 0, 0, "",
           "what may change is worth how often it holds at the end of random games, in the place of t_p and -t_p",
           soft_leaf_features},
    Option{"undecided", Kind::choice, "sound", 0, 0, "sound|thesis",
           "what is false, but near: below 0 (sound), or up to t_p as in the thesis", any_leaf_feature},
    Option{"weights", Kind::choice, "sound", 0, 0, "sound|thesis",
           "local: by what features may say, so that signs are right (sound), or by true and false alone, far lower",
           local_features},
};

neural::Settings settings_of(const OptionValues& values) {
    using Transformation = neural::TransformationSettings::Kind;
    neural::Settings settings;
    const std::string& kind = values.choice("transformation");
    settings.transformation.kind = kind == "cilp"    ? Transformation::cilp
                                   : kind == "local" ? Transformation::local
                                                     : Transformation::soft;
    settings.transformation.difference = values.real("difference");
    settings.transformation.soft.count = values.real("count");
    settings.transformation.soft.power = values.real("power");
    settings.expected = values.real("standard");
    settings.aggregation = values.choice("aggregation") == "sum" ? neural::Settings::Aggregation::sum
                                                                 : neural::Settings::Aggregation::ladder;
    settings.sound_weights = values.choice("weights") == "sound";
    settings.most_graded = static_cast<std::size_t>(values.integer("graded"));
    settings.features.distances = values.flag("distances");
    settings.features.persistence = values.flag("persistence");
    settings.features.admissible = values.flag("admissible");
    settings.features.orders = values.flag("orders");
    settings.features.chains = values.flag("chains");
    settings.features.variable = values.flag("variable");
    settings.features.solutions = values.flag("solutions");
    settings.features.partial = values.flag("partial");
    settings.classes.mobility = values.real("mobility");
    settings.classes.pieces = values.real("pieces");
    settings.classes.depth = values.real("depth");
    settings.classes.goals = values.real("goals");
    settings.features.probable = values.real("probable");
    settings.features.likely = values.flag("likely");
    settings.features.sound = values.choice("undecided") == "sound";
    const bool features = settings.features.any_of_leaves() || settings.features.any_of_conditions();
    if (settings.transformation.kind == Transformation::cilp && features) {
        throw OptionError("features need transformation=local or soft: C-IL2P knows true and false only");
    }
    return settings;
}

std::string summary(const neural::NeuralEvaluator& made, double seconds) {
    const neural::GradedTheory& goals = made.goals();
    std::string line =
        fmt::format("neural: {} neurons ({} crisp), {} connections, {} recursive rules", goals.network().size(),
                    goals.theory().crisp_count(), goals.network().connection_count(), goals.recursion().rule_count());
    const std::string features = made.feature_counts().to_text();
    if (!features.empty()) line += "; " + features;
    if (made.classes() != nullptr) {
        line += fmt::format("; pieces count {:+.2g}", made.classes()->use_of_pieces());
    }
    return line + fmt::format(" in {:.3f} s", seconds);
}

}  // namespace

std::shared_ptr<const neural::NeuralEvaluator> make_neural(const Material& material, const OptionValues& values) {
    const neural::Settings settings = settings_of(values);
    if (material.game->program() == nullptr) {
        material.say("neural: the rules cannot be grounded, so there is no graph of the goals");
        return nullptr;
    }
    const auto begin = std::chrono::steady_clock::now();
    try {
        auto made = std::make_shared<const neural::NeuralEvaluator>(material.game->program(), material.analysis,
                                                                    settings, material.stop, material.game->circuit());
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        material.say(summary(*made, seconds.count()));
        return made;
    } catch (const neural::DomainTheory::Interrupted&) {
        material.say("neural: no time to build the graph of the goals");
        return nullptr;
    }
}

constinit const EvaluatorEntry neural_entry{
    "neural", "how much of each goal is reached, by networks made from rules", neural_options,
    [](const Material& material, const OptionValues& values) -> std::shared_ptr<const Evaluator> {
        return make_neural(material, values);
    },
    [](const OptionValues& values) { (void)settings_of(values); }};

}  // namespace stratagem::evaluate
