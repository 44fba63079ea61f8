// The loop all random games share, and what visitors hear of it.
#include "machine/random_play.h"

#include <gtest/gtest.h>

#include "machine/circuit/circuit_machine.h"
#include "machine/machine_games.h"
#include "machine/playout.h"

namespace stratagem::machine {
namespace {

using testing::bundled;
using testing::described;
using testing::made;

struct Listener : PlayVisitor {
    template <typename Position>
    bool on_state(Position& position, std::size_t step) {
        EXPECT_FALSE(position.terminal());
        EXPECT_EQ(step, states.size());
        states.push_back(position.current());
        return states.size() < enough;
    }
    template <typename Position>
    void on_moves(Position& position, const RandomJoint& joint) {
        EXPECT_EQ(joint.legal.size(), position.role_count());
        for (std::size_t role = 0; role < joint.moves.size(); ++role) {
            EXPECT_NE(std::ranges::find(joint.legal[role], joint.moves[role]), joint.legal[role].end());
        }
        moves.insert(moves.end(), joint.moves.begin(), joint.moves.end());
    }
    template <typename Position>
    void on_end(Position& position, PlayoutEnd how, std::size_t steps) {
        ends.push_back(how);
        made = steps;
        last = position.current();
    }

    std::size_t enough = 1'000'000;
    std::vector<State> states;
    std::vector<Move> moves;
    std::vector<PlayoutEnd> ends;
    std::size_t made = 0;
    State last;
};

TEST(RandomPlay, TellsOfEveryStateAndMoveAndPlaysAsItDoesAlone) {
    for (const MachineKind kind : {MachineKind::circuit, MachineKind::interpreter}) {
        const std::unique_ptr<Machine> machine = made(bundled("tic_tac_toe"), kind);
        RandomPlay play(*machine);
        Random heard(5), alone(5);
        PlayoutOptions options;
        options.record_moves = true;
        for (int game = 0; game < 10; ++game) {
            Listener listener;
            const Playout played = play.play(heard, options, machine->initial(), listener);
            EXPECT_EQ(listener.moves, played.moves);
            EXPECT_EQ(listener.states.size(), played.steps);
            EXPECT_EQ(listener.states.front(), machine->initial());
            EXPECT_EQ(listener.ends, std::vector{PlayoutEnd::terminal});
            EXPECT_EQ(listener.made, played.steps);
            EXPECT_EQ(listener.last, played.last);
            const Playout& again = play.play(alone, options);
            EXPECT_EQ(again.moves, played.moves);
            EXPECT_EQ(again.last, played.last);
        }
    }
}

TEST(RandomPlay, IsLeftWhenAVisitorHasSeenEnough) {
    const std::unique_ptr<Machine> machine = made(bundled("tic_tac_toe"), MachineKind::circuit);
    RandomPlay play(*machine);
    Random random(1);
    Listener listener;
    listener.enough = 3;
    const Playout& played = play.play(random, {}, machine->initial(), listener);
    EXPECT_EQ(played.end, PlayoutEnd::left);
    EXPECT_EQ(played.steps, 2U);
    EXPECT_EQ(played.last, listener.states.back());
    EXPECT_TRUE(played.goals.empty());
    EXPECT_EQ(listener.ends, std::vector{PlayoutEnd::left});
}

TEST(RandomPlay, FollowsACircuitInPlace) {
    const std::unique_ptr<Machine> machine = made(bundled("breakthrough_6x6"), MachineKind::circuit);
    auto& circuit = dynamic_cast<CircuitMachine&>(*machine);
    Random random(3);
    RandomJoint joint;
    std::size_t steps = 0;
    Listener listener;
    circuit.go_to(circuit.initial());
    EXPECT_EQ(play_randomly(circuit, random, {}, joint, steps, listener), PlayoutEnd::terminal);
    ASSERT_EQ(listener.states.size(), steps);
    ASSERT_EQ(listener.moves.size(), 2 * steps);
    State next;
    for (std::size_t step = 0; step < steps; ++step) {
        machine->next(listener.states[step], std::span(listener.moves).subspan(2 * step, 2), next);
        EXPECT_EQ(next, step + 1 < steps ? listener.states[step + 1] : listener.last);
    }
}

TEST(RandomPlay, SaysWhoIsStuck) {
    const std::unique_ptr<Machine> machine = made(described(R"(
        (role a) (role b) (init start) (legal a x) (<= (legal b x) (true start)) (<= (next over) (true start))
        (<= terminal (true never)) (<= (next never) (true never)) (goal a 0) (goal b 0)
    )"),
                                                  MachineKind::circuit);
    RandomPlay play(*machine);
    Random random(1);
    Listener listener;
    const Playout& played = play.play(random, {}, machine->initial(), listener);
    EXPECT_EQ(played.end, PlayoutEnd::no_legal_move);
    EXPECT_EQ(played.stuck, Role{1});
    EXPECT_EQ(listener.states.size(), 2U);
    EXPECT_EQ(listener.moves.size(), 2U);
}

}  // namespace
}  // namespace stratagem::machine
