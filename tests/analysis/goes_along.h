// That a game goes along with a symmetry: a state and what it becomes have the same end, goals and legal moves, and
// lead to states of which one becomes the other.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "analysis/samples.h"
#include "analysis/symmetry.h"
#include "machine/machine.h"
#include "machine/random.h"

namespace stratagem::analysis {

inline void expect_to_go_along(const Symmetry& symmetry, machine::Machine& machine, const Sample& sample,
                               machine::Random& random) {
    const State& state = sample.state;
    const State other = symmetry.apply(state);
    ASSERT_EQ(machine.terminal(state), machine.terminal(other));
    std::vector<Move> legal, expected, joint, other_joint(machine.role_count());
    for (std::uint32_t role = 0; role < machine.role_count(); ++role) {
        const Role becomes = symmetry.roles[role];
        ASSERT_EQ(machine.goal(state, Role{role}), machine.goal(other, becomes));
        if (sample.terminal) continue;
        machine.legal(state, Role{role}, legal);
        if (!legal.empty()) joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        expected.clear();
        for (const Move move : legal) expected.push_back(symmetry.moves[ground::index(move)]);
        std::ranges::sort(expected);
        machine.legal(other, becomes, legal);
        ASSERT_EQ(legal, expected);
        if (!joint.empty()) other_joint[ground::index(becomes)] = symmetry.moves[ground::index(joint.back())];
    }
    if (joint.size() < machine.role_count()) return;  // nobody can go on
    State next, other_next;
    machine.next(state, joint, next);
    machine.next(other, other_joint, other_next);
    ASSERT_EQ(symmetry.apply(next), other_next);
}

}  // namespace stratagem::analysis
