// Short signs for what stands on a board: as few letters as tell the names apart.
#pragma once

#include <map>
#include <set>
#include <string>

namespace stratagem::view {

// The letters at which names part company, reading them from the left: white_king and white_knight and black_king
// become wi, wn and b; black and white b and w. Nothing is assumed about how names are made up. Numbers and names of
// one letter stay as they are, and so do all names where one of them is no plain word.
std::map<std::string, std::string> short_signs(const std::set<std::string>& names);

}  // namespace stratagem::view
