// The variables of terms, as sets of names. For the transformations of clauses; not for inner loops.
#pragma once

#include <algorithm>
#include <set>

#include "gdl/term.h"

namespace stratagem::ground {

using Variables = std::set<gdl::Symbol>;

inline void collect_variables(const gdl::TermPool& terms, gdl::Term term, Variables& variables) {
    if (terms.is_ground(term)) return;
    if (terms.is_variable(term)) {
        variables.insert(terms.symbol(term));
        return;
    }
    for (std::uint32_t i = 0; i < terms.arity(term); ++i) {
        collect_variables(terms, terms.argument(term, i), variables);
    }
}

inline Variables variables_of(const gdl::TermPool& terms, gdl::Term term) {
    Variables variables;
    collect_variables(terms, term, variables);
    return variables;
}

inline bool includes(const Variables& all, const Variables& some) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

}  // namespace stratagem::ground
