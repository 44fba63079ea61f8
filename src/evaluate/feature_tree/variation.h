// Which features vary: what is the same in every state says nothing (section 7.2.2). What was constant so far is
// watched, and comes back as soon as it changes.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluate/feature_tree/sums.h"

namespace stratagem::evaluate::feature_tree {

class Variation {
  public:
    // Of states of the game the sums are about. Keeps a reference.
    explicit Variation(const Sums& sums);

    // Cheapest where states follow each other.
    void see(const machine::State& state);
    bool varies(std::size_t feature) const { return varies_[feature]; }
    const std::vector<bool>& varying() const { return varies_; }
    std::size_t count() const { return count_; }

  private:
    void drop_varying();

    struct Use {
        std::uint32_t feature = 0;
        std::uint32_t times = 0;
    };

    const Sums& sums_;
    std::vector<std::size_t> first_use_;  // by fluent
    std::vector<Use> uses_;               // of features that were constant when this was made
    std::vector<std::int64_t> change_;    // by feature: against the first state seen
    std::vector<std::uint32_t> touched_;
    std::vector<std::uint64_t> words_;
    std::vector<bool> varies_;
    std::size_t count_ = 0;
    std::size_t count_used_ = 0;  // that varied when uses were made
    bool has_seen_ = false;
};

}  // namespace stratagem::evaluate::feature_tree
