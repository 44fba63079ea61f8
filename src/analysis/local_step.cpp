#include "analysis/local_step.h"

#include "util/contract.h"

namespace stratagem::analysis {

LocalStep::LocalStep(const RuleIndex& index, std::span<const Fluent> fluents, std::size_t most_rules)
    : index_(index), moves_(index.program().roles.size()), rules_left_(most_rules) {
    for (const Fluent fluent : fluents) {
        literal(index.program().atom(fluent));
        literal(index.program().next[ground::index(fluent)]);
    }
    while (!undefined_.empty()) {
        const Atom atom = undefined_.front();
        undefined_.pop_front();
        define(atom);
    }
    for (const std::vector<Literal>& of_role : moves_) clauses_.at_most_one(of_role);
}

Literal LocalStep::before(Fluent fluent) const {
    const auto found = literals_.find(ground::index(fluent));
    return found == literals_.end() ? 0 : found->second;
}

Literal LocalStep::after(Fluent fluent) const {
    const Atom atom = index_.program().next[ground::index(fluent)];
    STRATAGEM_EXPECTS(atom == Atom::none || literals_.contains(ground::index(atom)));
    return atom == Atom::none ? -Clauses::truth : literals_.at(ground::index(atom));
}

Literal LocalStep::literal(Atom atom) {
    if (atom == Atom::none) return -Clauses::truth;
    const auto [place, added] = literals_.emplace(ground::index(atom), 0);
    if (!added) return place->second;
    const Literal result = place->second = clauses_.new_variable();
    const ground::Program& program = index_.program();
    if (ground::index(atom) >= program.first_derived()) {
        undefined_.push_back(atom);
    } else if (ground::index(atom) < program.first_move_atom()) {
        fluents_.push_back(Fluent{ground::index(atom)});
    } else {
        const std::uint32_t move = ground::index(atom) - program.first_move_atom();
        moves_[ground::index(program.moves[move].role)].push_back(result);
        clauses_.add({-result, literal(program.legal[move])});
    }
    return result;
}

void LocalStep::define(Atom atom) {
    const std::span<const std::uint32_t> rules = index_.rules(atom);
    if (rules.size() > rules_left_) {
        whole_ = false;
        return;
    }
    rules_left_ -= rules.size();
    const Literal head = literals_.at(ground::index(atom));
    bodies_.clear();
    for (const std::uint32_t rule : rules) {
        work_.clear();
        for (const ground::Condition condition : index_.program().body(rule)) {
            const Literal one = literal(condition.atom());
            work_.push_back(condition.positive() ? one : -one);
        }
        bodies_.push_back(clauses_.all_of(work_));
    }
    for (const Literal body : bodies_) clauses_.add({head, -body});
    bodies_.push_back(-head);
    clauses_.add(bodies_);
}

}  // namespace stratagem::analysis
