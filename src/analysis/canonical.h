// One state for all that are alike: of the states a state becomes under the symmetries, the one with the least hash.
//
// A search that keeps what it knows by these needs to know it once. Symmetries that change roles are left out, so
// values are the same for the same role. States need not be reachable for this to be right.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/symmetry.h"

namespace stratagem::analysis {

class Canonical {
  public:
    // Of larger groups a part is taken: then states that are alike may keep different representatives.
    static constexpr std::size_t most_symmetries = 48;

    Canonical(const ground::Program& program, const Symmetries& found);

    // 1: there is nothing to exchange.
    std::size_t size() const { return symmetries_.size(); }
    // The symmetry under which `state` becomes its representative.
    const Symmetry& symmetry(const machine::State& state) const;

  private:
    std::vector<Symmetry> symmetries_;
    std::vector<std::uint64_t> hashes_;  // by fluent and symmetry: of what the fluent becomes
};

}  // namespace stratagem::analysis
