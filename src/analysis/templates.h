// Structures found as Kuhlmann's thesis finds them (sections 4.1 and 4.2): by templates that rules match, and by random
// play that strikes out hypotheses.
//
//   successor relations   static binary relations that order their elements totally
//   step counters         next(c ?y) <- true(c ?x), s(?x, ?y) for a successor relation s: here the ground instances,
//                         whose only condition is the number before
//   boards                every functor of the state is one at first, with each of its arguments as the content; a
//                         choice goes as soon as a state has two contents for the same other arguments
//   quantities            the same where the content is ordered by a successor relation
//   pieces                every marker is one at first, until it lies in two cells at once
//   teams                 all roles are one at first; roles part at an end where they get different values
//
// An argument counts as ordered by the smallest successor relation that knows all its values. What the thesis leaves
// open: where a board with all its coordinates ordered is left among the choices for a functor, the others are dropped,
// and an argument that has one value only is no content. Names play no part.
#pragma once

#include "analysis/plain_structures.h"

namespace stratagem::analysis {

// The thesis has at least 50 states; any number will do. Not complete when `stop` says so in the middle.
PlainStructures find_by_templates(const ground::Program& program, const Samples& samples, const machine::Stop& stop);

}  // namespace stratagem::analysis
