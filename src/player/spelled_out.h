// Everything a recipe leaves unsaid, said: for reports, from which people must be able to play the same again.
#pragma once

#include <string>
#include <vector>

#include "player/player.h"

namespace stratagem::player {

// The recipe with every option people may give it and its value, as these settings leave it: "uct:exploration=0.4,…,
// threads=1,table=256,ponder=off". Can be read again as a recipe, and is then the same one.
std::string spelled_out(const Recipe& recipe, const PlayerSettings& settings);

// The searches it chooses among, each with all its options.
std::vector<std::string> searches_spelled_out(const Recipe& recipe);

}  // namespace stratagem::player
