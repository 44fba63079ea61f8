// A growing set of clauses and questions about it: a SAT solver (CaDiCaL) behind the few calls that proofs need.
//
// Literals are non-zero integers as in DIMACS: a variable or its negation. Variable 1 is always true.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>

#include "analysis/allowance.h"
#include "machine/stop.h"

namespace stratagem::analysis {

using Literal = int;  // of the solver, whose variables mean what the one who asks says

enum class Answer : std::uint8_t { satisfiable, unsatisfiable, unknown };

class Clauses {
  public:
    static constexpr Literal truth = 1;

    Clauses();
    ~Clauses();
    Clauses(const Clauses&) = delete;
    Clauses& operator=(const Clauses&) = delete;

    Literal new_variable() { return ++variables_; }
    void add(std::span<const Literal> clause);
    void add(std::initializer_list<Literal> clause) { add(std::span(clause.begin(), clause.size())); }
    // True iff all of them are: a literal with its definition.
    Literal all_of(std::span<const Literal> literals);
    Literal any_of(std::span<const Literal> literals);

    // No more than one of these holds, where `when` does. Linear in their number, as is the next one.
    void at_most_one(std::span<const Literal> literals, Literal when = truth);
    // A literal that implies that two of them hold (or none of them, if `or_none`).
    Literal not_exactly_one(std::span<const Literal> literals, bool or_none);

    // Under assumptions that hold for this question alone, with at most so many conflicts.
    Answer solve(std::span<const Literal> assumptions, std::uint32_t conflicts, const machine::Stop& stop);
    Answer solve(std::initializer_list<Literal> assumptions, std::uint32_t conflicts, const machine::Stop& stop) {
        return solve(std::span(assumptions.begin(), assumptions.size()), conflicts, stop);
    }
    // From now on questions are paid for by this, where it is not null: in clauses, each of which a question may go
    // through, and which cost more when they are new. What is not answered when it is used up stays unknown.
    void draw_on(Allowance* allowance) { allowance_ = allowance; }
    // In the model found. Pre: the last answer was satisfiable, and nothing was added since.
    bool value(Literal literal) const;

    // Whether the assumption was used. Pre: the last answer was unsatisfiable under it, and nothing was added since.
    bool needed(Literal assumption) const;

    std::size_t variables() const { return static_cast<std::size_t>(variables_); }
    std::size_t size() const { return clauses_; }

  private:
    struct Backend;
    std::unique_ptr<Backend> backend_;
    Literal variables_ = 1;
    std::size_t clauses_ = 0;
    std::size_t asked_about_ = 0;      // clauses that were there when the last question was asked
    Answer answer_ = Answer::unknown;  // the last one; unknown again once something is added
    Allowance* allowance_ = nullptr;
};

}  // namespace stratagem::analysis
