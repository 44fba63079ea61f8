// Which features go along with how random games end. The thesis leaves the choice to search (section 4.6), and to
// matches (chapter 7); this is a first guess for those who want one heuristic and name none.
#pragma once

#include <span>
#include <vector>

#include "analysis/samples.h"
#include "evaluate/single/features.h"

namespace stratagem::evaluate::single {

// By feature, then role: the correlation of its value in states of random games with the role's goal value at the end
// of the game; 0 where one of the two never changes.
std::vector<std::vector<double>> promise_of(std::span<const Feature> features, const analysis::Samples& samples,
                                            std::size_t roles, std::size_t fluents, const machine::Stop& stop);

}  // namespace stratagem::evaluate::single
