// Which conditions of ground rules are the same although they are written differently.
//
// A relation of one rule is what that rule says, and relations with the same rules are one. Where a relation has an
// argument that its rules do not need, as a step that adds 1 to any number, there is one atom for each value, and all
// of them are the same condition.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "analysis/frame.h"

namespace stratagem::evaluate {

class SameConditions {
  public:
    // Conditions that are to hold together, ascending.
    using Codes = std::vector<ground::Condition>;

    // The rules are to outlive it.
    explicit SameConditions(const analysis::RuleIndex& rules);

    // What a body says, without one of its atoms (or none).
    Codes codes(std::span<const ground::Condition> body, ground::Atom without);

  private:
    bool settled(ground::Atom atom) const;
    // Looks at all it depends on first.
    void settle(ground::Atom atom);
    void settle_from_rules(ground::Atom atom);
    void append(ground::Condition condition, Codes& to) const;

    const analysis::RuleIndex& rules_;
    const ground::Program& program_;
    std::vector<bool> settled_;                            // by atom
    std::map<ground::Atom, Codes> instead_;                // what to say instead, where there is something
    std::map<std::vector<Codes>, ground::Atom> by_rules_;  // the first that has them
};

}  // namespace stratagem::evaluate
