#include "evaluate/linear/tuples.h"

#include <algorithm>

#include "util/contract.h"
#include "util/disjoint_sets.h"

namespace stratagem::evaluate::linear {

Tuples::Tuples(Cells cells, std::uint32_t control, Views views, std::vector<Pattern> patterns)
    : cells_(std::move(cells)), control_(control), views_(std::move(views)), patterns_(std::move(patterns)) {
    STRATAGEM_EXPECTS(!views_.kept.empty() && !views_.of_phase.empty());
    find_alike();
    first_.push_back(static_cast<std::uint32_t>(entries_));
    for (const Pattern& pattern : patterns_) {
        std::size_t contents = 1;
        for (const std::uint32_t cell : pattern) contents *= cells_.contents(cell);
        first_.push_back(first_.back() + static_cast<std::uint32_t>(contents));
    }
    entries_ = first_.back();
    for (const Views::View& view : views_.of_phase) see(view.exchange);
    if (control_ < cells_.size()) {
        for (const machine::Fluent fluent : cells_.fluents(control_)) turns_.push_back(ground::index(fluent));
    }
}

void Tuples::find_alike() {
    DisjointSets alike(cells_.fluent_count());
    for (const Exchange& one : views_.kept) {
        for (std::uint32_t fluent = 0; fluent < one.fluents.size(); ++fluent) alike.join(fluent, one.fluents[fluent]);
    }
    entries_ = 1;
    std::vector<std::uint32_t> entry(cells_.fluent_count(), 0);
    for (std::uint32_t fluent = 0; fluent < cells_.fluent_count(); ++fluent) {
        std::uint32_t& of_root = entry[alike.root(fluent)];
        if (of_root == 0) of_root = static_cast<std::uint32_t>(entries_++);
        alike_.push_back(of_root);
    }
}

void Tuples::see(const Exchange& view) {
    struct Use {
        std::uint32_t look;
        std::vector<std::uint32_t> adds;  // by content of the cell
    };
    std::vector<std::vector<Use>> uses(cells_.size());
    Seen& seen = seen_.emplace_back();
    std::uint32_t look = 0;
    for (std::size_t pattern = 0; pattern < patterns_.size(); ++pattern) {
        for (const Exchange& kept : views_.kept) {
            const auto image = [&](machine::Fluent fluent) {
                return machine::Fluent{kept.fluents[view.fluents[ground::index(fluent)]]};
            };
            // Which cell of the state is seen in the place of each cell.
            std::uint32_t begin = first_[pattern], stride = 1;
            for (const std::uint32_t place : patterns_[pattern]) {
                std::uint32_t cell = 0;
                while (cells_.cell_of(image(cells_.fluents(cell).front())) != place) ++cell;
                std::vector<std::uint32_t> adds(cells_.is_full(cell) ? 0 : 1, 0U);
                for (const machine::Fluent fluent : cells_.fluents(cell)) {
                    adds.push_back(stride * cells_.digit(image(fluent)));
                }
                const std::uint32_t least = adds.front();
                begin += least;
                for (std::uint32_t& one : adds) one -= least;  // may wrap around, and back again
                uses[cell].push_back({look, std::move(adds)});
                stride *= static_cast<std::uint32_t>(cells_.contents(place));
            }
            seen.begin.push_back(begin);
            ++look;
        }
    }
    seen.first.push_back(0);
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
        for (const Use& use : uses[cell]) seen.looks.push_back(use.look);
        seen.first.push_back(static_cast<std::uint32_t>(seen.looks.size()));
        seen.first_step.push_back(seen.steps.size());
        for (std::size_t content = 0; content < cells_.contents(cell); ++content) {
            for (const Use& use : uses[cell]) seen.steps.push_back(use.adds[content]);
        }
    }
}

std::vector<Tuples::Sight> Tuples::sights(std::size_t view, std::size_t look, std::uint32_t entry) const {
    STRATAGEM_EXPECTS(look < looks());
    const std::size_t pattern = look / views_.kept.size();
    const Exchange& kept = views_.kept[look % views_.kept.size()];
    const Exchange& viewed = views_.of_phase[view].exchange;
    std::uint32_t content = entry - first_[pattern];
    std::vector<Sight> result;
    for (const std::uint32_t place : patterns_[pattern]) {
        const auto contents = static_cast<std::uint32_t>(cells_.contents(place));
        Sight sight;
        for (std::uint32_t i = 0; i < cells_.fluent_count(); ++i) {
            const machine::Fluent image{kept.fluents[viewed.fluents[i]]};
            if (cells_.cell_of(image) != place) continue;
            sight.fluent = machine::Fluent{i};
            sight.holds = cells_.digit(image) == content % contents;
            if (sight.holds) break;
        }
        result.push_back(sight);
        content /= contents;
    }
    return result;
}

}  // namespace stratagem::evaluate::linear
