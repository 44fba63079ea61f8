// A game run straight from its rules.
//
// Nothing is grounded beforehand: each question about the current state is answered by first-order evaluation with
// tabling (engine.h). Slower than a circuit, but it needs no preparation, runs descriptions too large to ground, and
// shares only the parser with the other machines, so that it can be the yardstick for them.
//
// Fluents, moves and values are terms of a pool of its own, which starts as a copy of the description's (terms of the
// description mean the same here) and grows with every new term. An Interpreter is used by one thread at a time.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gdl/description.h"
#include "machine/limits.h"

namespace stratagem::machine {

namespace interpreter {
class Engine;
class Rulebook;
enum class Predicate : std::uint32_t;
}  // namespace interpreter

// Ground terms in ascending order of their index, each once. Fluents stand without the wrapping `true`.
using Facts = std::vector<gdl::Term>;

class Interpreter {
  public:
    // Everything that evaluates may throw LimitExceeded (the interpreter remains usable) or InvalidRules.
    // The current state is the initial one.
    explicit Interpreter(const gdl::Description& description, const Limits& limits = {});
    ~Interpreter();
    Interpreter(Interpreter&&) noexcept;
    Interpreter& operator=(Interpreter&&) noexcept;

    // For everything from now on; a deadline is a point in time, so it is usually set anew before each question.
    void set_limits(const Limits& limits);
    const Limits& limits() const;

    gdl::TermPool& terms() { return *terms_; }
    const gdl::TermPool& terms() const { return *terms_; }

    const std::vector<gdl::Term>& roles() const { return roles_; }
    const Facts& initial() const { return initial_; }

    // Fluents in any order; duplicates are ignored. Pre: ground terms of terms().
    void set_state(std::span<const gdl::Term> fluents);
    const Facts& state() const { return state_; }

    // Questions about the current state. `result` is overwritten; keeping it saves allocation.
    bool terminal();
    void legal(gdl::Term role, Facts& result);
    // All values that hold, as the rules have them: none, one or several.
    void goals(gdl::Term role, Facts& result);
    // The state after a joint move, one move for each role in the order of roles(). The current state stays.
    // Moves need not be legal.
    void next(std::span<const gdl::Term> joint_move, Facts& result);
    // What a role perceives after the joint move (GDL-II); of the initial state when `joint_move` is empty.
    void sees(gdl::Term role, std::span<const gdl::Term> joint_move, Facts& result);

    Facts legal(gdl::Term role);
    Facts goals(gdl::Term role);
    Facts next(std::span<const gdl::Term> joint_move);
    Facts sees(gdl::Term role, std::span<const gdl::Term> joint_move);

  private:
    friend class Query;

    // Call patterns of the questions above.
    struct Questions {
        std::uint32_t init, terminal, legal, goal, next, sees;
    };

    void set_move(std::span<const gdl::Term> joint_move);
    void fill_fluents();
    // After a query brought in fluents that no rule asks for.
    void find_fluents_again();
    void collect(std::uint32_t question, std::span<const gdl::Term> key, Facts& result);

    std::unique_ptr<gdl::TermPool> terms_;
    std::unique_ptr<interpreter::Rulebook> rulebook_;
    std::unique_ptr<interpreter::Engine> engine_;
    Questions questions_{};
    std::vector<gdl::Term> roles_;
    Facts initial_;
    Facts state_;
    std::vector<gdl::Term> move_;
    std::vector<std::uint32_t> fluent_relation_;  // by term: relation + 2; 0 not known yet, 1 none
};

}  // namespace stratagem::machine
