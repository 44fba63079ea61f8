// What was found where: how many leaves and conditions of the goals have which feature, and why others have not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stratagem::evaluate::feature {

// In the order of the thesis's table 4.4, then what it has no count of.
enum class Feature : std::uint8_t {
    solution_cardinality,
    partial_solution_cardinality,
    order,
    variable_distance,
    fixed_distance,
    true_persistence,
    false_persistence,
    mutual_exclusion,
    admissible_distance,
    mobility,
    depth,
    piece_value,
    goal_value,
    counting_chain,
};
constexpr std::size_t feature_kinds = 14;
std::string_view to_string(Feature feature);

class FeatureCounts {
  public:
    struct Skipped {
        std::string_view why;
        std::size_t count = 0;
    };
    struct Count {
        std::size_t found = 0;
        std::vector<Skipped> skipped;
    };

    FeatureCounts() : counts_(feature_kinds) {}

    void find(Feature feature, std::size_t times = 1) { counts_[static_cast<std::size_t>(feature)].found += times; }
    // Looked for and not used. `why` must outlive this.
    void skip(Feature feature, std::string_view why, std::size_t times = 1);
    void add(const FeatureCounts& other);

    const Count& of(Feature feature) const { return counts_[static_cast<std::size_t>(feature)]; }
    std::size_t found(Feature feature) const { return of(feature).found; }
    std::size_t skipped(Feature feature) const;
    // "fixed distance 11; true persistence 4 (skipped: 3 no time)"; features that were neither found nor skipped are
    // left out.
    std::string to_text() const;

  private:
    std::vector<Count> counts_;
};

}  // namespace stratagem::evaluate::feature
