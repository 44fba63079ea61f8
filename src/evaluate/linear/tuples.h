// What a linear evaluation adds up: weights of fluents that hold, and of what a few cells hold that belong together.
//
// A pattern (n-tuple; Bledsoe and Browning 1959, for games Lucas 2008) has a weight for each joint content of its
// cells, and is looked up once for each symmetry that is kept (views.h), all in the same table. Fluents have one weight
// each, the same for those that are alike. A count of markers (Kuhlmann's `#`) and a place in an order (`O[i]`) are
// sums over fluents as well.
//
// A look is a pattern at one image of the state: in every state it is at one entry of a table. What a cell's content
// adds to the places of the looks that see it stands there ready, one row for each content.
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
    // `control`: the cell that says whose turn it is, or as many as there are cells. Patterns: one_of_each.
    Tuples(Cells cells, std::uint32_t control, Views views, std::vector<Pattern> patterns);

    const Cells& cells() const { return cells_; }
    std::uint32_t control() const { return control_; }
    const Views& views() const { return views_; }
    const std::vector<Pattern>& patterns() const { return patterns_; }

    // Entries of weights: one for all states, then fluents that are alike, then contents of patterns.
    std::size_t entries() const { return entries_; }
    std::uint32_t entry_of(std::size_t view, machine::Fluent fluent) const {
        return alike_[views_.of_phase[view].exchange.fluents[ground::index(fluent)]];
    }
    bool is_of_pattern(std::uint32_t entry) const { return !patterns_.empty() && entry >= first_.front(); }

    std::size_t looks() const { return patterns_.size() * views_.kept.size(); }
    // Where a look begins: where all its cells have the content 0.
    std::span<const std::uint32_t> begin(std::size_t view) const { return seen_[view].begin; }
    // The looks that see a cell.
    std::span<const std::uint32_t> looks_at(std::size_t view, std::uint32_t cell) const {
        const Seen& seen = seen_[view];
        return std::span(seen.looks).subspan(seen.first[cell], seen.first[cell + 1] - seen.first[cell]);
    }
    // What each of these adds for a content; for the content 0 nothing.
    const std::uint32_t* steps(std::size_t view, std::uint32_t cell, std::uint32_t content) const {
        const Seen& seen = seen_[view];
        return seen.steps.data() + seen.first_step[cell] +
               std::size_t{content} * (seen.first[cell + 1] - seen.first[cell]);
    }
    // What a look sees, in the order of the pattern: fluents of the state, one for each cell; for nothing one that the
    // cell may hold, and `holds` is false.
    struct Sight {
        machine::Fluent fluent{};
        bool holds = false;
    };
    std::vector<Sight> sights(std::size_t view, std::size_t look, std::uint32_t entry) const;

    std::size_t phases() const { return views_.of_phase.size(); }
    // Whose turn it is; the first where nobody's.
    std::size_t phase(std::span<const std::uint64_t> words) const {
        for (std::size_t i = 1; i < turns_.size(); ++i) {
            if ((words[turns_[i] / 64] >> (turns_[i] % 64) & 1U) != 0) return i;
        }
        return 0;
    }

  private:
    // By view: which looks see a cell, and what its contents add to them.
    struct Seen {
        std::vector<std::uint32_t> begin;  // by look
        std::vector<std::uint32_t> first;  // by cell: its first look
        std::vector<std::uint32_t> looks;
        std::vector<std::size_t> first_step;  // by cell
        std::vector<std::uint32_t> steps;
    };

    void find_alike();
    void see(const Exchange& view);

    Cells cells_;
    std::uint32_t control_;
    Views views_;
    std::vector<Pattern> patterns_;
    std::vector<std::uint32_t> first_;  // entry, by pattern, and the end
    std::vector<std::uint32_t> alike_;  // entry, by fluent
    std::vector<std::uint32_t> turns_;  // fluents, by phase
    std::vector<Seen> seen_;            // by view
    std::size_t entries_ = 0;
};

}  // namespace stratagem::evaluate::linear
