#include "evaluate/linear/tuples.h"

#include "util/contract.h"

namespace stratagem::evaluate::linear {

Tuples::Tuples(Cells cells, std::uint32_t control, const std::vector<Pattern>& patterns)
    : cells_(std::move(cells)), control_(control) {
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) add({cell}, cells_.contents(cell));
    for (const Pattern& pattern : patterns) {
        std::size_t contents = 1;
        for (const std::uint32_t cell : pattern) contents *= cells_.contents(cell);
        add(pattern, contents);
    }
    finish();
}

void Tuples::add(Pattern pattern, std::size_t contents) {
    first_.push_back(first_.back() + static_cast<std::uint32_t>(contents));
    patterns_.push_back(std::move(pattern));
}

void Tuples::finish() {
    std::vector<std::vector<Use>> uses(cells_.fluent_count());
    for (std::uint32_t tuple = 0; tuple < size(); ++tuple) {
        std::uint32_t stride = 1;
        for (const std::uint32_t cell : patterns_[tuple]) {
            for (const machine::Fluent fluent : cells_.fluents(cell)) {
                uses[ground::index(fluent)].push_back({tuple, stride * cells_.digit(fluent)});
            }
            stride *= static_cast<std::uint32_t>(cells_.contents(cell));
        }
    }
    first_use_.push_back(0);
    for (const std::vector<Use>& one : uses) {
        uses_.insert(uses_.end(), one.begin(), one.end());
        first_use_.push_back(static_cast<std::uint32_t>(uses_.size()));
    }
}

std::vector<std::uint32_t> Tuples::digits(std::size_t tuple, std::uint32_t content) const {
    STRATAGEM_EXPECTS(tuple < size());
    std::vector<std::uint32_t> result;
    for (const std::uint32_t cell : patterns_[tuple]) {
        const auto contents = static_cast<std::uint32_t>(cells_.contents(cell));
        result.push_back(content % contents);
        content /= contents;
    }
    return result;
}

}  // namespace stratagem::evaluate::linear
