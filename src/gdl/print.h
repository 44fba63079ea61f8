// Terms and rules as text, on one line, in either notation.
#pragma once

#include <string>
#include <string_view>

#include "gdl/description.h"

namespace stratagem::gdl {

// Lower-case prefix KIF with single spaces: (cell 1 1 b). The form used in protocols, traces and logs.
std::string to_kif(const TermPool& terms, Term term);
std::string to_kif(const TermPool& terms, const Literal& literal);
std::string to_kif(const TermPool& terms, const Rule& rule);

// A word or variable as it must be written in infix so that it reads back as the same symbol.
std::string infix_word(std::string_view name);
std::string infix_variable(std::string_view name);

// Prolog style: cell(1, 1, b).
std::string to_infix(const TermPool& terms, Term term);

}  // namespace stratagem::gdl
