// The ordered arguments of a family of fluents: how many steps apart its members are along each of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/analysis.h"

namespace stratagem::evaluate::fuzzy {

using ground::Fluent;

class Axes {
  public:
    // On a board where something is (its ordered inputs), of amounts and other things how much (the ordered outputs).
    Axes(const analysis::Findings& analysis, const analysis::Structure& structure);

    bool empty() const { return axes_.empty(); }
    // Arguments that are not on an axis: members that agree in them are a group.
    std::vector<gdl::Term> rest(Fluent fluent) const;

    struct Apart {
        double part = 0;  // mean over the axes of the steps, divided by the number of values there are
        std::uint32_t steps = 0;
    };
    Apart between(Fluent one, Fluent other) const;

  private:
    static constexpr std::size_t most_values = 512;  // of an argument whose order is not linear

    struct Axis {
        std::uint32_t argument = 0;
        std::uint32_t values = 0;
        double size = 1;                      // what steps are divided by
        std::vector<std::uint32_t> position;  // by value, where the order is linear
        std::vector<std::uint32_t> steps;     // by value and value otherwise
        std::uint32_t between(std::uint32_t a, std::uint32_t b) const;
    };

    std::optional<Axis> make_axis(const analysis::Findings& analysis, std::uint32_t argument, std::size_t order) const;
    std::uint32_t value(Fluent fluent, std::uint32_t argument) const;

    const ground::Program& program_;
    const analysis::Family& family_;
    std::vector<Axis> axes_;
};

}  // namespace stratagem::evaluate::fuzzy
