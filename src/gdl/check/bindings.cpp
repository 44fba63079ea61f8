#include "gdl/check/bindings.h"

#include <algorithm>
#include <utility>

#include "gdl/check/walk.h"

namespace stratagem::gdl::passes {

Bindings::Bindings(const Description& description)
    : description_(description),
      depth_(description.terms.symbols().size(), 0),
      count_(description.terms.symbols().size(), 0) {}

void Bindings::walk(const Rule& rule, const Binds& binds, const std::function<void()>& at_head, const Visit& visit) {
    if (!common_.empty()) common_ = {};  // clear() would keep, and sweep for each rule, the table of the largest
    for (const Literal& literal : rule.body) bound_by(literal, binds);
    for (const Literal& literal : rule.body) bind(literal, binds);
    walking_ = true;
    at_head();
    visit_parts(rule.body, binds, visit);
    walking_ = false;
    undo(0);
}

// Also fills common_ for the disjunctions inside. The result may name a variable more than once.
std::vector<Symbol> Bindings::bound_by(const Literal& literal, const Binds& binds) {
    std::vector<Symbol> result;
    switch (literal.kind) {
        case Literal::Kind::atom:
            if (binds(literal)) {
                for_each_variable(description_, literal.atom, literal.node,
                                  [&](Symbol variable, Node) { result.push_back(variable); });
            }
            break;
        case Literal::Kind::conjunction:
            for (const Literal& part : literal.parts) {
                std::vector<Symbol> more = bound_by(part, binds);
                if (more.size() > result.size()) std::swap(more, result);
                result.insert(result.end(), more.begin(), more.end());
            }
            break;
        case Literal::Kind::disjunction:
            result = bound_by_all(literal, binds);
            break;
        case Literal::Kind::negation:
        case Literal::Kind::distinct:
            break;
    }
    return result;
}

std::vector<Symbol> Bindings::bound_by_all(const Literal& disjunction, const Binds& binds) {
    std::vector<std::vector<Symbol>> branches;
    branches.reserve(disjunction.parts.size());
    for (const Literal& part : disjunction.parts) branches.push_back(bound_by(part, binds));
    if (branches.empty()) return {};

    std::vector<Symbol> result;
    std::uint32_t so_far = 0;  // a variable of all branches so far has exactly this count
    for (const auto& branch : branches) {
        for (const Symbol variable : branch) {
            if (count_[index(variable)] == so_far) ++count_[index(variable)];
        }
        ++so_far;
    }
    for (const Symbol variable : branches.front()) {
        if (std::exchange(count_[index(variable)], 0) == so_far) result.push_back(variable);
    }
    for (const auto& branch : branches) {
        for (const Symbol variable : branch) count_[index(variable)] = 0;
    }
    common_.emplace(&disjunction, result);
    return result;
}

void Bindings::bind(const Literal& literal, const Binds& binds) {
    switch (literal.kind) {
        case Literal::Kind::atom:
            if (binds(literal)) {
                for_each_variable(description_, literal.atom, literal.node,
                                  [&](Symbol variable, Node) { bind(variable); });
            }
            break;
        case Literal::Kind::conjunction:
            for (const Literal& part : literal.parts) bind(part, binds);
            break;
        case Literal::Kind::disjunction:
            for (const Symbol variable : common_[&literal]) bind(variable);
            break;
        case Literal::Kind::negation:
        case Literal::Kind::distinct:
            break;
    }
}

void Bindings::bind(Symbol variable) {
    ++depth_[index(variable)];
    trail_.push_back(variable);
}

void Bindings::undo(std::size_t mark) {
    for (; trail_.size() > mark; trail_.pop_back()) --depth_[index(trail_.back())];
}

void Bindings::visit_parts(std::span<const Literal> parts, const Binds& binds, const Visit& visit) {
    for (const Literal& part : parts) {
        switch (part.kind) {
            case Literal::Kind::atom:
            case Literal::Kind::distinct:
                visit(part, false);
                break;
            case Literal::Kind::negation:
                for_each_condition(part, false, visit);
                break;
            case Literal::Kind::conjunction:
                visit_parts(part.parts, binds, visit);
                break;
            case Literal::Kind::disjunction:
                for (const Literal& branch : part.parts) {
                    const std::size_t mark = trail_.size();
                    bind(branch, binds);
                    visit_parts(std::span(&branch, 1), binds, visit);
                    undo(mark);
                }
                break;
        }
    }
}

}  // namespace stratagem::gdl::passes
