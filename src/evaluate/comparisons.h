// Comparisons of two numbers of the state, found in the ground rules: "more discs than the other", "as much money".
//
// The rules say (discs black ?a), (discs white ?b), (greater ?a ?b); grounding leaves a rule for every pair of numbers
// of which one is greater. Such rules are found again by what they have in common: they differ in two places, the
// values there have an order, and the pairs are all those of which one is greater (or not less, or equal). They are
// taken out of the rules, and one atom is put in their place, whose truth depends on by how much one exceeds the other
// (Schiffel and Thielscher 2007, section 6).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/analysis.h"
#include "evaluate/counting_chain.h"

namespace stratagem::evaluate {

using ground::Atom;

struct Comparison {
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    // An atom that says what one side is, or both.
    struct Input {
        Atom atom = Atom::none;
        std::uint32_t left = none;  // places in the order
        std::uint32_t right = none;
    };

    Atom atom = Atom::none;  // what stands for it
    bool equality = false;   // otherwise the left side is to exceed the right one
    std::uint32_t size = 0;  // of the order
    std::vector<Input> inputs;
    std::vector<bool> pairs;  // by left * size + right: which it holds for
    // How the sides are counted, where they are and that was asked for: for states that say nothing of them. Not of
    // equality.
    CountingChain left_chain, right_chain;

    bool holds(std::uint32_t left, std::uint32_t right) const { return pairs[left * size + right]; }
    // By how much of the order they differ, in [0, 1). A pair that is left out although it should hold is as near as
    // can be.
    double apart(std::uint32_t left, std::uint32_t right) const {
        if (!equality && left > right && !holds(left, right)) return 0;
        return static_cast<double>(left > right ? left - right : right - left) / size;
    }
};

// The rules behind goals and the end with comparisons taken out. Fluents, moves and atoms keep their numbers; the atoms
// of comparisons are new, after all others, and follow from nothing but themselves, so that they are not unrolled. Only
// what follows from what is there, and nothing is called anything.
struct Rewritten {
    ground::Rules rules;
    ground::AtomNumbers numbers;
    std::vector<Comparison> comparisons;
    std::vector<std::uint32_t> comparison_of;  // by new atom: place in `comparisons`, or Comparison::none
};

// Null where there is none, or no time. Where something is compared, bodies that are proved impossible are left out
// (nobody has two amounts of money), and those that no state was seen to fulfil become one condition that is as false
// as can be: else a number compared with itself would always be near to being greater. `chains`: also how the numbers
// are counted.
std::unique_ptr<const Rewritten> take_out_comparisons(const analysis::RuleIndex& rules,
                                                      const analysis::Findings& analysis, const machine::Stop& stop,
                                                      bool chains = false);

}  // namespace stratagem::evaluate
