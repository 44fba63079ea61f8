// Rules as text that depends on nothing but the rules: what records keep, and what tells two games apart.
#pragma once

#include <string>
#include <string_view>

#include "gdl/description.h"

namespace stratagem::gdl {

// One rule to a line, in prefix KIF and in the order of the text, without comments. Reading it gives the same rules.
std::string rules_text(const Description& description);

// A number over that text, in hexadecimal: the same for the same rules in the same order, whatever their layout.
std::string rules_hash(std::string_view rules_text);

}  // namespace stratagem::gdl
