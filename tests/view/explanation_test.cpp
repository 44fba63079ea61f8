// Thoughts in words of the game, as far as they fit it.
#include "view/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "machine/machine_games.h"

namespace stratagem::view {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Counting {
    std::unique_ptr<machine::Machine> machine = machine::testing::made(
        machine::testing::described(machine::testing::counting_game), machine::MachineKind::circuit);

    Move move(std::uint32_t role, const std::string& name) { return *machine->find_move(Role{role}, name); }
    Thought thought() {
        search::Choice choice;
        choice.move = move(0, "(add 1)");
        choice.value = 100;
        choice.judged = choice.proved = true;
        choice.depth = 3;
        choice.nodes = 1234;
        choice.line = {{move(0, "(add 1)"), move(1, "noop")}, {move(0, "noop"), move(1, "(add 1)")}};
        return {"thinker", Role{0}, machine->initial(), choice, false};
    }
};

TEST(Explanation, ValueEffortAndLine) {
    Counting game;
    const Explanation told = explain(*game.machine, game.thought());
    EXPECT_EQ(told.move, "(add 1)");
    EXPECT_THAT(told.line, ElementsAre("white (add 1)", "black (add 1)"));
    EXPECT_FALSE(told.line_goes_on);
    EXPECT_EQ(to_text(told, 100),
              "thinker played (add 1) for white: exactly 100 of 100, proved.\n"
              "It looked at 1,234 states, depth 3, 0.00 s.\n"
              "It expects: white (add 1); black (add 1)\n"
              "Proved: no play of the others can lower this value.\n");
    const nlohmann::json json = to_json(told);
    EXPECT_EQ(json.at("value"), 100);
    EXPECT_EQ(json.at("line").size(), 2U);
}

TEST(Explanation, HintsWithoutAnOpinion) {
    Counting game;
    Thought thought = game.thought();
    thought.is_hint = true;
    thought.choice.judged = thought.choice.proved = false;
    thought.choice.nodes = 0;
    thought.choice.line.clear();
    const Explanation told = explain(*game.machine, thought);
    EXPECT_EQ(to_text(told, 100), "thinker would play (add 1) for white: no opinion yet.\nNothing was looked at.\n");
    EXPECT_TRUE(to_json(told).at("value").is_null());
}

TEST(Explanation, ALineThatDoesNotFitEnds) {
    Counting game;
    Thought thought = game.thought();
    thought.choice.line.insert(thought.choice.line.begin() + 1, thought.choice.line.front());  // white moves twice
    EXPECT_THAT(explain(*game.machine, thought).line, ElementsAre("white (add 1)"));
    thought.choice.line = {{game.move(0, "(add 1)")}};
    EXPECT_THAT(explain(*game.machine, thought).line, ElementsAre());
}

TEST(Explanation, NoMove) {
    Counting game;
    Thought thought = game.thought();
    thought.choice.move.reset();
    EXPECT_THAT(to_text(explain(*game.machine, thought), 100), HasSubstr("thinker played nothing for white"));
    EXPECT_TRUE(to_json(explain(*game.machine, thought)).at("move").is_null());
}

}  // namespace
}  // namespace stratagem::view
