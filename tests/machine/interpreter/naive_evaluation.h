// The model of a rule set by trying every assignment of constants to variables until nothing new follows, level by
// level. Too slow for games and too simple to be wrong.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gdl/description.h"

namespace stratagem::machine::testing {

class NaiveEvaluation {
  public:
    // Levels say in which order facts may be derived: one that depends on the negation of another has a higher level,
    // one that depends on another at least an equal one. They are asked of facts as text: p0 or (p1 a b).
    using LevelOf = std::function<int(const std::string& fact)>;

    NaiveEvaluation(const gdl::Description& description, std::vector<std::string> constants,
                    std::set<std::string> given, LevelOf level_of, int highest_level)
        : description_(description),
          terms_(description.terms),
          constants_(std::move(constants)),
          facts_(std::move(given)),
          level_of_(std::move(level_of)) {
        for (int level = 0; level <= highest_level; ++level) {
            while (pass(level)) {
            }
        }
    }

    const std::set<std::string>& facts() const { return facts_; }

  private:
    using Assignment = std::map<gdl::Term, std::string>;

    std::string text(gdl::Term term, const Assignment& assignment) const {
        if (terms_.is_variable(term)) return assignment.at(term);
        const std::string name(terms_.symbols().name(terms_.symbol(term)));
        if (terms_.arity(term) == 0) return name;
        std::string result = "(" + name;
        for (const gdl::Term argument : terms_.arguments(term)) result += " " + text(argument, assignment);
        return result + ")";
    }

    void add_variables(gdl::Term term, std::set<gdl::Term>& found) const {
        if (terms_.is_variable(term)) found.insert(term);
        for (const gdl::Term argument : terms_.arguments(term)) add_variables(argument, found);
    }

    // All variables below, or only those outside of negations.
    void add_variables(const gdl::Literal& literal, bool inside_negations, std::set<gdl::Term>& found) const {
        if (literal.kind == gdl::Literal::Kind::negation && !inside_negations) return;
        if (literal.kind == gdl::Literal::Kind::atom || literal.kind == gdl::Literal::Kind::distinct) {
            add_variables(literal.atom, found);
        }
        for (const gdl::Literal& part : literal.parts) add_variables(part, inside_negations, found);
    }

    // Whether some extension of the assignment to `open` satisfies `test`.
    template <typename Test>
    bool exists(std::vector<gdl::Term> open, Assignment& assignment, const Test& test) const {
        if (open.empty()) return test();
        const gdl::Term variable = open.back();
        open.pop_back();
        for (const std::string& constant : constants_) {
            assignment[variable] = constant;
            if (exists(open, assignment, test)) {
                assignment.erase(variable);
                return true;
            }
        }
        assignment.erase(variable);
        return false;
    }

    bool holds(const gdl::Literal& literal, Assignment& assignment) const {
        const auto part_holds = [&](const gdl::Literal& part) { return holds(part, assignment); };
        switch (literal.kind) {
            case gdl::Literal::Kind::atom:
                return facts_.contains(text(literal.atom, assignment));
            case gdl::Literal::Kind::distinct:
                return text(terms_.argument(literal.atom, 0), assignment) !=
                       text(terms_.argument(literal.atom, 1), assignment);
            case gdl::Literal::Kind::conjunction:
                return std::ranges::all_of(literal.parts, part_holds);
            case gdl::Literal::Kind::disjunction:
                return std::ranges::any_of(literal.parts, part_holds);
            case gdl::Literal::Kind::negation:
                break;
        }
        std::set<gdl::Term> inside;
        add_variables(literal, true, inside);
        std::vector<gdl::Term> open;
        for (const gdl::Term variable : inside) {
            if (!assignment.contains(variable)) open.push_back(variable);
        }
        return !exists(open, assignment, [&] { return holds(literal.parts.front(), assignment); });
    }

    bool pass(int level) {
        const std::size_t before = facts_.size();
        for (const gdl::Rule& rule : description_.rules) {
            std::set<gdl::Term> variables;
            add_variables(rule.head, variables);
            for (const gdl::Literal& literal : rule.body) add_variables(literal, false, variables);
            Assignment assignment;
            exists({variables.begin(), variables.end()}, assignment, [&] {
                const std::string head = text(rule.head, assignment);
                if (level_of_(head) != level || facts_.contains(head)) return false;
                const bool all =
                    std::ranges::all_of(rule.body, [&](const gdl::Literal& part) { return holds(part, assignment); });
                if (all) facts_.insert(head);
                return false;  // go on with the next assignment
            });
        }
        return facts_.size() > before;
    }

    const gdl::Description& description_;
    const gdl::TermPool& terms_;
    std::vector<std::string> constants_;
    std::set<std::string> facts_;
    LevelOf level_of_;
};

}  // namespace stratagem::machine::testing
