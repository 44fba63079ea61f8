#include "evaluate/registry.h"

#include <array>

#include "evaluate/fuzzy/fuzzy.h"

namespace stratagem::evaluate {

namespace {

std::shared_ptr<const Evaluator> make_constant(const Material&, const OptionValues&) {
    return std::make_shared<ConstantEvaluator>();
}

}  // namespace

// Every evaluator there is, the plainest first.
std::span<const EvaluatorEntry> evaluator_table() {
    static const std::array table{
        EvaluatorEntry{"constant", "every state is worth the same: what blind search uses", {}, make_constant},
        fuzzy_entry,
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
