#include "evaluate/fuzzy/fuzzy.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <optional>

#include "evaluate/fuzzy/fuzzy_evaluator.h"
#include "machine/circuit/circuit.h"

namespace stratagem::evaluate {

namespace {

using Kind = Option::Kind;

constexpr std::array fuzzy_options{
    Option{"truth", Kind::real, "0.75", 0.51, 1, "", "p: value of an atom that holds; 1 - p if it does not"},
    Option{"threshold", Kind::real, "0.75", 0.51, 1, "", "t: what is true is worth at least this; at most `truth`"},
    Option{"fit", Kind::choice, "game", 0, 0, "game|paper",
           "power and scale, where they are 0: so that the first states of the game are told apart, or 15 and 1",
           "power=0 or scale=0"},
    Option{"power", Kind::real, "0", 0, 100, "",
           "q of the norms, 1 or more: the higher, the less each further part counts; 0: as `fit` says"},
    Option{"scale", Kind::real, "0", 0, 1, "",
           "what is farthest away is worth so much less than what is next to true; 0: as `fit` says"},
    Option{"aggregation", Kind::choice, "ladder", 0, 0, "ladder|product|mean",
           "of goal values: what is reached or avoided step by step, the product co-norm, or the weighted mean"},
    Option{"end", Kind::real, "0", 0, 0.5, "",
           "how much the truth of the end counts besides the norms: against goals not met, for those that are"},
    Option{"orders", Kind::flag, "on", 0, 0, "", "by how much one number is greater than another"},
    Option{"boards", Kind::choice, "goals", 0, 0, "goals|all|off",
           "how far pieces are from where goals want them; `all`: also from where they end the game"},
    Option{"distance", Kind::choice, "moves", 0, 0, "moves|axes",
           "of pieces on boards: in moves, where they move, or always in steps along the axes", "boards!=off"},
    Option{"quantities", Kind::flag, "on", 0, 0, "", "how far numbers are from what they should be"},
    Option{"events", Kind::choice, "off", 0, 0, "off|sum|maximum",
           "how far what must come together is from an event whose trace goals ask for: the sum of the ways, or the "
           "longest"},
};

fuzzy::Settings::Boards boards_of(const std::string& text) {
    using Boards = fuzzy::Settings::Boards;
    return text == "all" ? Boards::all : text == "off" ? Boards::off : Boards::goals;
}

fuzzy::Settings::Aggregation aggregation_of(const std::string& text) {
    using Aggregation = fuzzy::Settings::Aggregation;
    return text == "mean" ? Aggregation::mean : text == "product" ? Aggregation::product : Aggregation::ladder;
}

// What people say; nothing where it is left to be chosen.
std::optional<double> given(const OptionValues& values, std::string_view name) {
    const double value = values.real(name);
    return value == 0 ? std::nullopt : std::optional(value);
}

fuzzy::Settings settings_of(const OptionValues& values) {
    fuzzy::Settings settings;
    settings.truth = values.real("truth");
    settings.threshold = values.real("threshold");
    settings.power = given(values, "power").value_or(settings.power);
    settings.scale = given(values, "scale").value_or(settings.scale);
    settings.aggregation = aggregation_of(values.choice("aggregation"));
    settings.end = values.real("end");
    settings.orders = values.flag("orders");
    settings.boards = boards_of(values.choice("boards"));
    settings.moves = values.choice("distance") == "moves";
    settings.quantities = values.flag("quantities");
    const std::string& events = values.choice("events");
    settings.events = events == "sum"       ? fuzzy::Settings::Events::sum
                      : events == "maximum" ? fuzzy::Settings::Events::maximum
                                            : fuzzy::Settings::Events::off;
    if (settings.power < 1) {
        throw OptionError(fmt::format("option 'power' must be 0 or at least 1, not {}", settings.power));
    }
    if (settings.threshold > settings.truth) {
        throw OptionError(
            fmt::format("option 'threshold' must be at most 'truth' ({}), not {}", settings.truth, settings.threshold));
    }
    return settings;
}

std::shared_ptr<const Evaluator> make_fuzzy(const Material& material, const OptionValues& values) {
    const fuzzy::Settings settings = settings_of(values);
    if (material.game->program() == nullptr) {
        material.say("fuzzy: the rules cannot be grounded, so there is no graph of the goals");
        return nullptr;
    }
    const auto begin = std::chrono::steady_clock::now();
    try {
        auto made = std::make_shared<fuzzy::FuzzyEvaluator>(material.game->program(), material.analysis, settings,
                                                            material.stop);
        const auto power = given(values, "power"), scale = given(values, "scale");
        if (values.choice("fit") == "game" && !(power && scale)) {
            made->fit(fuzzy::first_states(*material.game, material.stop, made->states_to_fit()), power, scale);
        }
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        material.say(
            fmt::format("fuzzy: {} nodes, {} edges, {} comparisons, {} measured groups and {} events, {} recursive "
                        "rules, "
                        "power {:g}, scale {:g} in {:.3f} s",
                        made->node_count(), made->edge_count(), made->comparison_count(), made->measured_groups(),
                        made->measured_events(), made->recursive_rules(), made->settings().power,
                        made->settings().scale, seconds.count()));
        return made;
    } catch (const fuzzy::FuzzyEvaluator::Interrupted&) {
        material.say("fuzzy: no time to build the graph of the goals");
        return nullptr;
    }
}

}  // namespace

constinit const EvaluatorEntry fuzzy_entry{"fuzzy", "how true the goals are, in fuzzy logic (Fluxplayer)",
                                           fuzzy_options, make_fuzzy,
                                           [](const OptionValues& values) { (void)settings_of(values); }};

}  // namespace stratagem::evaluate
