// How much a computation of game rules may cost, and what happens when that is not enough.
//
// Descriptions come from strangers: a rule may count for ever or build terms without end. Evaluation is therefore
// bounded in facts, in the depth of terms and in time, and says which predicate went too far.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "util/deadline.h"

namespace stratagem::machine {

struct Limits {
    std::size_t max_facts = 5'000'000;  // derived and kept at the same time; some 100 bytes each
    std::size_t max_term_depth = 1000;  // nesting of function terms; printing and reading allow no more
    Deadline deadline = Deadline::never();
    double question_seconds = 60;  // for one question, whatever the deadline; no game that can be played needs so long
};

// A limit was hit; what() names it and the predicate that was being derived.
class LimitExceeded : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The rules have no meaning here: unsafe, not stratified, or with a keyword where it cannot stand. The validity
// check of the language room finds these in the text; this is what remains when it was not asked.
class InvalidRules : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace stratagem::machine
