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

// The relation of the author that a made one comes from: "p" of "demand p" and of "p 0.f" (unpack.h). Parts and
// disjunctions come from whole rules and keep their names.
inline std::string_view author_name(std::string_view name) {
    if (is_demand_name(name)) name.remove_prefix(demand_prefix.size());
    return is_made_name(name) ? name : name.substr(0, name.find(' '));
}

}  // namespace stratagem::ground
