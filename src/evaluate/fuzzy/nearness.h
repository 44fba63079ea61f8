// How far a state is from an atom that does not hold, where the arguments of the atom are ordered: steps of a piece to
// a place on a board, of a quantity to an amount (Schiffel and Thielscher 2007, section 6).
//
// Fluents that agree in all but the ordered arguments are a group: the places where one kind of piece may be, the
// amounts something may have. The distance from an atom is the mean over those of the group that hold, and over the
// arguments, of the steps along the order, divided by the number of values the argument has. Steps are counted in whole
// numbers for each argument by itself, so that a group costs as much as its pieces and places together, not as their
// product, and the result does not depend on the states seen before.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/analysis.h"
#include "evaluate/fuzzy/norms.h"

namespace stratagem::evaluate::fuzzy {

using ground::Fluent;

class Nearness {
  public:
    // What holds, for one thread.
    struct Memory {
        std::vector<std::uint32_t> counts;  // by group, argument and value: fluents that hold
        std::vector<std::uint32_t> pieces;  // by group: fluents that hold
        std::vector<std::uint8_t> changed;  // by group
        std::vector<std::uint32_t> open;    // groups that changed
        std::vector<std::uint64_t> steps;   // by value
        std::vector<double> distance;       // by leaf of a group
    };

    // Where conditions mention a fluent.
    enum class Want : std::uint8_t { not_at_all, in_end, in_goals };
    using Wanted = std::vector<Want>;  // by fluent

    // Measures the fluents that are wanted, as far as their structures are known and asked for.
    Nearness(const analysis::Analysis& analysis, const Settings& settings, const Wanted& wanted);

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
        for (const std::uint32_t group : memory.open) {
            memory.changed[group] = 0;
            measure(groups_[group], group, memory);
            for (std::size_t i = 0; i < groups_[group].leaves.size(); ++i) {
                use(groups_[group].leaves[i], memory.distance[i]);
            }
        }
        memory.open.clear();
    }
    // To the nearest that holds, in steps along all arguments together; nothing if none of the group does. For people.
    std::optional<std::uint64_t> steps_to_nearest(const machine::State& state, Fluent fluent) const;

  private:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;
    static constexpr std::size_t most_values = 512;  // of an argument whose order is not linear

    // The values of an ordered argument.
    struct Dimension {
        std::uint32_t argument = 0;
        std::uint32_t values = 0;
        double size = 1;                      // what steps are divided by
        std::vector<std::uint32_t> position;  // by value, where the order is linear
        std::vector<std::uint32_t> steps;     // by value and value otherwise
        std::uint32_t between(std::uint32_t a, std::uint32_t b) const;
    };
    struct Group {
        std::uint32_t first_dimension = 0;
        std::uint32_t dimension_count = 0;
        std::uint32_t first_count = 0;  // in Memory::counts
        std::vector<Fluent> leaves;     // measured
        std::vector<Fluent> members;
    };

    void add_family(const analysis::Analysis& analysis, std::size_t number, Want least, const Wanted& wanted);
    // The least want for which the structure is measured; nothing if it is not.
    static std::optional<Want> least_want(const analysis::Structure& structure, const Settings& settings);
    static std::vector<std::uint32_t> chosen_arguments(const analysis::Structure& structure);
    std::optional<Dimension> make_dimension(const analysis::Analysis& analysis, const analysis::Family& family,
                                            std::uint32_t argument, std::size_t order) const;
    void measure(const Group& group, std::uint32_t number, Memory& memory) const;

    std::vector<bool> measured_;                   // by fluent
    std::vector<std::uint32_t> group_of_;          // by fluent
    std::vector<std::uint32_t> first_coordinate_;  // by fluent
    std::vector<std::uint32_t> coordinates_;       // numbers of values, by dimension of the group
    std::vector<Dimension> dimensions_;
    std::vector<Group> groups_;
    std::uint32_t count_size_ = 0;
    std::size_t most_leaves_ = 0;
    std::uint32_t most_steps_ = 0;
};

}  // namespace stratagem::evaluate::fuzzy
