// Monte-Carlo tree search, twice: with all that helps, and plain as a yardstick.
#pragma once

#include "search/registry.h"

namespace stratagem::search {

extern const SearchEntry uct_entry;    // `uct`
extern const SearchEntry plain_entry;  // `mcts-plain`

}  // namespace stratagem::search
