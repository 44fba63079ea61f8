// The variables of one clause as small integers, and sets of them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "machine/interpreter/rulebook.h"

namespace stratagem::machine::interpreter {

using VariableSet = std::vector<bool>;  // by variable number

class Variables {
  public:
    Variables(const gdl::TermPool& terms, const Clause& clause);

    std::uint32_t count() const { return static_cast<std::uint32_t>(names_.size()); }
    std::uint32_t number(gdl::Term variable) const;

    VariableSet none() const { return VariableSet(names_.size(), false); }
    bool all_in(gdl::Term pattern, const VariableSet& set) const;
    void add_term(gdl::Term pattern, VariableSet& set) const;
    // Every variable that occurs.
    void add_goal(const Goal& goal, VariableSet& set) const;
    void add_goals(const std::vector<Goal>& goals, VariableSet& set) const;
    // The same one by one, as often as it occurs: visit(variable number).
    template <typename Visitor>
    void for_each(const Goal& goal, Visitor&& visit) const {
        for (const gdl::Term argument : goal.arguments) for_each(argument, visit);
        for (const std::vector<Goal>& branch : goal.branches) {
            for (const Goal& inner : branch) for_each(inner, visit);
        }
    }
    // Variables that have a value once the goal has succeeded: those of positive calls, and of a disjunction those
    // that every branch binds.
    void add_bound_by(const Goal& goal, VariableSet& set) const;
    // How often a variable occurs among the arguments.
    std::uint32_t occurrences(std::uint32_t variable, const std::vector<gdl::Term>& patterns) const;

  private:
    template <typename Visitor>
    void for_each(gdl::Term pattern, Visitor&& visit) const {
        if (terms_.is_ground(pattern)) return;
        if (terms_.is_variable(pattern)) return visit(number(pattern));
        for (const gdl::Term argument : terms_.arguments(pattern)) for_each(argument, visit);
    }
    void collect(gdl::Term pattern);
    void collect(const std::vector<Goal>& goals);

    const gdl::TermPool& terms_;
    std::vector<gdl::Term> names_;
    std::unordered_map<gdl::Term, std::uint32_t> numbers_;  // empty while there are few
};

}  // namespace stratagem::machine::interpreter
