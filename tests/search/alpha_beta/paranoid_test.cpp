// Paranoid search: several players, simultaneous moves, teams, chance.
#include <gmock/gmock.h>

#include "search/alpha_beta/alpha_beta.h"
#include "search/search_games.h"

namespace stratagem::search::testing {
namespace {

using ::testing::AnyOf;
using ::testing::StartsWith;

// Two roles choose a row and a column at the same time.
std::string matrix_game(const std::vector<std::vector<int>>& payoff) {
    std::string rules = "(role row) (role column) (init start)\n";
    const auto name = [](std::size_t i) { return "c" + std::to_string(i); };
    for (std::size_t r = 0; r < payoff.size(); ++r) {
        rules += "(<= (legal row " + name(r) + ") (true start))";
        for (std::size_t c = 0; c < payoff[r].size(); ++c) {
            if (r == 0) rules += "(<= (legal column " + name(c) + ") (true start))";
            const std::string value = std::to_string(payoff[r][c]);
            const std::string other = std::to_string(100 - payoff[r][c]);
            rules += "(<= (next (paid " + value + " " + other + ")) (does row " + name(r) + ") (does column " +
                     name(c) + "))\n";
        }
    }
    rules += R"(
        (<= terminal (true (paid ?r ?c)))
        (<= (goal row ?r) (true (paid ?r ?c))) (<= (goal column ?c) (true (paid ?r ?c))))";
    return rules;
}

TEST(Paranoid, SupposesTheOthersKnowOurMove) {
    const Prepared game = prepared_rules(matrix_game({{90, 10, 80}, {40, 30, 50}, {20, 60, 0}}));
    const Choice row = game.make("paranoid")->choose(game.machine->initial(), Role{0}, {});
    EXPECT_EQ(row.value, 30);  // the greatest of the least: 10, 30, 0
    EXPECT_EQ(game.machine->move_name(*row.move), "c1");
    EXPECT_FALSE(row.proved) << "they do not know it: by chance among rows row gets more";
    EXPECT_THAT(row.note, StartsWith("at least 30.0"));
    const Choice column = game.make("paranoid")->choose(game.machine->initial(), Role{1}, {});
    EXPECT_EQ(column.value, 40);  // by column 10, 40, 20: 100 less the greatest payoff
    EXPECT_EQ(game.machine->move_name(*column.move), "c1");
}

TEST(Paranoid, OthersMayBeTakenToMoveByChance) {
    const Prepared game = prepared_rules(matrix_game({{90, 10, 80}, {40, 30, 50}, {20, 60, 0}}));
    const Choice row = game.make("paranoid", "others=random")->choose(game.machine->initial(), Role{0}, {});
    EXPECT_NEAR(row.value, 60, 0.01);  // means 60, 40, 26.7
    EXPECT_EQ(game.machine->move_name(*row.move), "c0");
    EXPECT_FALSE(row.proved);  // an expectation is no guarantee
}

TEST(Paranoid, AgreesWithThePlainDefinition) {
    for (const std::string name : {"rock_paper_scissors", "bidding_tic_tac_toe", "three_player_tic_tac_toe"}) {
        const Prepared game = prepared(name);
        for (std::uint32_t role = 0; role < game.problem.facts.roles; ++role) {
            PlainMinimax plain = plain_against_all(*game.machine, role);
            const std::unique_ptr<Search> search = game.make("paranoid", "teams=off");
            for (std::uint64_t seed = 0; seed < 6; ++seed) {
                // Late positions: the plain search looks at everything.
                const State state =
                    name == "three_player_tic_tac_toe" ? game.late(18 + seed % 3, seed) : game.walk(12, seed);
                const Choice choice = search->choose(state, Role{role}, {});
                ASSERT_THAT(choice.note, AnyOf(StartsWith("proved "), StartsWith("at least "))) << name;
                ASSERT_EQ(choice.value, plain.value(state)) << name << " " << seed;
                ASSERT_EQ(plain.value_of_move(state, *choice.move), choice.value) << name << " " << seed;
                if (name == "three_player_tic_tac_toe") {
                    ASSERT_TRUE(choice.proved) << "they take turns";
                }
            }
        }
    }
}

// What we are sure of is what the game is worth only if there is nothing better.
TEST(Paranoid, ProvesTheBestThereIsAlsoWhereAllMoveAtOnce) {
    const Prepared best = prepared_rules(matrix_game({{0, 50, 20}, {100, 100, 100}, {20, 60, 0}}));
    const Choice sure = best.make("paranoid")->choose(best.machine->initial(), Role{0}, {});
    EXPECT_EQ(sure.value, 100);
    EXPECT_EQ(best.machine->move_name(*sure.move), "c1");
    EXPECT_TRUE(sure.proved);
    // A fair game of which each is sure of nothing.
    const Prepared pennies = prepared_rules(matrix_game({{100, 0}, {0, 100}}));
    for (const std::uint32_t role : {0U, 1U}) {
        const Choice choice = pennies.make("paranoid")->choose(pennies.machine->initial(), Role{role}, {});
        EXPECT_EQ(choice.value, 0);
        EXPECT_FALSE(choice.proved) << role;
    }
}

TEST(Paranoid, AgreesWithThePlainDefinitionAgainstChance) {
    const Prepared game = prepared("bidding_tic_tac_toe");
    for (std::uint32_t role = 0; role < 2; ++role) {
        std::vector<bool> ours(2, false);
        ours[role] = true;
        PlainMinimax plain(*game.machine, ours, role, true);
        const std::unique_ptr<Search> search = game.make("paranoid", "others=random,teams=off");
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            const State state = game.walk(13, seed);
            const Choice choice = search->choose(state, Role{role}, {});
            ASSERT_NEAR(choice.value, plain.value(state), 0.01) << seed;
            ASSERT_NEAR(plain.value_of_move(state, *choice.move), plain.value(state), 0.01) << seed;
        }
    }
}

// Two friends must choose the same letter; who decides between letters is their common opponent.
TEST(Paranoid, FriendsPlayTogether) {
    const Prepared game = prepared_rules(R"(
        (role a) (role b) (role enemy) (init start) (letter x) (letter y)
        (<= (legal a ?l) (letter ?l) (true start)) (<= (legal b ?l) (letter ?l) (true start))
        (<= (legal enemy ?l) (letter ?l) (true start))
        (<= (next (paid 100)) (does a y) (does b y))
        (<= (next (paid 70)) (does a x) (does b x) (does enemy x))
        (<= (next (paid 40)) (does a x) (does b x) (does enemy y))
        (<= (next (paid 0)) (does a ?l) (does b ?m) (distinct ?l ?m))
        (<= terminal (true (paid ?v)))
        (<= (goal a ?v) (true (paid ?v))) (<= (goal b ?v) (true (paid ?v)))
        (inverse 100 0) (inverse 70 30) (inverse 40 60) (inverse 0 100)
        (<= (goal enemy ?w) (true (paid ?v)) (inverse ?v ?w))
    )");
    EXPECT_EQ(game.problem.facts.team[0], game.problem.facts.team[1]);
    EXPECT_NE(game.problem.facts.team[0], game.problem.facts.team[2]);
    const Choice together = game.make("paranoid")->choose(game.machine->initial(), Role{0}, {});
    EXPECT_EQ(together.value, 100);
    EXPECT_EQ(game.machine->move_name(*together.move), "y");
    const Choice alone = game.make("paranoid", "teams=off")->choose(game.machine->initial(), Role{0}, {});
    EXPECT_EQ(alone.value, 0);  // the friend might be an enemy
}

TEST(Paranoid, ChanceIsAMean) {
    // A sure 60, or a fair coin for 100 or 10.
    const Prepared game = prepared_rules(R"(
        (role random) (role player) (init start)
        (<= (legal random heads) (true start)) (<= (legal random tails) (true start))
        (<= (legal player xsafe) (true start)) (<= (legal player coin) (true start))
        (<= (next (paid 60)) (does player xsafe))
        (<= (next (paid 100)) (does player coin) (does random heads))
        (<= (next (paid 10)) (does player coin) (does random tails))
        (<= terminal (true (paid ?v))) (<= (goal player ?v) (true (paid ?v)))
        (goal random 0)
    )");
    const Choice choice = game.make("paranoid")->choose(game.machine->initial(), Role{1}, {});
    EXPECT_NEAR(choice.value, 60, 0.01);
    EXPECT_EQ(game.machine->move_name(*choice.move), "xsafe");
    const Choice max_n = game.make("maxn")->choose(game.machine->initial(), Role{1}, {});
    EXPECT_NEAR(max_n.value, 60, 0.5);
    EXPECT_EQ(game.machine->move_name(*max_n.move), "xsafe");
    EXPECT_FALSE(alpha_beta_entry.can_handle(game.problem.facts));
}

}  // namespace
}  // namespace stratagem::search::testing
