// A description printed for people: stable, idempotent, comments kept.
#pragma once

#include <string>

#include "gdl/description.h"

namespace stratagem::gdl {

// Prints the syntax tree in the wanted notation, whichever it was read from. Formatting the result again gives the
// same text; reading it gives the same rules.
// Pre: the description was read without errors. Not checked: it does not know what its reader said of it; of a text
// with errors, what could not be read is missing.
std::string format(const Description& description, Notation notation);

}  // namespace stratagem::gdl
