// One step of the game as clauses: a state that is not terminal, a legal move of each role, and the state they lead to.
//
// The state before is any set of fluents that keeps to the invariants asserted so far. What cannot be satisfied here
// happens in no reachable state.
#pragma once

#include <memory>
#include <vector>

#include "analysis/frame.h"

namespace stratagem::analysis {

class Transition {
  public:
    explicit Transition(const ground::Program& program);

    const ground::Program& program() const { return index_.program(); }
    const RuleIndex& index() const { return index_; }
    Clauses& clauses() { return clauses_; }
    Frame& before() { return before_; }
    // Made when it is first asked for.
    Frame& after();

    // Asks the solver, and again where a model rests on a circle of recursive rules.
    Answer solve(std::span<const Literal> assumptions, std::uint32_t conflicts, const machine::Stop& stop);
    Answer solve(std::initializer_list<Literal> assumptions, std::uint32_t conflicts, const machine::Stop& stop) {
        return solve(std::span(assumptions.begin(), assumptions.size()), conflicts, stop);
    }
    std::size_t refinements() const { return refinements_; }

    // The role has at least two legal moves in the state before: implied by the literal.
    Literal has_choice(Role role);

  private:
    void add_moves();

    RuleIndex index_;
    Clauses clauses_;
    Frame before_;
    std::unique_ptr<Frame> after_;
    std::size_t refinements_ = 0;
};

}  // namespace stratagem::analysis
