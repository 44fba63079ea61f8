// How fluents come about: for each one a cover, fluents one of which must have held a step before.
//
// Paths in this graph are never longer than the game itself needs, so their lengths are admissible distances (seed:
// Michulke and Schiffel, "Distance features in general game playing", 2012). Covers are computed on the shared rules
// instead of a normal form, which would be exponential: a fluent covers itself, a move what makes it legal, an
// alternative the union of its branches, a conjunction the best of its parts. A negation, or a rule without conditions,
// covers nothing: the fluent may come from nowhere.
//
// Any part of a conjunction would be right; the best is one that adds no new source, then one of a kind that is clearly
// rarer in the sampled states (that a piece stood where it came from says more than that the square it went to was
// empty; fluents that differ in ordered arguments only are of one kind), then the one whose terms are most similar,
// then the smaller one; of parts that are equally good all of them together. What is new depends on the rules that were
// looked at before: these are looked at in a neutral order, those that are alike at once. So covers depend on nothing
// but what the rules say.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "analysis/argument_orders.h"
#include "analysis/frame.h"
#include "machine/state.h"
#include "machine/stop.h"

namespace stratagem::analysis {

// What is common to fluents that differ in ordered arguments only.
struct FluentKinds {
    // Where time is up, nothing is known of how often they hold.
    FluentKinds(const ground::Program& program, std::span<const Family> families, const ArgumentOrders& orders,
                const Samples& samples, const machine::Stop& stop);

    std::vector<double> often;  // by fluent: mean part of the samples in which one of its kind holds
    std::vector<const std::vector<std::optional<std::size_t>>*> orders;  // by fluent: of its arguments
    // What is alike, so that no choice depends on numbers; null: nothing is.
    std::shared_ptr<const NeutralOrder> neutral;
};

class FluentGraph {
  public:
    static constexpr std::uint16_t never = std::numeric_limits<std::uint16_t>::max();

    // What is not finished when `stop` says so comes from nowhere, which makes its distances small but not wrong.
    FluentGraph(const RuleIndex& index, const FluentKinds& kinds, const machine::Stop& stop);

    struct Sources {
        bool from_nowhere = false;
        std::vector<Fluent> fluents;  // ascending
    };
    // Of which at least one held before, whenever the fluent holds after a step.
    const Sources& sources(Fluent fluent) const { return sources_[ground::index(fluent)]; }
    // Fluents whose cover was computed in time.
    std::size_t complete() const { return complete_; }
    std::size_t edges() const;

    // By fluent: the least number of steps from a state in which it holds to one in which `target` does; `never`, if
    // there is no path. The last entry is for what holds in every state: nothing.
    std::vector<std::uint16_t> distances_to(Fluent target) const;
    // The least number of steps from a state, by a table of distances_to().
    static std::uint16_t distance(const machine::State& state, std::span<const std::uint16_t> table);

  private:
    std::vector<Sources> sources_;  // by fluent
    std::size_t complete_ = 0;
};

}  // namespace stratagem::analysis
