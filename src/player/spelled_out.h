// Everything a recipe leaves unsaid, said: for reports, from which people must be able to play the same again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "player/player.h"

namespace stratagem::player {

// The recipe with every option people may give it and its value, as these settings leave it: "uct:exploration=0.2,…,
// threads=1,table=256,ponder=off". Can be read again as a recipe, and is then the same one.
std::string spelled_out(const Recipe& recipe, const PlayerSettings& settings);

// The searches it chooses among, each with all its options.
std::vector<std::string> searches_spelled_out(const Recipe& recipe);

// An option of one or more of its searches, with the value that it has in these.
struct SearchOption {
    Option option;
    std::string value;
    std::vector<std::string_view> searches;
};
// All of them. One name comes up more than once where searches have different values for it.
std::vector<SearchOption> search_options(const Recipe& recipe);

}  // namespace stratagem::player
