// Networks as text and as graphs, for people and tests.
#pragma once

#include <string>

#include "evaluate/neural/graded_theory.h"
#include "ground/program.h"

namespace stratagem::evaluate::neural {

// One neuron a line: what it stands for, its parts, weight, bias and limits. Parts come before what depends on them.
std::string to_text(const GradedTheory& graded, const ground::Program& program);
// For Graphviz: goals on top, fluents below; dashed lines are negations.
std::string to_dot(const GradedTheory& graded, const ground::Program& program);

}  // namespace stratagem::evaluate::neural
