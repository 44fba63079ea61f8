// Conditions on a state, with variables: "where are two of mine in a row with a gap behind them?"
//
// A query is a conjunction of literals as rules have them (true, relations of the game, distinct, not, or). It is
// compiled once and then asked of any number of states; each answer is a binding of its variables. For features that
// grow with how nearly a condition holds there is also the longest beginning of the conjunction that can be satisfied.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gdl/description.h"
#include "machine/interpreter/interpreter.h"

namespace stratagem::machine {

class Query {
  public:
    // The literals' terms belong to interpreter.terms(). The interpreter must outlive the query; what is compiled for a
    // query stays with the interpreter, so make queries once, not for each state.
    // Throws InvalidRules when a literal cannot stand in a condition.
    Query(Interpreter& interpreter, std::vector<gdl::Literal> literals);
    // From text such as "(true (cell ?x ?y b)) (distinct ?x ?y)". Throws InvalidRules when it is not that.
    Query(Interpreter& interpreter, std::string_view text);

    // The variables that have a value in every solution, in the order of their first occurrence: the columns of a
    // solution. Variables of negations and of single branches of a disjunction only have to exist.
    const std::vector<gdl::Term>& variables() const { return variables_; }
    std::size_t length() const { return literals_.size(); }

    // All about the interpreter's current state; solutions are counted as different bindings of variables().
    bool holds();
    std::size_t count();
    // One row for each solution, in the order of variables(), one after the other.
    std::vector<gdl::Term> solutions();
    // The largest n such that the first n literals can be satisfied together; length() when the query holds.
    // Variables of the literals left out do not matter.
    std::size_t deepest();

  private:
    static constexpr std::uint32_t not_compiled = 0xFFFFFFFFU;

    std::uint32_t compile(std::size_t literal_count, const std::vector<gdl::Term>& head);
    bool holds(std::size_t literal_count);

    Interpreter* interpreter_;
    std::vector<gdl::Literal> literals_;
    std::vector<gdl::Term> variables_;
    std::uint32_t all_ = not_compiled;      // call pattern that wants every variable
    std::vector<std::uint32_t> of_prefix_;  // by length: call pattern that asks only whether there is a solution
};

}  // namespace stratagem::machine
