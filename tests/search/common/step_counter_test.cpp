#include "search/common/step_counter.h"

#include <gmock/gmock.h>

#include "search/search_games.h"

namespace stratagem::search::testing {
namespace {

// A token walks on a ring; there are many ways of different length to the same place. A counter ends the game.
std::string ring(const std::string& end, const std::string& more = "") {
    std::string rules = R"(
        (role white) (role black) (init (at 0)) (init (control white)) (init (step 0))
        (other white black) (other black white)
        (<= (legal ?p stay) (true (control ?p))) (<= (legal ?p on) (true (control ?p)))
        (<= (legal ?p back) (true (control ?p)) (not (true (at 0))))
        (<= (legal ?p noop) (true (control ?q)) (other ?p ?q))
        (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
        (<= (next (at ?x)) (does ?p stay) (true (at ?x)))
        (<= (next (at ?y)) (does ?p on) (true (at ?x)) (follows ?x ?y))
        (<= (next (at ?y)) (does ?p back) (true (at ?x)) (follows ?y ?x))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (follows 0 1) (follows 1 2) (follows 2 3) (follows 3 4) (follows 4 0)
        (<= terminal (true (at 3)))
        (<= (goal white 100) (true (at 3)) (true (control black))) (<= (goal black 0) (true (at 3)) (true (control black)))
        (<= (goal white 0) (true (at 3)) (true (control white))) (<= (goal black 100) (true (at 3)) (true (control white)))
        (<= (goal white 60) (not (true (at 3)))) (<= (goal black 40) (not (true (at 3))))
    )";
    for (int i = 0; i < 12; ++i) rules += "(succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
    return rules + end + more;
}

TEST(StepCounter, IsFoundInTheRules) {
    const Prepared game = prepared_rules(ring("(<= terminal (true (step 12)))"));
    const StepCounter counter = StepCounter::find(*game.problem.game);
    ASSERT_TRUE(counter.exists());
    EXPECT_EQ(counter.chain().size(), 13U);
    EXPECT_EQ(counter.remaining(game.machine->initial()), 12U);
    EXPECT_EQ(counter.remaining(game.late(5, 3)), 7U);
}

TEST(StepCounter, ThroughARelationThatOnlyRenames) {
    const Prepared game = prepared_rules(ring("(<= timeout (true (step 12))) (<= terminal timeout)"));
    EXPECT_TRUE(StepCounter::find(*game.problem.game).exists());
}

TEST(StepCounter, WhatDoesMoreIsNone) {
    const auto found = [](const std::string& rules) {
        const Prepared game = prepared_rules(rules);
        return StepCounter::find(*game.problem.game).exists();
    };
    const std::string end = "(<= terminal (true (step 12)))";
    EXPECT_FALSE(found(ring("")));  // ends nothing
    EXPECT_FALSE(found(ring(end, "(<= (legal ?p jump) (true (control ?p)) (true (step 4)))")));
    EXPECT_FALSE(found(ring(end, "(<= (goal white 99) (true (step 7)))")));
    EXPECT_FALSE(found(ring(end, "(<= (next (at 2)) (true (step 6)))")));
    EXPECT_FALSE(found(ring(end, "(<= (next (step 0)) (does white stay))")));
    EXPECT_FALSE(found(ring("(<= terminal (true (step 12)) (true (control white)))")));
}

TEST(StepCounter, StatesThatDifferInItAloneHaveTheSameHash) {
    const Prepared game = prepared_rules(ring("(<= terminal (true (step 12)))"));
    const StepCounter counter = StepCounter::find(*game.problem.game);
    const State start = game.machine->initial();
    State state = start;
    for (int i = 0; i < 2; ++i) {  // both stay
        std::vector<Move> joint;
        for (std::uint32_t role = 0; role < 2; ++role) {
            joint.push_back(game.move(role, game.mover(state) == role ? "stay" : "noop"));
        }
        State next;
        game.machine->next(state, joint, next);
        state = next;
    }
    EXPECT_NE(state.hash(), start.hash());
    EXPECT_EQ(counter.masked_hash(state), counter.masked_hash(start));
    EXPECT_NE(counter.masked_hash(game.walk(1, 1)), counter.masked_hash(start));
}

// White needs six moves to the end of a lane, and may dawdle; the counter leaves him just enough time.
std::string race() {
    std::string rules = R"(
        (role white) (role black) (init (at 0)) (init (control white)) (init (step 0))
        (other white black) (other black white)
        (<= (legal white dawdle) (true (control white))) (<= (legal white on) (true (control white)))
        (<= (legal black left) (true (control black))) (<= (legal black right) (true (control black)))
        (<= (legal ?p noop) (true (control ?q)) (other ?p ?q))
        (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
        (<= (next (at ?m)) (does white on) (true (at ?n)) (succ ?n ?m))
        (<= (next (at ?n)) (not (does white on)) (true (at ?n)))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= terminal (true (at 6))) (<= terminal (true (step 16)))
        (<= (goal white 100) (true (at 6))) (<= (goal black 0) (true (at 6)))
        (<= (goal white 20) (not (true (at 6)))) (<= (goal black 80) (not (true (at 6))))
    )";
    for (int i = 0; i < 16; ++i) rules += "(succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
    return rules;
}

// With the counter left out of the keys every value must still be right, also close to the end of the counter.
TEST(StepCounter, MaskedSearchIsExact) {
    for (const std::string& rules : {ring("(<= terminal (true (step 12)))"), race()}) {
        const Prepared game = prepared_rules(rules);
        ASSERT_TRUE(StepCounter::find(*game.problem.game).exists());
        const std::vector<State> states = game.reachable();
        ASSERT_GT(states.size(), 30U);
        for (const std::string options : {"mask=on,teams=off", "mask=on,teams=off,nonuniform=on"}) {
            for (std::uint32_t role = 0; role < 2; ++role) {
                PlainMinimax plain = plain_against_all(*game.machine, role);
                const std::unique_ptr<Search> search = game.make("paranoid", options);  // one table for all states
                for (int round = 0; round < 2; ++round) {
                    for (const State& state : states) {
                        const Choice choice = search->choose(state, Role{role}, {});
                        ASSERT_TRUE(choice.proved);
                        ASSERT_EQ(choice.value, plain.value(state)) << options;
                        ASSERT_EQ(plain.value_of_move(state, *choice.move), choice.value) << options;
                    }
                }
            }
        }
    }
}

}  // namespace
}  // namespace stratagem::search::testing
