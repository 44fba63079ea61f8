// The variables of one clause as small integers, and sets of them.
#pragma once

#include <cstdint>
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
    // Variables that have a value once the goal has succeeded: those of positive calls, and of a disjunction those
    // that every branch binds.
    void add_bound_by(const Goal& goal, VariableSet& set) const;
    // How often a variable occurs among the arguments.
    std::uint32_t occurrences(std::uint32_t variable, const std::vector<gdl::Term>& patterns) const;

  private:
    void collect(gdl::Term pattern);
    void collect(const std::vector<Goal>& goals);

    const gdl::TermPool& terms_;
    std::vector<gdl::Term> names_;
};

}  // namespace stratagem::machine::interpreter
