// Conditions of goals in words of the rules, for explanations.
#pragma once

#include <span>
#include <string>

#include "ground/program.h"

namespace stratagem::evaluate {

std::string words(const ground::Program& program, ground::Fluent fluent);
// The relation an atom stands for, if the author of the rules gave it a name; empty otherwise.
std::string author_name(const ground::Program& program, ground::Atom atom);
// "(cell 8 ?b white)" for fluents of one name; empty where they are of several, or have no arguments.
std::string common_pattern(const ground::Program& program, std::span<const ground::Fluent> fluents);

}  // namespace stratagem::evaluate
