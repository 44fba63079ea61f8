// How far a state is from an event whose trace a goal asks for, such as that somebody was caught.
//
// A fluent that is set by an event has no place on a board, and is true or false until the event happens. One step back
// through the rules for `next` it is a condition on the state before, and that has a distance, made of the distances of
// fluents in the fluent graph: of a conjunction the sum or the greatest of its parts, of a disjunction the least (what
// Schiffel and Thielscher 2007, section 10, and Michulke and Schiffel 2012 leave to be done). Moves count as what makes
// them legal; what must not hold, and what is recursive, as no distance or one step. Of the alternatives that bring the
// event about the nearer ones count most, but all of them count, so that a second hunter has reason to come.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/formula.h"
#include "evaluate/fuzzy/norms.h"

namespace stratagem::evaluate::fuzzy {

using ground::Fluent;

class Approach {
  public:
    // For one thread.
    struct Memory {
        std::vector<std::uint32_t> near;   // by leaf: steps to it
        std::vector<std::uint32_t> steps;  // by node
    };

    // Measures those of the fluents that an event brings about whose conditions may be two steps away or more.
    Approach(const analysis::RuleIndex& rules, const analysis::FluentGraph& graph, std::span<const Fluent> wanted,
             Settings::Events how, const machine::Stop& stop);

    bool empty() const { return events_.empty(); }
    std::size_t size() const { return events_.size(); }
    bool measures(Fluent fluent) const { return measured_[ground::index(fluent)]; }

    Memory make_memory() const { return {}; }
    // Calls use(fluent, distance in [0, 1]) for each measured fluent; nothing can bring it about: 1.
    template <typename Use>
    void measure(const machine::State& state, Memory& memory, Use&& use) const {
        find_steps(state, memory);
        for (const Event& event : events_) use(event.fluent, distance(event, memory.steps));
    }
    // Of the nearest alternative, in steps of the fluents in it. For people.
    std::optional<std::uint32_t> steps_to(const machine::State& state, Fluent fluent) const;

  private:
    static constexpr std::uint32_t never = 0xFFFFFFU;
    static constexpr std::size_t most_nodes = 20'000;
    static constexpr std::size_t most_distances = 1U << 21;

    enum class Kind : std::uint8_t { here, never, holds, absent, all, one };
    struct Node {
        Kind kind = Kind::here;
        std::uint32_t first = 0, end = 0;  // of its parts; of `holds` the leaf, of `absent` the fluent
    };
    struct Event {
        Fluent fluent{};
        std::vector<std::uint32_t> alternatives;  // nodes
        double farthest = 1;                      // nearness() of where everything is as far away as can be
    };
    struct Leaf {
        Fluent fluent{};
        std::uint32_t otherwise = never;  // from nowhere
        std::uint32_t farthest = 0;
    };
    struct Way {
        std::uint32_t leaf = 0;
        std::uint32_t steps = 0;
    };

    using Graph = analysis::FormulaGraph;
    std::uint32_t add(Graph& graph, Graph::Edge edge, const ground::Program& program);
    std::uint32_t add_leaf(Fluent fluent);
    void add_event(Graph& graph, Fluent fluent, const ground::Program& program);
    void find_ways(const analysis::FluentGraph& graph);
    void keep_far_ones();
    void combine(std::vector<std::uint32_t>& steps, std::size_t number) const;
    void find_steps(const machine::State& state, Memory& memory) const;
    // A mean of the alternatives in which the nearest count most.
    static double nearness(const Event& event, std::span<const std::uint32_t> steps);
    static double distance(const Event& event, std::span<const std::uint32_t> steps);

    Settings::Events how_;
    bool cut_short_ = false;
    std::vector<bool> measured_;  // by fluent
    std::vector<Node> nodes_;     // parts first
    std::vector<std::uint32_t> parts_;
    std::vector<Leaf> leaves_;
    std::vector<std::uint32_t> leaf_of_;  // by fluent
    std::vector<std::vector<Way>> ways_;  // by fluent that holds: how near leaves are from there
    std::vector<Event> events_;
    std::unordered_map<std::uint64_t, std::uint32_t> image_;  // of edges
};

}  // namespace stratagem::evaluate::fuzzy
