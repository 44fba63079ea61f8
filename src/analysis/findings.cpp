#include "analysis/findings.h"

#include <algorithm>

namespace stratagem::analysis {

const std::vector<Group>& Findings::groups() const {
    return proofs_ && proofs_->groups ? *proofs_->groups : value_or_empty(groups_).groups;
}

bool Findings::complete() const { return !missing_ && std::ranges::all_of(stages_, &Stage::complete); }

std::shared_ptr<const RuleIndex> make_rules(std::shared_ptr<const ground::Program> program) {
    struct Kept {
        explicit Kept(std::shared_ptr<const ground::Program> kept) : program(std::move(kept)), rules(*program) {}
        std::shared_ptr<const ground::Program> program;
        RuleIndex rules;
    };
    const auto kept = std::make_shared<const Kept>(std::move(program));
    return {kept, &kept->rules};
}

std::shared_ptr<const RuleIndex> shared_rules(const Findings* known,
                                              const std::shared_ptr<const ground::Program>& program) {
    if (known != nullptr && known->rules() != nullptr && known->program() == program) return known->rules();
    return make_rules(program);
}

}  // namespace stratagem::analysis
