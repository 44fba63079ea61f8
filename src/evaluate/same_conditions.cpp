#include "evaluate/same_conditions.h"

#include <algorithm>

#include "util/contract.h"

namespace stratagem::evaluate {

namespace {

constexpr std::size_t most_conditions = 64;  // of one relation: longer ones stay as they are

void sort_out(SameConditions::Codes& codes) {
    std::ranges::sort(codes);
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
}

}  // namespace

SameConditions::SameConditions(const analysis::RuleIndex& rules)
    : rules_(rules), program_(rules.program()), settled_(program_.atom_count(), false) {}

SameConditions::Codes SameConditions::codes(std::span<const ground::Condition> body, ground::Atom without) {
    Codes result;
    for (const ground::Condition condition : body) {
        if (condition.atom() == without) continue;
        settle(condition.atom());
        append(condition, result);
    }
    sort_out(result);
    return result;
}

bool SameConditions::settled(ground::Atom atom) const {
    return ground::index(atom) < program_.first_derived() || settled_[ground::index(atom)] || rules_.recursive(atom);
}

void SameConditions::settle(ground::Atom atom) {
    std::vector<ground::Atom> stack{atom};
    while (!stack.empty()) {
        const ground::Atom top = stack.back();
        const std::size_t before = stack.size();
        if (!settled(top)) {
            for (const std::uint32_t rule : rules_.rules(top)) {
                for (const ground::Condition condition : program_.body(rule)) {
                    if (!settled(condition.atom())) stack.push_back(condition.atom());
                }
            }
        }
        if (stack.size() > before) continue;
        if (!settled(top)) settle_from_rules(top);
        stack.pop_back();
    }
}

// Pre: all it depends on is settled.
void SameConditions::settle_from_rules(ground::Atom atom) {
    settled_[ground::index(atom)] = true;
    std::vector<Codes> bodies;
    for (const std::uint32_t rule : rules_.rules(atom)) {
        Codes body;
        for (const ground::Condition condition : program_.body(rule)) {
            STRATAGEM_EXPECTS(settled(condition.atom()));
            append(condition, body);
        }
        sort_out(body);
        bodies.push_back(std::move(body));
    }
    std::ranges::sort(bodies);
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    if (bodies.size() == 1 && bodies.front().size() <= most_conditions) {
        instead_.emplace(atom, std::move(bodies.front()));
        return;
    }
    const auto [first, added] = by_rules_.emplace(std::move(bodies), atom);
    if (!added) instead_.emplace(atom, Codes{ground::Condition(first->second)});
}

void SameConditions::append(ground::Condition condition, Codes& to) const {
    const auto found = instead_.find(condition.atom());
    if (found != instead_.end() && condition.positive()) {
        to.insert(to.end(), found->second.begin(), found->second.end());
    } else if (found != instead_.end() && found->second.size() == 1) {
        to.push_back(!found->second.front());
    } else {
        to.push_back(condition);
    }
}

}  // namespace stratagem::evaluate
