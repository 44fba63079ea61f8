// Compiling a game for lanes: phases, and the reasons why a game is not for them.
#include "machine/lanes/lane_game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>

#include "machine/lanes/lane_games.h"

namespace stratagem::machine::lanes {
namespace {

using machine::testing::bundled;
using machine::testing::grounded;
using testing::LanesAndCircuit;

std::string refusal(const std::shared_ptr<const ground::Program>& program, const LaneOptions& options,
                    const Deadline& deadline = Deadline::never()) {
    try {
        const LaneGame game(program, options, deadline);
    } catch (const std::runtime_error& reason) {
        return reason.what();
    }
    return "";
}

TEST(LaneGame, PhasesThatGoRound) {
    LanesAndCircuit lanes(bundled("three_player_tic_tac_toe"));
    const auto& phases = lanes.game->phases();
    ASSERT_EQ(phases.size(), 3U);
    EXPECT_THAT(lanes.game->to_text(), ::testing::HasSubstr("3 phases"));
    // Each step leads from a state of a phase to one of the phase that is said to be next.
    State state = lanes.machine.initial();
    std::vector<Move> legal;
    for (int step = 0; step < 5; ++step) {
        const auto phase = lanes.game->phase_of(state);
        ASSERT_TRUE(phase);
        EXPECT_TRUE(state.holds(phases[*phase].fluent));
        std::vector<Move> joint;
        for (std::uint32_t role = 0; role < lanes.machine.role_count(); ++role) {
            lanes.machine.legal(state, Role{role}, legal);
            joint.push_back(legal.front());
        }
        State next;
        lanes.machine.next(state, joint, next);
        EXPECT_EQ(lanes.game->phase_of(next), phases[*phase].next);
        state = next;
    }
    State nobody = state;
    nobody.flip(phases[*lanes.game->phase_of(state)].fluent);
    EXPECT_EQ(lanes.game->phase_of(nobody), std::nullopt);
}

TEST(LaneGame, OnePhaseWhereTurnsDependOnMovesOrNothingElseIsWanted) {
    const LanesAndCircuit simultaneous(bundled("bidding_tic_tac_toe"));
    EXPECT_EQ(simultaneous.game->phases().size(), 1U);
    LaneOptions options;
    options.lockstep = false;
    LanesAndCircuit lanes(bundled("tic_tac_toe"), options);
    ASSERT_EQ(lanes.game->phases().size(), 1U);
    EXPECT_EQ(lanes.game->phase_of(lanes.machine.initial()), 0U);
    // Knowing who is to move makes the code smaller.
    EXPECT_LT(LanesAndCircuit(bundled("tic_tac_toe")).game->instructions(), lanes.game->instructions());
}

// Whoever is to move may move again, so the fluents of control do not go round whatever happens.
TEST(LaneGame, AnotherTurnIsNoPhase) {
    const LanesAndCircuit lanes(R"(
        (role white) (role black) (init (control white)) (init (count 0))
        (succ 0 1) (succ 1 2) (succ 2 3) (other white black) (other black white)
        (<= (legal ?p keep) (true (control ?p))) (<= (legal ?p pass) (true (control ?p)))
        (<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
        (<= (next (control ?p)) (does ?p keep))
        (<= (next (control ?q)) (does ?p pass) (other ?p ?q))
        (<= (next (count ?m)) (true (count ?n)) (succ ?n ?m))
        (<= terminal (true (count 3)))
        (<= (goal ?p 100) (true (control ?p))) (<= (goal ?p 0) (role ?p) (not (true (control ?p)))))");
    EXPECT_EQ(lanes.game->phases().size(), 1U);
}

TEST(LaneGame, ReasonsForPeople) {
    const auto program = grounded(bundled("connect_four"));
    EXPECT_EQ(refusal(program, {}), "");
    LaneOptions small;
    small.most_nodes = 100;
    EXPECT_THAT(refusal(program, small), ::testing::HasSubstr("more than 100"));
    EXPECT_NE(refusal(program, {}, Deadline::after(std::chrono::seconds(-1))), "");
    const auto recursive = grounded(machine::testing::described(R"(
        (role r) (init (p a)) (n a b) (n b a)
        (<= (legal r (set ?x)) (n ?x ?y))
        (<= (next (p ?x)) (does r (set ?x)))
        (<= (q ?x) (true (p ?x))) (<= (q ?y) (q ?x) (n ?x ?y) (true (p ?x)))
        (<= (q ?x) (q ?y) (n ?x ?y) (true (p ?x)))
        (<= terminal (q b)) (<= (goal r 100) (q a)) (<= (goal r 0) (not (q a))))"));
    EXPECT_THAT(refusal(recursive, {}), ::testing::HasSubstr("recursive"));
}

TEST(LaneGame, MovesAreToldOnlyIfAsked) {
    const auto program = grounded(bundled("tic_tac_toe"));
    LaneOptions options;
    const LaneGame plain(program, options, Deadline::never());
    EXPECT_EQ(plain.phases()[0].step_observed, nullptr);
    options.observe = true;
    const LaneGame observed(program, options, Deadline::never());
    ASSERT_NE(observed.phases()[0].step_observed, nullptr);
    const ResultRows& rows = observed.rows();
    EXPECT_EQ(rows.first_made, rows.first_goal + program->goals.size());
    EXPECT_EQ(rows.count, rows.first_made + 2 * program->moves.size());
    EXPECT_EQ(observed.instructions(), plain.instructions());
}

}  // namespace
}  // namespace stratagem::machine::lanes
