// Distances to events whose trace goals ask for.
#include "evaluate/fuzzy/approach.h"

#include <gtest/gtest.h>

#include "evaluate/fuzzy_game.h"

namespace stratagem::evaluate::fuzzy::testing {
namespace {

constexpr std::uint32_t muncher = 0, red_ghost = 1, blue_ghost = 2;

Settings with(Settings::Events events) {
    Settings settings;
    settings.events = events;
    return settings;
}

State chase(const FuzzyGame& game, const std::string& munching, const std::string& red, const std::string& blue) {
    return game.state({"(at muncher " + munching + ")", "(at red_ghost " + red + ")", "(at blue_ghost " + blue + ")",
                       "(pellet 1 1)", "(eaten 20)", "(step 20)"});
}

// "Caught" is the trace of being in one cell: without a way back to that, a ghost sees no reason to move.
TEST(Approach, GhostsComeNearer) {
    const FuzzyGame off(machine::testing::bundled("maze_chase"));
    EXPECT_EQ(off.value(chase(off, "4 1", "1 7", "7 7"), red_ghost),
              off.value(chase(off, "4 1", "1 2", "7 7"), red_ghost));
    for (const Settings::Events how : {Settings::Events::sum, Settings::Events::maximum}) {
        const FuzzyGame game(machine::testing::bundled("maze_chase"), 120, with(how));
        ASSERT_GT(game.evaluator->measured_events(), 0u);
        const auto ghost = [&](const std::string& red, const std::string& blue) {
            return game.value(chase(game, "4 1", red, blue), red_ghost);
        };
        EXPECT_GT(ghost("1 2", "7 7"), ghost("1 7", "7 7"));
        EXPECT_GT(ghost("2 1", "7 7"), ghost("1 2", "7 7"));
        EXPECT_GT(ghost("2 1", "7 2"), ghost("2 1", "7 7")) << "the second one is worth something too";
        EXPECT_EQ(ghost("2 1", "7 2"), game.value(chase(game, "4 1", "2 1", "7 2"), blue_ghost));
    }
}

TEST(Approach, IsExplained) {
    const FuzzyGame game(machine::testing::bundled("maze_chase"), 120, with(Settings::Events::sum));
    const Explanation why = game.evaluator->explain(chase(game, "4 1", "1 7", "7 7"), Role{red_ghost});
    std::string text;
    const auto add = [&](const auto& self, const Explanation& one) -> void {
        text += one.text + "\n";
        for (const Explanation& part : one.parts) self(self, part);
    };
    add(add, why);
    EXPECT_NE(text.find("steps from what brings about caught"), std::string::npos) << text;
}

// Marks on a board are made where one stands: nothing has to come from anywhere.
TEST(Approach, NothingToApproachWhereMarksAreMade) {
    for (const std::string name : {"tic_tac_toe", "connect_four", "hex"}) {
        const FuzzyGame game(machine::testing::bundled(name), 120, with(Settings::Events::sum));
        EXPECT_EQ(game.evaluator->measured_events(), 0u) << name;
    }
}

// What follows states gives the numbers of a fresh start.
TEST(Approach, FollowingIsTheSame) {
    const FuzzyGame game(machine::testing::bundled("maze_chase"), 120, with(Settings::Events::sum));
    const auto following = game.evaluator->start();
    for (const std::string red : {"1 7", "1 6", "1 5", "2 7", "1 1"}) {
        const State state = chase(game, "4 1", red, "7 7");
        for (const std::uint32_t role : {muncher, red_ghost, blue_ghost}) {
            EXPECT_EQ(following->value(state, Role{role}), game.value(state, role));
        }
    }
}

}  // namespace
}  // namespace stratagem::evaluate::fuzzy::testing
