// Which variables have a value at a given place of a rule.
//
// A positive atom binds its variables; a conjunction binds what any part binds, a disjunction what every branch binds;
// a negation and distinct bind nothing. The order of conditions does not matter. A place inside a branch of a
// disjunction sees what its own branch binds and what is bound around the disjunction.
//
// Near-linear in the size of the rule: a disjunction costs the sizes of what its branches bind, and what it hands on
// is no larger than the smallest of them, so deep nesting does not multiply the work.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "gdl/description.h"
#include "util/contract.h"

namespace stratagem::gdl::passes {

class Bindings {
  public:
    explicit Bindings(const Description& description);

    // Whether a positive atom counts as binding its variables.
    using Binds = std::function<bool(const Literal& atom)>;
    // Called for each atom and distinct literal with the bindings of its place in force; `negated` when it stands
    // under a negation, for which only what is bound outside that negation counts.
    using Visit = std::function<void(const Literal& condition, bool negated)>;

    // Walks the body of `rule`. `at_head` is called first, with the bindings the whole body gives.
    void walk(const Rule& rule, const Binds& binds, const std::function<void()>& at_head, const Visit& visit);

    // Pre: called from within a visitor.
    bool bound(Symbol variable) const {
        STRATAGEM_EXPECTS(walking_);
        return depth_[index(variable)] > 0;
    }

  private:
    std::vector<Symbol> bound_by(const Literal& literal, const Binds& binds);
    std::vector<Symbol> bound_by_all(const Literal& disjunction, const Binds& binds);
    void bind(const Literal& literal, const Binds& binds);
    void bind(Symbol variable);
    void undo(std::size_t mark);
    void visit_parts(std::span<const Literal> parts, const Binds& binds, const Visit& visit);

    const Description& description_;
    std::vector<std::uint32_t> depth_;  // by variable: how many scopes in force bind it
    std::vector<std::uint32_t> count_;  // by variable: branches that bind it; all zero between uses
    bool walking_ = false;
    std::vector<Symbol> trail_;                                       // what was bound, to be undone
    std::unordered_map<const Literal*, std::vector<Symbol>> common_;  // by disjunction: what all branches bind
};

}  // namespace stratagem::gdl::passes
