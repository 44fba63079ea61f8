// How far a state is from an atom that does not hold, where the arguments of the atom are ordered: steps of a piece to
// a place on a board, of a quantity to an amount (Schiffel and Thielscher 2007, section 6).
//
// Fluents that agree in all but the ordered arguments are a group: the places where one kind of piece may be, the
// amounts something may have. The distance from an atom is the mean over those of the group that hold. Of pieces on
// boards it is counted in moves, as far as the fluent graph knows how they move, so that a knight is as far away as its
// jumps; else, for stones that stay where they are put and for all other structures, it is the mean over the arguments
// of the steps along their orders. Distances are kept in a table as whole numbers: a fluent that changes is added or
// taken away, and the result does not depend on the states seen before.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/analysis.h"
#include "evaluate/fuzzy/axes.h"
#include "evaluate/fuzzy/norms.h"

namespace stratagem::evaluate::fuzzy {

using ground::Fluent;

class Nearness {
  public:
    // What holds, for one thread.
    struct Memory {
        std::vector<std::uint64_t> sums;    // by leaf of a group: distances from the fluents that hold
        std::vector<std::uint32_t> pieces;  // by group: fluents that hold
        std::vector<std::uint8_t> changed;  // by group
        std::vector<std::uint32_t> open;    // groups that changed
    };

    // Where conditions mention a fluent.
    enum class Want : std::uint8_t { not_at_all, in_end, in_goals };
    using Wanted = std::vector<Want>;  // by fluent

    // Measures the fluents that are wanted, as far as their structures are known and asked for.
    Nearness(const analysis::Findings& analysis, const Settings& settings, const Wanted& wanted);

    // Whether the fluent has a distance.
    bool measures(Fluent fluent) const { return measured_[ground::index(fluent)]; }
    std::size_t group_count() const { return groups_.size(); }

    Memory make_memory() const;
    // The fluent now holds, or no longer.
    void flip(Fluent fluent, bool holds, Memory& memory) const;
    // Calls use(fluent, distance in [0, 1]) for each measured fluent of a group that changed since, holding or not;
    // nothing of the group holds: 1.
    template <typename Use>
    void for_each_change(Memory& memory, Use&& use) const {
        for (const std::uint32_t number : memory.open) {
            memory.changed[number] = 0;
            const Group& group = groups_[number];
            const double whole = static_cast<double>(memory.pieces[number]) * scale;
            for (std::size_t i = 0; i < group.leaves.size(); ++i) {
                const auto sum = static_cast<double>(memory.sums[group.first_sum + i]);
                use(group.leaves[i], whole == 0 ? 1.0 : sum / whole);
            }
        }
        memory.open.clear();
    }
    // To the nearest that holds, in moves or in steps along all arguments together; nothing if no way leads there. For
    // people.
    std::optional<std::uint32_t> steps_to_nearest(const machine::State& state, Fluent fluent) const;

  private:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;
    static constexpr std::uint32_t scale = 1U << 24;         // a distance of 1
    static constexpr std::size_t most_distances = 1U << 22;  // of one group

    struct Group {
        std::size_t first_sum = 0;       // in Memory::sums
        std::size_t first_distance = 0;  // in distances_: by member and leaf
        std::vector<Fluent> leaves;      // measured
        std::vector<Fluent> members;
    };
    struct Distance {
        std::uint32_t part = scale;  // of what is farthest
        std::uint32_t steps = none;
    };

    void add_family(const analysis::Findings& analysis, std::size_t number, const Settings& settings, Want least,
                    const Wanted& wanted);
    void add_group(const analysis::Findings& analysis, Group group, bool moving, const Axes& axes);
    // By member: to the leaf.
    static std::optional<std::vector<Distance>> by_moves(const analysis::FluentGraph& graph, const Group& group,
                                                         Fluent leaf);
    static std::vector<Distance> by_axes(const Axes& axes, const Group& group, Fluent leaf);
    // The least want for which the structure is measured; nothing if it is not.
    static std::optional<Want> least_want(const analysis::Structure& structure, const Settings& settings);

    std::vector<bool> measured_;           // by fluent
    std::vector<std::uint32_t> group_of_;  // by fluent
    std::vector<std::uint32_t> place_;     // by fluent: among the members of its group
    std::vector<Group> groups_;
    std::vector<Distance> distances_;
    std::size_t sum_count_ = 0;
};

}  // namespace stratagem::evaluate::fuzzy
