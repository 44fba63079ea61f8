#include "evaluate/fuzzy/fuzzy.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "evaluate/fuzzy/fuzzy_evaluator.h"
#include "machine/circuit/circuit.h"

namespace stratagem::evaluate {

namespace {

using Kind = Option::Kind;

constexpr std::array fuzzy_options{
    Option{"truth", Kind::real, "0.75", 0.51, 1, "", "p: value of an atom that holds; 1 - p if it does not"},
    Option{"threshold", Kind::real, "0.75", 0.51, 1, "", "t: what is true is worth at least this; at most `truth`"},
    Option{"power", Kind::real, "15", 1, 100, "", "q of the norms: the higher, the less each further part counts"},
    Option{"aggregation", Kind::choice, "ladder", 0, 0, "ladder|product|mean",
           "of goal values: what is reached or avoided step by step, the product co-norm, or the weighted mean"},
    Option{"end", Kind::real, "0", 0, 0.5, "",
           "how much the truth of the end counts besides the norms: against goals not met, for those that are"},
    Option{"rival", Kind::flag, "off", 0, 0, "",
           "where the goals of two players add up to a constant: what the other may hope for counts against us"},
    Option{"orders", Kind::flag, "on", 0, 0, "", "by how much one number is greater than another"},
    Option{"boards", Kind::choice, "goals", 0, 0, "goals|all|off",
           "how far pieces are from where goals want them; `all`: also from where they end the game"},
    Option{"distance", Kind::choice, "moves", 0, 0, "moves|axes",
           "of pieces on boards: in moves, where they move, or always in steps along the axes", "boards!=off"},
    Option{"quantities", Kind::flag, "on", 0, 0, "", "how far numbers are from what they should be"},
};

fuzzy::Settings::Boards boards_of(const std::string& text) {
    using Boards = fuzzy::Settings::Boards;
    return text == "all" ? Boards::all : text == "off" ? Boards::off : Boards::goals;
}

fuzzy::Settings::Aggregation aggregation_of(const std::string& text) {
    using Aggregation = fuzzy::Settings::Aggregation;
    return text == "mean" ? Aggregation::mean : text == "product" ? Aggregation::product : Aggregation::ladder;
}

fuzzy::Settings settings_of(const OptionValues& values) {
    fuzzy::Settings settings;
    settings.truth = values.real("truth");
    settings.threshold = values.real("threshold");
    settings.power = values.real("power");
    settings.aggregation = aggregation_of(values.choice("aggregation"));
    settings.end = values.real("end");
    settings.rival = values.flag("rival");
    settings.orders = values.flag("orders");
    settings.boards = boards_of(values.choice("boards"));
    settings.moves = values.choice("distance") == "moves";
    settings.quantities = values.flag("quantities");
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
        auto made = std::make_shared<const fuzzy::FuzzyEvaluator>(material.game->program(), material.analysis, settings,
                                                                  material.stop);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        material.say(
            fmt::format("fuzzy: {} nodes, {} edges, {} comparisons, {} measured groups, {} recursive rules in {:.3f} s",
                        made->node_count(), made->edge_count(), made->comparison_count(), made->measured_groups(),
                        made->recursive_rules(), seconds.count()));
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
