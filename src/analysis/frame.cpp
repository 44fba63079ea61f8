#include "analysis/frame.h"

#include <algorithm>

#include "util/strongly_connected.h"

namespace stratagem::analysis {

HeadIndex::HeadIndex(const ground::Rules& rules, const ground::AtomNumbers& numbers)
    : all_(rules), numbers_(numbers), starts_(numbers.count + 1, 0) {
    for (std::size_t rule = 0; rule < rules.rule_count(); ++rule) ++starts_[ground::index(rules.head(rule)) + 1];
    for (std::size_t atom = 1; atom < starts_.size(); ++atom) starts_[atom] += starts_[atom - 1];
    std::vector<std::uint32_t> place(starts_.begin(), starts_.end() - 1);
    rules_.resize(rules.rule_count());
    for (std::uint32_t rule = 0; rule < rules.rule_count(); ++rule) {
        rules_[place[ground::index(rules.head(rule))]++] = rule;
    }
    find_circles();
}

void HeadIndex::find_circles() {
    const std::uint32_t atoms = numbers_.count;
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> below;
    std::vector<bool> on_itself(atoms);
    for (std::uint32_t atom = 0; atom < atoms; ++atom) {
        for (const std::uint32_t rule : rules(Atom{atom})) {
            for (const ground::Condition condition : all_.body(rule)) {
                const std::uint32_t other = ground::index(condition.atom());
                if (!condition.positive() || other < numbers_.first_derived) continue;
                below.push_back(other);
                if (other == atom) on_itself[atom] = true;
            }
        }
        first.push_back(static_cast<std::uint32_t>(below.size()));
    }
    const std::vector<std::uint32_t> component = strongly_connected(atoms, first, below);
    std::vector<std::uint32_t> sizes(atoms, 0);
    for (const std::uint32_t one : component) ++sizes[one];
    std::vector<std::uint32_t> numbers(atoms, none);  // of circles, by component
    circle_of_.assign(atoms, none);
    for (std::uint32_t atom = 0; atom < atoms; ++atom) {
        if (sizes[component[atom]] == 1 && !on_itself[atom]) continue;
        std::uint32_t& number = numbers[component[atom]];
        if (number == none) {
            number = static_cast<std::uint32_t>(circles_.size());
            circles_.emplace_back();
        }
        circles_[number].push_back(Atom{atom});
        circle_of_[atom] = number;
    }
}

Frame::Frame(const RuleIndex& index, Clauses& clauses, std::vector<Literal> fluents)
    : index_(index), clauses_(clauses), literals_(std::move(fluents)) {
    const std::size_t fluent_count = program().fluents.size();
    if (literals_.empty()) {
        for (std::size_t i = 0; i < fluent_count; ++i) literals_.push_back(clauses_.new_variable());
    }
    literals_.resize(program().atom_count(), 0);
}

Literal Frame::known_or_new(Atom atom) {
    Literal& literal = literals_[ground::index(atom)];
    if (literal != 0) return literal;
    literal = clauses_.new_variable();
    if (ground::index(atom) >= program().first_derived()) undefined_.push_back(atom);
    return literal;
}

Literal Frame::literal(Atom atom) {
    if (atom == Atom::none) return -Clauses::truth;
    const Literal result = known_or_new(atom);
    while (!undefined_.empty()) {
        const Atom next = undefined_.back();
        undefined_.pop_back();
        define(next);
    }
    return result;
}

Literal Frame::body(std::uint32_t rule) {
    work_.clear();
    for (const ground::Condition condition : program().body(rule)) {
        const Literal literal = known_or_new(condition.atom());
        work_.push_back(condition.positive() ? literal : -literal);
    }
    return clauses_.all_of(work_);
}

void Frame::define(Atom atom) {
    const Literal head = literals_[ground::index(atom)];
    bodies_.clear();
    for (const std::uint32_t rule : index_.rules(atom)) {
        bodies_.push_back(body(rule));
        if (index_.recursive(atom)) body_of_[rule] = bodies_.back();
    }
    for (const Literal literal : bodies_) clauses_.add({head, -literal});
    bodies_.push_back(-head);
    clauses_.add(bodies_);
}

bool Frame::refine() {
    loops_.clear();
    for (const std::vector<Atom>& circle : index_.circles()) refine(circle);
    for (const std::vector<Literal>& clause : loops_) clauses_.add(clause);  // only now: it takes the model away
    return !loops_.empty();
}

// Whether the rule needs an atom with this mark.
bool Frame::rests_on(std::uint32_t rule, std::uint32_t mark) const {
    return std::ranges::any_of(program().body(rule), [&](ground::Condition condition) {
        return condition.positive() && marks_[ground::index(condition.atom())] == mark;
    });
}

// Takes atoms out of those that hold as long as one of them has a rule that holds without the others. What is left
// holds up nothing but itself: one of the rules from outside of it must hold, or none of it does.
void Frame::refine(const std::vector<Atom>& circle) {
    marks_.resize(program().atom_count(), 0);
    ++mark_;
    std::vector<Atom> left;
    for (const Atom atom : circle) {
        const Literal literal = literals_[ground::index(atom)];
        if (literal == 0 || !clauses_.value(literal)) continue;
        left.push_back(atom);
        marks_[ground::index(atom)] = mark_;
    }
    const auto founded = [&](Atom atom) {
        return std::ranges::any_of(index_.rules(atom), [&](std::uint32_t rule) {
            return clauses_.value(body_of_.at(rule)) && !rests_on(rule, mark_);
        });
    };
    for (std::size_t before = left.size() + 1; left.size() < before;) {
        before = left.size();
        std::erase_if(left, [&](Atom atom) {
            if (!founded(atom)) return false;
            marks_[ground::index(atom)] = 0;
            return true;
        });
    }
    if (left.empty()) return;
    std::vector<Literal> support{0};
    for (const Atom atom : left) {
        for (const std::uint32_t rule : index_.rules(atom)) {
            if (!rests_on(rule, mark_)) support.push_back(body_of_.at(rule));
        }
    }
    for (const Atom atom : left) {
        support[0] = -literals_[ground::index(atom)];
        loops_.push_back(support);
    }
}

}  // namespace stratagem::analysis
