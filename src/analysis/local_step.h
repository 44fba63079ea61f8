// The part of a step that some fluents depend on: the rules nearest to them, as clauses of a small solver.
//
// What becomes of one cell depends on few moves and few other cells, and a proof about it in the clauses of the whole
// step wades through all the others at every conflict. Here rules are taken breadth first from the fluents' next atoms
// on, as many as allowed; atoms beyond are free variables. That allows more than the game does (as does leaving out
// that some move is made and that the state is not terminal), so what is impossible here is impossible in the game.
#pragma once

#include <cstddef>
#include <deque>
#include <unordered_map>
#include <vector>

#include "analysis/frame.h"

namespace stratagem::analysis {

class LocalStep {
  public:
    LocalStep(const RuleIndex& index, std::span<const Fluent> fluents, std::size_t most_rules);

    Clauses& clauses() { return clauses_; }
    // In the state before: 0 for a fluent that nothing here depends on.
    Literal before(Fluent fluent) const;
    // In the state after. Pre: one of those asked for.
    Literal after(Fluent fluent) const;
    // Fluents of the state before that something here depends on.
    std::span<const Fluent> fluents() const { return fluents_; }
    // No rule had to be left out.
    bool whole() const { return whole_; }

  private:
    Literal literal(Atom atom);
    void define(Atom atom);

    const RuleIndex& index_;
    Clauses clauses_;
    std::unordered_map<std::uint32_t, Literal> literals_;  // by atom
    std::deque<Atom> undefined_;
    std::vector<Fluent> fluents_;
    std::vector<std::vector<Literal>> moves_;  // by role
    std::vector<Literal> work_, bodies_;
    std::size_t rules_left_;
    bool whole_ = true;
};

}  // namespace stratagem::analysis
