// What a linear evaluation adds up: one weight for each content of a few cells that belong together.
//
// A tuple is one cell (cells.h), or several (patterns.h; n-tuples, Bledsoe and Browning 1959; for games, Lucas 2008).
// In a state each tuple has exactly one content, so that a value is a sum of as many weights as there are tuples, and a
// fluent that changes moves only those it belongs to. A count of markers (Kuhlmann's `#`) and a place in an order
// (`O[i]`) are such sums as well, over single cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/linear/cells.h"
#include "evaluate/linear/patterns.h"
#include "machine/state.h"

namespace stratagem::evaluate::linear {

class Tuples {
  public:
    // What a fluent does to the content of a tuple, if it holds.
    struct Use {
        std::uint32_t tuple = 0;
        std::uint32_t stride = 0;
    };

    // One for each cell, and one for each pattern. `control`: the cell that says whose turn it
    // is, or as many as there are cells.
    Tuples(Cells cells, std::uint32_t control, const std::vector<Pattern>& patterns);

    const Cells& cells() const { return cells_; }
    std::size_t size() const { return patterns_.size(); }
    std::size_t weight_count() const { return first_.back(); }
    std::size_t pattern_count() const { return size() - cells_.size(); }
    std::size_t fluent_count() const { return first_use_.size() - 1; }
    std::span<const Use> uses(machine::Fluent fluent) const {
        const std::size_t i = ground::index(fluent);
        return std::span(uses_).subspan(first_use_[i], first_use_[i + 1] - first_use_[i]);
    }
    // Of a content of a tuple. Cells are exclusive as far as was seen: should two of their fluents hold at once, the
    // last content stands for it.
    std::uint32_t weight(std::size_t tuple, std::uint32_t content) const {
        const std::uint32_t place = first_[tuple] + content;
        return place < first_[tuple + 1] ? place : first_[tuple + 1] - 1;
    }
    std::uint32_t contents(std::size_t tuple) const { return first_[tuple + 1] - first_[tuple]; }
    const Pattern& pattern(std::size_t tuple) const { return patterns_[tuple]; }
    // What holds in each of its cells: the place in the cell, from 1; 0 for none.
    std::vector<std::uint32_t> digits(std::size_t tuple, std::uint32_t content) const;

    // Whose turn it is makes a value another one, so there is a sum for each. 1 where nothing tells.
    std::size_t phases() const { return control_ < cells_.size() ? cells_.fluents(control_).size() : 1; }
    std::uint32_t control() const { return control_; }
    // Where the contents of all tuples are these.
    std::size_t phase(std::span<const std::uint32_t> contents) const {
        if (control_ >= cells_.size() || contents[control_] == 0) return 0;
        return std::min<std::size_t>(contents[control_], phases()) - 1;
    }

  private:
    void add(Pattern pattern, std::size_t contents);
    void finish();

    Cells cells_;
    std::uint32_t control_;
    std::vector<Pattern> patterns_;         // by tuple; the first are the cells
    std::vector<std::uint32_t> first_{0};   // weight, by tuple
    std::vector<std::uint32_t> first_use_;  // by fluent
    std::vector<Use> uses_;
};

}  // namespace stratagem::evaluate::linear
