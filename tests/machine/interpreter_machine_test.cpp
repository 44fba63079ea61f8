#include "machine/interpreter_machine.h"

#include <gmock/gmock.h>

#include "machine/machine_games.h"
#include "machine/machine_text.h"

namespace stratagem::machine {
namespace {

using testing::bundled;
using testing::counting_game;
using testing::described;
using ::testing::ElementsAre;

constexpr Role white{0};
constexpr Role black{1};

std::vector<std::string> legal_names(Machine& machine, const State& state, Role role) {
    std::vector<Move> moves;
    machine.legal(state, role, moves);
    EXPECT_TRUE(std::ranges::is_sorted(moves));
    return move_names(machine, moves);
}

TEST(InterpreterMachine, AnswersTheFiveQuestions) {
    InterpreterMachine machine(described(counting_game));
    EXPECT_THAT(role_names(machine), ElementsAre("white", "black"));
    EXPECT_EQ(state_text(machine, machine.initial()), "(control white) (count 0)");
    EXPECT_FALSE(machine.terminal(machine.initial()));
    EXPECT_THAT(legal_names(machine, machine.initial(), white), ::testing::UnorderedElementsAre("(add 1)", "(add 2)"));
    EXPECT_THAT(legal_names(machine, machine.initial(), black), ElementsAre("noop"));
    EXPECT_EQ(machine.goal(machine.initial(), white), 0);
    EXPECT_EQ(machine.goal(machine.initial(), black), std::nullopt);

    const std::vector<Move> joint = {*machine.find_move(white, "(add 2)"), *machine.find_move(black, "noop")};
    State next;
    machine.next(machine.initial(), joint, next);
    EXPECT_EQ(state_text(machine, next), "(control black) (count 2)");
}

TEST(InterpreterMachine, AMoveBelongsToOneRole) {
    InterpreterMachine machine(described(counting_game));
    const std::optional<Move> of_white = machine.find_move(white, "noop");
    const std::optional<Move> of_black = machine.find_move(black, "noop");
    ASSERT_TRUE(of_white && of_black);
    EXPECT_NE(*of_white, *of_black);
    EXPECT_EQ(machine.move_name(*of_white), machine.move_name(*of_black));
    EXPECT_EQ(machine.find_move(white, "noop"), of_white);
}

TEST(InterpreterMachine, FindsFluentsByNameInAnyCase) {
    InterpreterMachine machine(described(counting_game));
    const std::optional<Fluent> fluent = machine.find_fluent("(count 0)");
    ASSERT_TRUE(fluent);
    EXPECT_TRUE(machine.initial().holds(*fluent));
    EXPECT_EQ(machine.find_fluent("(COUNT 0)"), fluent);
    EXPECT_FALSE(machine.find_fluent("(count ?x)"));
    EXPECT_FALSE(machine.find_fluent("(count 0"));
    EXPECT_FALSE(machine.find_move(white, ""));
}

TEST(InterpreterMachine, AStateMadeByHandIsAsGoodAsOneReached) {
    InterpreterMachine machine(described(counting_game));
    State state;
    state.insert(*machine.find_fluent("(count 3)"));
    state.insert(*machine.find_fluent("(control black)"));
    EXPECT_TRUE(machine.terminal(state));
    EXPECT_EQ(machine.goal(state, white), 100);
    EXPECT_EQ(machine.goal(state, black), 0);
    // And the machine goes back to where it was.
    EXPECT_FALSE(machine.terminal(machine.initial()));
}

TEST(InterpreterMachine, GoalsThatAreNoIntegersDoNotCount) {
    InterpreterMachine machine(described(R"(
        (role a) (role b) (init p)
        (legal a go) (legal b go) (<= (next p) (true p)) (<= terminal (true p))
        (goal a 30) (goal a much) (goal b 10) (goal b 20))"));
    EXPECT_EQ(machine.goal(machine.initial(), Role{0}), 30);
    EXPECT_EQ(machine.goal(machine.initial(), Role{1}), std::nullopt);
}

TEST(InterpreterMachine, LimitsAreReportedAndLeaveItUsable) {
    Limits limits;
    limits.max_term_depth = 20;
    InterpreterMachine machine(described(R"(
        (role a) (role b) (init start)
        (number 0) (<= (number (s ?x)) (number ?x))
        (<= (legal a (say ?x)) (number ?x)) (legal b go)
        (<= (next done) (does b go))
        (<= terminal (true done))
        (goal a 100) (goal b 100))"),
                               limits);
    std::vector<Move> moves;
    EXPECT_THROW(machine.legal(machine.initial(), Role{0}, moves), LimitExceeded);
    EXPECT_THAT(legal_names(machine, machine.initial(), Role{1}), ElementsAre("go"));
}

// Two machines of one game, asked different questions first, so that each meets the names in an order of its own.
TEST(InterpreterMachine, MachinesOfOneGameUnderstandEachOther) {
    const gdl::Description description = bundled("tic_tac_toe");
    MachineOptions options;
    options.kind = MachineKind::interpreter;
    const GdlGame game(description, options);
    const std::unique_ptr<Machine> ahead = game.make();
    const std::unique_ptr<Machine> behind = game.make();
    State state = ahead->initial();
    State next;
    std::vector<Move> moves;
    std::vector<Move> joint(ahead->role_count());
    while (!ahead->terminal(state)) {
        for (std::uint32_t role = 0; role < joint.size(); ++role) {
            ahead->legal(state, Role{role}, moves);
            joint[role] = moves[moves.size() / 2];
        }
        ahead->next(state, joint, next);
        state = next;
    }
    EXPECT_EQ(state_text(*behind, state), state_text(*ahead, state));
    EXPECT_TRUE(behind->terminal(state));
    EXPECT_EQ(behind->goal(state, Role{0}), ahead->goal(state, Role{0}));
    State from_behind;
    behind->next(behind->initial(), joint, from_behind);  // moves of the other machine, never met by this one
    ahead->next(ahead->initial(), joint, next);
    EXPECT_EQ(from_behind, next);
    EXPECT_EQ(ahead->find_move(Role{0}, "(mark 2 2)"), behind->find_move(Role{0}, "(mark 2 2)"));
}

}  // namespace
}  // namespace stratagem::machine
