// Which relation depends on which, over clauses: what is needed, what depends on the state, in what order to evaluate.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ground/clause.h"

namespace stratagem::ground {

class PredicateGraph {
  public:
    using Predicate = std::uint32_t;

    PredicateGraph(const std::vector<Clause>& clauses, const gdl::TermPool& terms);

    Predicate of(gdl::Term atom) const;
    // Reached from what a game is asked for: roles, init, next, legal, goal, terminal, sees.
    bool is_needed(Predicate predicate) const { return needed_[predicate]; }
    // Depends on true or does, or is one of the relations whose values are asked for in play.
    bool is_state_dependent(Predicate predicate) const { return state_dependent_[predicate]; }
    // Strongly connected components in the order of evaluation: what a component uses comes before it.
    const std::vector<std::vector<Predicate>>& components() const { return components_; }
    std::uint32_t component(Predicate predicate) const { return component_of_[predicate]; }
    gdl::Symbol symbol(Predicate predicate) const { return symbols_[predicate]; }

  private:
    Predicate add(gdl::Term atom);
    std::uint64_t key(gdl::Term atom) const;
    void find_needed();
    void find_state_dependent();
    void find_components();

    const gdl::TermPool& terms_;
    std::unordered_map<std::uint64_t, Predicate> by_key_;
    std::vector<gdl::Symbol> symbols_;
    std::vector<std::vector<Predicate>> uses_;
    std::vector<bool> needed_;
    std::vector<bool> state_dependent_;
    std::vector<std::vector<Predicate>> components_;
    std::vector<std::uint32_t> component_of_;
};

}  // namespace stratagem::ground
