// Numbers that rules count by walking over the board, and what they are where the walk gets stuck.
//
//     count(R) :- step(1, 0, R1), step(2, R1, R2), step(3, R2, R).
//
// If a cell is neither mine nor yours, its step fails, and there is no number at all. Passing it unchanged through
// steps that fail there is one in every state (thesis, section 5.1, "Recursion and Chain Resolution").
//
// Rules are ground, and grounding splits long ones, so a chain is seen as links: atoms that say a number, each by one
// atom of the link below and by conditions of the state. A recursion that counts looks the same. What such conditions
// do to the number is the difference of the two, so the whole chain is a start and, link by link, a change for the
// condition that holds. A step may be a chain itself, such as that over a row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/frame.h"
#include "machine/stop.h"

namespace stratagem::evaluate {

using ground::Atom;

struct CountingChain {
    struct Step {
        std::uint32_t link = 0;   // of the steps of one link the first that holds counts
        std::int32_t change = 0;  // in places of the order, never 0
        std::uint32_t first = 0;  // of its conditions, all of which are to hold
        std::uint32_t end = 0;
    };

    std::uint32_t start = 0;  // place in the order
    std::vector<Step> steps;  // by link; greatest change first within
    std::vector<ground::Condition> conditions;

    bool empty() const { return steps.empty(); }
    // The place it gets to in an order of this size; holds(i): whether conditions[i] does. Where no step fails that is
    // what the rules say.
    template <typename Holds>
    std::uint32_t walk(std::uint32_t size, Holds&& holds) const {
        std::int64_t place = start;
        std::uint32_t done = no_link;
        for (const Step& step : steps) {
            if (step.link == done) continue;
            std::uint32_t i = step.first;
            while (i < step.end && holds(i)) ++i;
            if (i < step.end) continue;
            place += step.change;
            done = step.link;
        }
        return static_cast<std::uint32_t>(std::clamp<std::int64_t>(place, 0, std::int64_t{size} - 1));
    }

  private:
    static constexpr std::uint32_t no_link = 0xFFFFFFFFU;
};

// An atom that says what the number is.
struct Counted {
    Atom atom = Atom::none;
    std::uint32_t place = 0;
};

// Finds chains one after the other, and remembers what it saw of the rules.
class ChainFinder {
  public:
    static constexpr std::uint32_t nowhere = 0xFFFFFFFFU;

    // Both are to outlive it.
    ChainFinder(const analysis::RuleIndex& rules, const machine::Stop& stop);
    ~ChainFinder();

    // Empty where the number is not counted in links, at least two of which change it, where that is too long, or where
    // no step can be seen to fail.
    // `place_of`: by term its place in the order, or nowhere; one for each order, which is to outlive this.
    CountingChain find(std::span<const Counted> says, std::span<const std::uint32_t> place_of);

  private:
    class Walk;
    std::unique_ptr<Walk> walk_;
};

}  // namespace stratagem::evaluate
