// From a clause and a way of calling it to code.
#pragma once

#include "machine/interpreter/orderer.h"
#include "machine/interpreter/patterns.h"

namespace stratagem::machine::interpreter {

// Fills in the code of a pattern's clauses. Patterns it calls are added to `patterns`, to be compiled when called.
// Indexes it needs are registered with the relations of `rulebook`.
void compile(CallPattern& pattern, Rulebook& rulebook, const gdl::TermPool& terms, Orderer& orderer,
             Patterns& patterns);

}  // namespace stratagem::machine::interpreter
