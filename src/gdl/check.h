// Validity of a description as far as it can be seen without playing: conditions 1 to 6 of the language.
//
//   1 arities   2 what may stand in a head   3 what may depend on true and does
//   4 safety    5 stratified negation        6 the recursion restriction (a warning where only it fails)
//
// Sources: Love, Hinrichs, Haley, Schkufza, Genesereth, "General Game Playing: Game Description Language
// Specification" (2008), definitions 9 to 17. Where systems in use accept more than the letter allows, and the
// meaning is clear, the deviation is a warning.
#pragma once

#include "gdl/description.h"
#include "gdl/diagnostic.h"

namespace stratagem::gdl {

void check(const Description& description, Diagnostics& diagnostics);

// It finds no errors.
bool passes_check(const Description& description);

}  // namespace stratagem::gdl
