// Fluents of which at most one holds, or exactly one: what a cell contains, where a piece stands, whose turn it is.
//
// Hypotheses come from samples: fluents of one family that agree in some arguments (the inputs) and differ in the
// others (the outputs). invariants.h proves them.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/families.h"
#include "analysis/samples.h"
#include "analysis/verdict.h"

namespace stratagem::analysis {

struct Group {
    static constexpr std::uint32_t mixed = 0xFFFFFFFFU;

    std::uint32_t family = mixed;  // of its fluents; mixed: of several
    std::uint32_t outputs = 0;     // bit by argument: those in which the fluents differ
    std::vector<Fluent> fluents;   // ascending
    bool at_most_one = true;       // what is claimed
    bool at_least_one = false;     // besides
    Verdict verdict = Verdict::observed;

    // Whole-object audit: fluents there are, ascending, enough of them for a claim, and something is claimed.
    bool is_consistent(std::size_t fluent_count) const;
};

// What no sample contradicts. No group is part of another one that claims as much.
std::vector<Group> find_groups(const ground::Program& program, std::span<const Family> families, const Samples& samples,
                               const machine::Stop& stop);

}  // namespace stratagem::analysis
