#include "machine/gdl_game.h"

#include <gmock/gmock.h>

#include "machine/circuit/circuit.h"
#include "machine/machine_games.h"
#include "machine/machine_text.h"

namespace stratagem::machine {
namespace {

using testing::bundled;
using testing::counting_game;
using testing::described;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(MachineTable, NamesGoBothWays) {
    for (const MachineEntry& entry : machine_table()) {
        EXPECT_EQ(find_machine(entry.name), entry.kind);
        EXPECT_EQ(to_string(entry.kind), entry.name);
        EXPECT_THAT(std::string(entry.about), ::testing::Not(IsEmpty()));
    }
    EXPECT_EQ(find_machine("circuits"), std::nullopt);
    EXPECT_EQ(find_machine(""), std::nullopt);
}

TEST(GdlGame, MakesTheMachineAskedFor) {
    const gdl::Description description = described(counting_game);
    for (const MachineEntry& entry : machine_table()) {
        MachineOptions options;
        options.kind = entry.kind;
        const GdlGame game(description, options);
        EXPECT_EQ(game.kind(), entry.kind);
        EXPECT_THAT(game.note(), IsEmpty());
        EXPECT_EQ(game.circuit() == nullptr, entry.kind == MachineKind::interpreter);
        const std::unique_ptr<Machine> machine = game.make();
        EXPECT_EQ(state_text(*machine, machine->initial()), "(control white) (count 0)");
    }
}

TEST(GdlGame, CountsWhatItBuilt) {
    const GdlGame game(described(counting_game));
    const MachineStatistics& statistics = game.statistics();
    EXPECT_EQ(statistics.roles, 2U);
    EXPECT_EQ(statistics.fluents, 6U);  // count 0 to 3, control of both
    EXPECT_EQ(statistics.moves, 6U);    // add 1, add 2, noop for both
    EXPECT_GT(statistics.ground_rules, 0U);
    EXPECT_EQ(statistics.gates, game.circuit()->gate_count());
    EXPECT_GT(statistics.gates, 0U);
    EXPECT_GE(statistics.build_seconds, statistics.ground_seconds);
}

TEST(GdlGame, ItsMachinesAreIndependent) {
    const GdlGame game(bundled("tic_tac_toe"));
    const std::unique_ptr<Machine> a = game.make();
    const std::unique_ptr<Machine> b = game.make();
    std::vector<Move> moves;
    std::vector<Move> joint(2);
    for (std::uint32_t role = 0; role < 2; ++role) {
        a->legal(a->initial(), Role{role}, moves);
        joint[role] = moves.front();
    }
    State next;
    a->next(a->initial(), joint, next);
    EXPECT_FALSE(a->terminal(next));
    b->legal(b->initial(), Role{0}, moves);
    EXPECT_EQ(moves.size(), 9U);
    b->legal(next, Role{1}, moves);
    EXPECT_EQ(moves.size(), 8U);
}

TEST(GdlGame, WithoutTimeTheInterpreterTakesOver) {
    const gdl::Description description = bundled("amazons");
    for (const MachineKind kind : {MachineKind::circuit, MachineKind::check}) {
        MachineOptions options;
        options.kind = kind;
        options.build_limit_seconds = 0;
        const GdlGame game(description, options);
        EXPECT_EQ(game.kind(), MachineKind::interpreter);
        EXPECT_TRUE(game.limit_hit());
        EXPECT_THAT(game.note(), HasSubstr("interpreter"));
        const std::unique_ptr<Machine> machine = game.make();
        EXPECT_FALSE(machine->terminal(machine->initial()));
    }
}

TEST(GdlGame, RulesWithoutEndRunInTheInterpreter) {
    // The fluents grow for ever, so there is no finite program; a game of two steps can still be played.
    const gdl::Description description = described(R"(
        (role a) (init (n 0)) (legal a grow)
        (<= (next (n (s ?x))) (true (n ?x)))
        (<= terminal (true (n (s (s 0)))))
        (goal a 100))");
    MachineOptions options;
    options.build_limit_seconds = 5;
    const GdlGame game(description, options);
    EXPECT_EQ(game.kind(), MachineKind::interpreter);
    EXPECT_THAT(game.note(), ::testing::Not(IsEmpty()));
    const std::unique_ptr<Machine> machine = game.make();
    const std::vector<Move> joint = {*machine->find_move(Role{0}, "grow")};
    State one;
    State two;
    machine->next(machine->initial(), joint, one);
    machine->next(one, joint, two);
    EXPECT_TRUE(machine->terminal(two));
}

}  // namespace
}  // namespace stratagem::machine
