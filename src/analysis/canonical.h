// One state for all that are alike: of the states a state becomes under the symmetries, the one with the least hash.
//
// A search that keeps what it knows by these needs to know it once. Symmetries that change roles are left out, so
// values are the same for the same role. States need not be reachable for this to be right. The symmetries are a group
// (symmetry_group.h), so that states that are alike under them have the same representative.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/symmetry.h"

namespace stratagem::analysis {

class Canonical {
  public:
    // Of larger groups a smaller one inside is taken: then fewer states are alike.
    static constexpr std::size_t most_symmetries = 1024;

    Canonical(const ground::Program& program, const Symmetries& found);

    // 1: there is nothing to exchange.
    std::size_t size() const { return symmetries_.size(); }
    const std::vector<Symmetry>& symmetries() const { return symmetries_; }
    // The symmetry under which `state` becomes its representative.
    const Symmetry& symmetry(const machine::State& state) const;
    machine::State representative(const machine::State& state) const { return symmetry(state).apply(state); }

  private:
    std::vector<Symmetry> symmetries_;
    std::vector<std::uint64_t> hashes_;  // by fluent and symmetry: of what the fluent becomes
};

}  // namespace stratagem::analysis
