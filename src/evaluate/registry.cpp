#include "evaluate/registry.h"

#include <algorithm>
#include <array>

namespace stratagem::evaluate {

namespace {

std::shared_ptr<const Evaluator> make_constant(const Material&, const OptionValues&) {
    return std::make_shared<ConstantEvaluator>();
}

constexpr std::array evaluators{
    EvaluatorEntry{"constant", "every state is worth the same: what blind search uses", {}, make_constant},
};

}  // namespace

std::span<const EvaluatorEntry> evaluator_table() { return evaluators; }

const EvaluatorEntry* find_evaluator(std::string_view name) {
    const auto found = std::ranges::find(evaluators, name, &EvaluatorEntry::name);
    return found == evaluators.end() ? nullptr : &*found;
}

}  // namespace stratagem::evaluate
