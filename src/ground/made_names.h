// Names of the relations that grounding itself makes. They contain a blank, so no text can contain them.
#pragma once

#include <string_view>

namespace stratagem::ground {

inline constexpr std::string_view demand_prefix = "demand ";  // demand.h
inline constexpr std::string_view part_prefix = "part ";      // split.h
inline constexpr std::string_view either_prefix = "either ";  // clause.h
inline constexpr std::string_view copy_prefix = "copy ";      // copies.h

inline bool is_demand_name(std::string_view name) { return name.starts_with(demand_prefix); }
inline bool is_part_name(std::string_view name) { return name.starts_with(part_prefix); }
inline bool is_made_name(std::string_view name) {
    return is_demand_name(name) || is_part_name(name) || name.starts_with(either_prefix) ||
           name.starts_with(copy_prefix);
}

// The relation of the author that a made one comes from: "p" of "demand p/2", of "copy p/2" and of "p/2 0.f"
// (unpack.h). Parts and disjunctions come from whole rules and keep their names.
inline std::string_view author_name(std::string_view name) {
    const bool demanded = is_demand_name(name);
    if (demanded) name.remove_prefix(demand_prefix.size());
    const bool copied = name.starts_with(copy_prefix);
    if (copied) name.remove_prefix(copy_prefix.size());
    if (is_made_name(name)) return name;
    const bool flat = name.find(' ') != std::string_view::npos;
    name = name.substr(0, name.find(' '));
    return demanded || copied || flat ? name.substr(0, name.rfind('/')) : name;
}

}  // namespace stratagem::ground
