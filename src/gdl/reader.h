// The passes behind read(): private to the language room.
#pragma once

#include "gdl/description.h"
#include "gdl/diagnostic.h"

namespace stratagem::gdl {

// Size, encoding, binary content. False: the text cannot be read at all, and why is in `diagnostics`.
bool screen(const Source& source, Diagnostics& diagnostics);

// The notation the text looks like: KIF opens with a parenthesis, infix with a word.
Notation guess_notation(std::string_view text);

// Text to tree. Faults are reported and skipped over, so that one run shows them all.
void read_kif(const Source& source, SymbolTable& symbols, SyntaxTree& tree, Diagnostics& diagnostics);
void read_infix(const Source& source, SymbolTable& symbols, SyntaxTree& tree, Diagnostics& diagnostics);

// Tree to rules. A statement with a fault is reported and left out.
void build_rules(Description& description, Diagnostics& diagnostics);

}  // namespace stratagem::gdl
