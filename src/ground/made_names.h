// Names of the relations that grounding itself makes. They contain a blank, so no text can contain them.
#pragma once

#include <string_view>

namespace stratagem::ground {

inline constexpr std::string_view demand_prefix = "demand ";  // demand.h
inline constexpr std::string_view part_prefix = "part ";      // split.h
inline constexpr std::string_view either_prefix = "either ";  // clause.h

inline bool is_demand_name(std::string_view name) { return name.starts_with(demand_prefix); }
inline bool is_part_name(std::string_view name) { return name.starts_with(part_prefix); }
inline bool is_made_name(std::string_view name) {
    return is_demand_name(name) || is_part_name(name) || name.starts_with(either_prefix);
}

}  // namespace stratagem::ground
