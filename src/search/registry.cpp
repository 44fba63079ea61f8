#include "search/registry.h"

#include <array>

#include "search/alpha_beta/alpha_beta.h"
#include "search/max_n/max_n.h"
#include "search/portfolio/portfolio.h"
#include "search/simple/simple.h"
#include "search/single/single.h"
#include "search/solve/solve.h"
#include "search/uct/uct.h"

namespace stratagem::search {

// Every search there is, the plainest first.
std::span<const SearchEntry> search_table() {
    static const std::array table{
        random_entry, legal_entry, alpha_beta_entry, paranoid_entry, max_n_entry,
        single_entry, solve_entry, plain_entry,      uct_entry,      portfolio_entry,
    };
    return table;
}

const SearchEntry* find_search(std::string_view name) {
    for (const SearchEntry& entry : search_table()) {
        if (entry.name == name) return &entry;
    }
    return nullptr;
}

}  // namespace stratagem::search
