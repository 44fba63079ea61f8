// Student's t: how often chance alone would give means that lie so far apart.
#pragma once

#include <span>

namespace stratagem::learn {

// What |t| exceeds with so many degrees of freedom, as a probability. Pre: freedom > 0.
double student_t_beyond(double t, double freedom);

// Of differences within pairs: the probability of a mean at least as far from nothing, were it nothing. 1 for fewer
// than two, or all nothing. Where all are the same, t says that this cannot be chance, however few they are; then it is
// how often so many signs would be the same.
double paired_t_test(std::span<const double> differences);

}  // namespace stratagem::learn
