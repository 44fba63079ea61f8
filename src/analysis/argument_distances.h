// How far fluents of one family are from each other, argument by argument: a pawn on the second rank is six ranks from
// the eighth.
//
// Unlike the distances of fluent_graph.h these are no lower bounds (a rook crosses the board in one step), but they
// know about nearness where the graph says "one step" or "from nowhere" (seed: "symbol distances", Michulke's thesis,
// sections 4.3.5 and A.2.2). An argument has distances where the rules use an order on it: a fluent comes about from
// one of the same family that agrees in all arguments without an order, and is next to it in this one. The thesis looks
// for the predicate between the two in the text of a rule; we look at the ground rules, where it is gone but what it
// does is left, so that it may as well stand in the condition of a move or a relation of another name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/argument_orders.h"
#include "analysis/frame.h"
#include "machine/state.h"
#include "machine/stop.h"

namespace stratagem::analysis {

// Fluents of a family with these arguments; nothing: whatever stands there.
struct FluentPattern {
    std::size_t family = 0;
    std::vector<std::optional<gdl::Term>> arguments;
};

class ArgumentDistances {
  public:
    // Families and orders are not needed afterwards. What was not looked at when `stop` says so has no distances.
    ArgumentDistances(const RuleIndex& index, std::span<const Family> families, std::span<const Order> orders,
                      const ArgumentOrders& argument_orders, const machine::Stop& stop);

    // At least one argument has distances.
    bool measured(std::size_t family) const;
    // The order along which the argument is measured.
    std::optional<std::size_t> order(std::size_t family, std::uint32_t argument) const;
    // The longest distance there is between two fluents of the family: what distances are fairly divided by.
    std::uint32_t longest(std::size_t family) const;

    // The sum over the arguments of the steps along their orders, in directions in which the rules lead; nothing where
    // there is no way, as for fluents of different families or contents.
    std::optional<std::uint32_t> distance(Fluent from, Fluent to) const;
    // The shorter of both ways: where it is not known which of the two goes to meet the other.
    std::optional<std::uint32_t> between(Fluent one, Fluent other) const;
    // From the nearest fluent that holds in the state; nothing where there is none. Arguments left open cost nothing.
    std::optional<std::uint32_t> distance(const machine::State& state, const FluentPattern& target) const;

    // These fluents, as alternatives of a goal, are all there is on their ways: coming nearer to one of them means
    // leaving another, so their distance says nothing (thesis, A.2.2).
    bool complete(std::span<const Fluent> goals) const;
    // The role has a move by which the fluent becomes another one of its family. Then the negation of a distance to it
    // says nothing good: the role is not pushed, it may stay away (thesis, A.2.2).
    bool moved_by(Fluent fluent, Role role) const;

  private:
    static constexpr std::uint16_t never = 0xFFFF;

    struct Measure {
        std::optional<std::size_t> order;
        std::size_t values = 0;
        std::vector<std::uint16_t> steps;  // by number of the value before, then of the value after
        std::uint16_t longest = 0;
    };
    struct FamilyMeasure {
        std::vector<Fluent> members;
        std::vector<std::vector<gdl::Term>> values;  // by argument
        std::vector<Measure> arguments;
        std::uint32_t longest = 0;
    };
    struct Numbers {
        std::uint32_t family = 0;
        std::vector<std::uint16_t> values;  // by argument: number of its value
    };
    friend class ArgumentMeasurer;

    std::uint32_t steps(const FamilyMeasure& family, const Numbers& from,
                        std::span<const std::optional<std::uint16_t>> to) const;

    std::vector<FamilyMeasure> families_;
    std::vector<Numbers> numbers_;             // by fluent
    std::vector<std::vector<bool>> moved_by_;  // by role and fluent
};

}  // namespace stratagem::analysis
