#include "evaluate/registry.h"

#include <array>
#include <chrono>

#include "evaluate/feature_tree/tree.h"
#include "evaluate/fuzzy/fuzzy.h"
#include "evaluate/linear/linear.h"
#include "evaluate/neural/neural.h"
#include "evaluate/single/single.h"

namespace stratagem::evaluate {

namespace {

std::shared_ptr<const Evaluator> make_constant(const Material&, const OptionValues&) {
    return std::make_shared<ConstantEvaluator>();
}

}  // namespace

Material make_material(const std::shared_ptr<const machine::Game>& game, std::optional<double> seconds,
                       const std::atomic<bool>* abort, std::uint64_t seed) {
    const auto within = [&](double share) {
        if (!seconds) return machine::Stop{Deadline::never(), abort};
        return machine::Stop{Deadline::after(std::chrono::duration<double>(*seconds * share)), abort};
    };
    const auto analysis = analysis::shared_analysis(game, {.seed = seed, .repeatable = !seconds});
    Material material;
    material.asked = analysis;
    // Of the analysis: its terms are those of its own game.
    material.game = analysis->game();
    material.stop = within(1);
    if (material.game->program()) {
        material.analysis =
            std::make_shared<const analysis::Findings>(analysis->ask(analysis::Items::of_rules(), within(0.5)));
    }
    return material;
}

// Every evaluator there is, the plainest first.
std::span<const EvaluatorEntry> evaluator_table() {
    static const std::array table{
        EvaluatorEntry{
            "constant", "every state is worth the same: what blind search uses", {}, make_constant, nullptr, true},
        fuzzy_entry,
        neural_entry,
        linear_entry,
        single_feature_entry,
        tree_entry,
    };
    return table;
}

const EvaluatorEntry* find_evaluator(std::string_view name) {
    for (const EvaluatorEntry& entry : evaluator_table()) {
        if (entry.name == name) return &entry;
    }
    return nullptr;
}

}  // namespace stratagem::evaluate
