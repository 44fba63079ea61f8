// From first-order rules to a finite propositional program.
//
// Static relations are evaluated once, stratum by stratum. Then fluents, moves and derived atoms that can ever hold
// are found by one joint fixpoint of init, next and legal in which a negated state-dependent atom may always be false;
// each instance of a rule is found exactly once on the way. `base` and `input` play no part.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "gdl/description.h"
#include "ground/program.h"
#include "util/deadline.h"

namespace stratagem::ground {

struct GroundLimits {
    Deadline deadline = Deadline::never();  // a flag in it ends grounding, too
    std::size_t max_bytes = std::size_t{4} << 30;
    std::size_t max_term_depth = 500;
};

struct GroundResult {
    std::optional<Program> program;
    std::string failure;     // why there is no program: which limit was hit, or what cannot be grounded
    bool limit_hit = false;  // the failure is one of time or memory
    std::size_t peak_bytes = 0;
};

// Pre: the description passed the check (no errors).
GroundResult ground(const gdl::Description& description, const GroundLimits& limits = {});

}  // namespace stratagem::ground
