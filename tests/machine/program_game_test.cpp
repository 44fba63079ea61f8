#include "machine/program_game.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "machine/machine_text.h"
#include "machine/subtraction_program.h"

namespace stratagem::machine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::subtraction_game;
using testing::SubtractionProgram;
using ::testing::ThrowsMessage;

TEST(ProgramGame, IsPlayedAsItsProgramSays) {
    const auto game = subtraction_game(5);
    EXPECT_EQ(game->name(), "subtraction");
    EXPECT_THAT(game->roles(), ElementsAre("first", "second"));
    EXPECT_EQ(seat_count(*game), 2U);
    const auto machine = game->make();
    EXPECT_EQ(state_text(*machine, machine->initial()), "(pile 5) (turn first)");
    std::vector<Move> legal;
    machine->legal(machine->initial(), Role{1}, legal);
    ASSERT_EQ(legal.size(), 1U);
    EXPECT_EQ(machine->move_name(legal[0]), "wait");
    machine->legal(machine->initial(), Role{0}, legal);
    EXPECT_EQ(legal.size(), 3U);
    const auto after = [&](const State& state, const std::string& first, const std::string& second) {
        const std::vector<Move> joint = {*machine->find_move(Role{0}, first), *machine->find_move(Role{1}, second)};
        State next;
        machine->next(state, joint, next);
        return next;
    };
    const State two = after(machine->initial(), "(take 3)", "wait");
    EXPECT_EQ(state_text(*machine, two), "(pile 2) (turn second)");
    machine->legal(two, Role{1}, legal);
    EXPECT_EQ(legal.size(), 2U) << "there are not three left";
    const State none = after(two, "wait", "(take 2)");
    ASSERT_TRUE(machine->terminal(none));
    EXPECT_EQ(machine->goal(none, Role{0}), 0);
    EXPECT_EQ(machine->goal(none, Role{1}), 100);
}

TEST(ProgramGame, SaysWhatItHasAndWhatItHasNot) {
    const auto game = subtraction_game();
    EXPECT_EQ(game->kind(), MachineKind::circuit);
    EXPECT_EQ(game->statistics().fluents, 13U);
    EXPECT_EQ(game->statistics().moves, 8U);
    EXPECT_GT(game->statistics().gates, 0U);
    EXPECT_NE(game->program(), nullptr);
    EXPECT_NE(game->circuit(), nullptr);
    EXPECT_TRUE(game->is_quick());
    EXPECT_TRUE(game->has_fixed_numbers());
    EXPECT_TRUE(game->fingerprint());
    EXPECT_EQ(game->note(), "");
    EXPECT_EQ(game->rules(), std::nullopt);
    EXPECT_EQ(game->interpreted(), nullptr);
    MachineOptions other;
    other.kind = MachineKind::interpreter;
    EXPECT_EQ(game->remade(other), game) << "there is no other way to run it";
}

TEST(ProgramGame, IsKnownByItsProgramAndNotByItsName) {
    const auto again = ProgramGame::make_from("another name", SubtractionProgram(10).program());
    EXPECT_EQ(subtraction_game(10)->fingerprint(), again->fingerprint());
    EXPECT_NE(subtraction_game(10)->fingerprint(), subtraction_game(11)->fingerprint());
}

// Every playout comes to its end, by lanes as by one game after the other, and both find the same.
TEST(ProgramGame, HasPlayouts) {
    const auto game = subtraction_game();
    const auto playouts = game->make_playouts(1);
    EXPECT_GT(playouts->batch(), 1U) << "not by lanes";
    const State start = game->make()->initial();
    const auto play = [&](Playouts& played, std::uint32_t count) {
        const PlayoutRequest request{&start, count};
        PlayoutResult result;
        played.play(std::span(&request, 1), std::span(&result, 1));
        return result;
    };
    const PlayoutResult lanes = play(*playouts, 20'000);
    const auto slow = game->Game::make_playouts(1);
    EXPECT_EQ(slow->batch(), 1U);
    const PlayoutResult single = play(*slow, 2'000);
    EXPECT_EQ(lanes.finished, 20'000U);
    EXPECT_EQ(single.finished, 2'000U);
    EXPECT_NEAR(lanes.mean(0) + lanes.mean(1), 100, 1e-9);
    EXPECT_NEAR(lanes.mean(0), single.mean(0), 6);
}

TEST(ProgramGame, RefusesAProgramThatIsNotConsistent) {
    const auto refused = [](auto&& spoil) {
        ground::Program program = SubtractionProgram(4).program();
        spoil(program);
        return [program = std::move(program)] { (void)ProgramGame::make_from("spoilt", program); };
    };
    const auto not_consistent = ThrowsMessage<std::invalid_argument>(HasSubstr("spoilt: the ground program is not"));
    const ground::Atom beyond{1000};
    EXPECT_NO_THROW(refused([](ground::Program&) {})());
    EXPECT_THAT(refused([](ground::Program& one) { one.next.pop_back(); }), not_consistent);
    EXPECT_THAT(refused([&](ground::Program& one) { one.legal[0] = beyond; }), not_consistent);
    EXPECT_THAT(refused([&](ground::Program& one) { one.terminal = beyond; }), not_consistent);
    EXPECT_THAT(refused([](ground::Program& one) { one.initial = {ground::Fluent{99}}; }), not_consistent);
    EXPECT_THAT(refused([](ground::Program& one) { std::swap(one.moves.front(), one.moves.back()); }), not_consistent);
    EXPECT_THAT(refused([](ground::Program& one) { one.moves.back().role = ground::Role{2}; }), not_consistent);
    EXPECT_THAT(refused([&](ground::Program& one) { one.goals[0].atom = beyond; }), not_consistent);
    EXPECT_THAT(refused([](ground::Program& one) { one.goals[0].role = ground::Role{2}; }), not_consistent);
    EXPECT_THAT(refused([](ground::Program& one) { std::swap(one.goals.front(), one.goals.back()); }), not_consistent);
    EXPECT_THAT(refused([](ground::Program& one) { one.roles[1] = gdl::Term{1'000'000}; }), not_consistent);
    EXPECT_THAT(refused([](ground::Program& one) { one.fluents[1] = one.fluents[0]; }), not_consistent);
    EXPECT_THAT(refused([](ground::Program& one) {
                    const std::vector<ground::Condition> always;
                    one.add_rule(one.atom(ground::Fluent{0}), always);
                }),
                not_consistent)
        << "a fluent follows from no rule";
    EXPECT_THAT(refused([](ground::Program& one) {
                    one.statics.add(one.terms, one.terms.compound(gdl::keyword::legal, std::vector{one.roles[0]}));
                }),
                not_consistent);
}

}  // namespace
}  // namespace stratagem::machine
