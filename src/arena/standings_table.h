// What came of many matches, as a table for files.
#pragma once

#include <span>
#include <string>

#include "arena/provenance.h"
#include "arena/standings.h"
#include "arena/table.h"

namespace stratagem::arena {

// Players in this order, each with a row for all games, if there are several, and one for each game it played.
// `labels`: what rows are called, by player.
Table standings_table(const std::string& title, const Standings& standings, std::span<const std::size_t> order,
                      std::span<const std::string> labels, const Provenance& provenance);

}  // namespace stratagem::arena
