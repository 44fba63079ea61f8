// The two players everything is measured against: chance, and the first legal move. Neither looks ahead.
#pragma once

#include "search/registry.h"

namespace stratagem::search {

extern const SearchEntry random_entry;
extern const SearchEntry legal_entry;

}  // namespace stratagem::search
