// Terms and conditions from one line of prefix KIF: what protocols, traces and queries are written in.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "gdl/description.h"

namespace stratagem::machine {

// One term such as "(mark 1 ?x)", folded to lower case. Nothing when the text is not exactly one term, or nested deeper
// than gdl::max_nesting.
std::optional<gdl::Term> parse_term(gdl::TermPool& terms, std::string_view text);

// Literals one after the other: "(true (cell ?x ?y b)) (not (blocked ?x))". Nothing when the text is not that.
std::optional<std::vector<gdl::Literal>> parse_conjunction(gdl::TermPool& terms, std::string_view text);

}  // namespace stratagem::machine
