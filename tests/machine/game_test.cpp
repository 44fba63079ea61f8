// What a game says of itself, and what holds between games of the same rules.
#include "machine/game.h"

#include <gmock/gmock.h>

#include "gdl/scramble.h"
#include "machine/machine_games.h"
#include "machine/machine_text.h"
#include "machine/subtraction_program.h"

namespace stratagem::machine {
namespace {

using testing::bundled;
using testing::counting_game;
using testing::described;
using ::testing::ElementsAre;
using testing::subtraction_game;

std::shared_ptr<const GdlGame> interpreted(gdl::Description description) {
    return GdlGame::at_once(std::make_shared<const gdl::Description>(std::move(description)));
}

TEST(Game, TheSameRulesHaveTheSameFingerprint) {
    const GdlGame one(described(counting_game, "one.kif"));
    const GdlGame laid_out_otherwise(described("; the same\n" + counting_game + "\n\n", "two.kif"));
    ASSERT_TRUE(one.fingerprint());
    EXPECT_EQ(one.fingerprint(), laid_out_otherwise.fingerprint());
    EXPECT_EQ(one.fingerprint()->to_text().size(), 32U);
    EXPECT_EQ(one.fingerprint(), one.remade({})->fingerprint());
}

TEST(Game, OtherRulesHaveAnotherFingerprint) {
    const GdlGame one(described(counting_game));
    const auto with = [&](const std::string& old, const std::string& by) {
        std::string rules = counting_game;
        const std::size_t place = rules.find(old);
        EXPECT_NE(place, std::string::npos) << old;
        return GdlGame(described(rules.replace(place, old.size(), by))).fingerprint();
    };
    EXPECT_NE(one.fingerprint(), with("(goal ?p 100)", "(goal ?p 99)"));
    EXPECT_NE(one.fingerprint(), with("(init (control white))", "(init (control black))"));
    EXPECT_NE(one.fingerprint(), with("(true (count 3))", "(true (count 2))"));
    EXPECT_NE(one.fingerprint(), with("(role white) (role black)", "(role black) (role white)"));
    EXPECT_NE(one.fingerprint(), with("(legal ?p noop)", "(legal ?p pass)"));
}

// Everything has another name, so its numbers mean something else.
TEST(Game, AScrambledGameIsAnother) {
    const GdlGame plain(bundled("tic_tac_toe"));
    const GdlGame scrambled(described(gdl::scramble(plain.description(), 3).text));
    EXPECT_EQ(plain.statistics().fluents, scrambled.statistics().fluents);
    EXPECT_NE(plain.fingerprint(), scrambled.fingerprint());
}

TEST(Game, StatesAreReadBackFromTheirWords) {
    for (const std::shared_ptr<const Game>& game :
         {std::shared_ptr<const Game>(std::make_shared<const GdlGame>(bundled("connect_four"))),
          std::shared_ptr<const Game>(subtraction_game())}) {
        const auto machine = game->make();
        const auto other = game->remade({})->make();
        State state = machine->initial();
        for (int step = 0; step < 3; ++step) {
            const std::optional<State> read = game->read_state(state.words());
            ASSERT_TRUE(read);
            EXPECT_EQ(*read, state);
            EXPECT_EQ(read->hash(), state.hash());
            EXPECT_EQ(state_text(*other, *read), state_text(*machine, state));
            std::vector<Move> joint(machine->role_count()), legal;
            for (std::uint32_t role = 0; role < joint.size(); ++role) {
                machine->legal(state, Role{role}, legal);
                joint[role] = legal.back();
            }
            State next;
            machine->next(state, joint, next);
            state = next;
        }
    }
}

TEST(Game, WordsOfNoStateAreRefused) {
    const auto game = subtraction_game();  // 13 fluents
    EXPECT_TRUE(game->read_state(std::vector<std::uint64_t>{0})) << "nothing holds";
    EXPECT_TRUE(game->read_state(std::vector<std::uint64_t>{(1U << 13) - 1}));
    EXPECT_FALSE(game->read_state(std::vector<std::uint64_t>{1U << 13})) << "there is no such fluent";
    EXPECT_FALSE(game->read_state(std::vector<std::uint64_t>{std::uint64_t{1} << 63}));
    EXPECT_FALSE(game->read_state(std::vector<std::uint64_t>{}));
    EXPECT_FALSE(game->read_state(std::vector<std::uint64_t>{0, 0}));
    const auto whole = subtraction_game(61);  // 64 fluents: every bit of the word is one
    EXPECT_TRUE(whole->read_state(std::vector<std::uint64_t>{~std::uint64_t{0}}));
    EXPECT_FALSE(whole->read_state(std::vector<std::uint64_t>{0, 0}));
}

TEST(Game, AnInterpreterHasNoNumbersToSend) {
    const auto game = interpreted(bundled("tic_tac_toe"));
    EXPECT_EQ(game->kind(), MachineKind::interpreter);
    EXPECT_FALSE(game->has_fixed_numbers());
    EXPECT_FALSE(game->fingerprint());
    EXPECT_FALSE(game->is_quick());
    EXPECT_EQ(game->program(), nullptr);
    EXPECT_EQ(game->circuit(), nullptr);
    EXPECT_THAT(game->roles(), ElementsAre("x", "o"));
    EXPECT_EQ(game->name(), "tic_tac_toe.kif");
    EXPECT_EQ(game->make_playouts(1)->batch(), 1U);
}

TEST(Game, IsRemadeAndInterpretedWithoutItsMaker) {
    std::shared_ptr<const Game> prepared, again;
    {
        const auto at_once = interpreted(described(counting_game));
        prepared = at_once->remade({});
    }
    EXPECT_EQ(prepared->kind(), MachineKind::circuit);
    EXPECT_TRUE(prepared->has_fixed_numbers());
    again = prepared->interpreted();
    prepared.reset();
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(again->kind(), MachineKind::interpreter);
    const auto machine = again->make();
    EXPECT_EQ(state_text(*machine, machine->initial()), "(control white) (count 0)");
    MachineOptions options;
    options.kind = MachineKind::check;
    EXPECT_EQ(again->remade(options)->kind(), MachineKind::check);
    EXPECT_FALSE(again->remade(options)->is_quick()) << "everything is asked twice";
}

TEST(Game, ItsRulesReadBackAreTheSameGame) {
    for (const char* name : {"tic_tac_toe", "kuhn_poker", "connect_four"}) {
        const GdlGame game(bundled(name));
        const std::optional<std::string> rules = game.rules();
        ASSERT_TRUE(rules) << name;
        const GdlGame again(described(*rules));
        EXPECT_EQ(again.fingerprint(), game.fingerprint()) << name;
        EXPECT_EQ(again.rules(), rules) << name;
        EXPECT_EQ(again.interpreted()->rules(), rules) << name;
    }
}

TEST(Game, ChanceTakesNoSeat) {
    const auto game = interpreted(bundled("kuhn_poker"));
    ASSERT_EQ(game->roles().size(), 3U);
    EXPECT_EQ(seat_count(*game), 2U);
    std::size_t chances = 0;
    for (std::uint32_t role = 0; role < 3; ++role) {
        EXPECT_EQ(is_chance(*game, Role{role}), game->roles()[role] == "random");
        chances += is_chance(*game, Role{role}) ? 1 : 0;
    }
    EXPECT_EQ(chances, 1U);
}

}  // namespace
}  // namespace stratagem::machine
