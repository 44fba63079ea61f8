// Features as sums: each one adds up a number for every fluent that holds, 1 for # and a place for O[i]. So does
// whatever weighs features, and a vector of weights for them collapses to one weight for each fluent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/feature_tree/literals.h"
#include "machine/stop.h"

namespace stratagem::evaluate::feature_tree {

class Sums {
  public:
    struct Part {
        machine::Fluent fluent{};
        std::uint32_t times = 0;

        bool operator==(const Part&) const = default;
    };

    // Where time is up, all sums are empty.
    Sums(const FeatureTree& tree, const Literals& literals, const machine::Stop& stop = {});

    bool is_complete() const { return is_complete_; }
    std::size_t features() const { return first_.size() - 1; }
    std::size_t fluents() const { return fluents_; }
    std::size_t parts() const { return parts_.size(); }
    // Ascending, without those that add nothing.
    std::span<const Part> of(std::size_t feature) const {
        return std::span(parts_).subspan(first_[feature], first_[feature + 1] - first_[feature]);
    }
    std::int64_t value(std::size_t feature, const machine::State& state) const;
    // By fluent. Pre: one weight for each feature.
    std::vector<double> collapse(std::span<const double> weights) const;

  private:
    std::size_t fluents_;
    bool is_complete_ = true;
    std::vector<Part> parts_;
    std::vector<std::size_t> first_{0};  // part, by feature
};

}  // namespace stratagem::evaluate::feature_tree
