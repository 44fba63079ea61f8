// Matches between players of this process: the referee believes nobody.
#include "arena/match.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "player/fake_search.h"
#include "test_size.h"

namespace stratagem::arena {
namespace {

using machine::testing::bundled;
using player::Recipe;
using player::Seconds;
using player::testing::fake;
using player::testing::nth_legal;
using player::testing::shared;
using ::testing::ElementsAre;

MatchSettings settings_of(double play_seconds) {
    MatchSettings settings;
    settings.clocks = {Seconds(30), Seconds(play_seconds)};
    settings.player.ponder = false;
    settings.player.search.table_megabytes = 4;
    return settings;
}

Recipe nth(std::size_t place) {
    return fake("nth", [place](auto& machine, const auto& state, auto role, const auto&, const auto&) {
        return nth_legal(machine, state, role, place);
    });
}

MatchResult match(const std::shared_ptr<const machine::Game>& game, const std::vector<Recipe>& recipes,
                  const MatchSettings& settings) {
    return play_match(game->remade({}), recipes, settings);
}

// Who reaches three has won, and the other has lost.
TEST(Match, PlaysToTheEndAndScores) {
    const auto game = shared(machine::testing::described(machine::testing::counting_game));
    const MatchResult result = match(game, {Recipe("random"), Recipe("random")}, settings_of(30));
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.steps, result.moves.size());
    ASSERT_EQ(result.seats.size(), 2u);
    EXPECT_EQ(result.seats[0].score + result.seats[1].score, 100);
    EXPECT_THAT((std::vector<std::string>{result.seats[0].role, result.seats[1].role}), ElementsAre("white", "black"));
    int count = 0;
    for (const std::vector<std::string>& joint : result.moves) {
        for (const std::string& move : joint) count += move == "(add 1)" ? 1 : move == "(add 2)" ? 2 : 0;
    }
    EXPECT_EQ(count, 3);
    for (const SeatResult& seat : result.seats) EXPECT_EQ(seat.errors(), 0u);
}

TEST(Match, TheSameSeedGivesTheSameMatch) {
    const auto game = shared(bundled("breakthrough_6x6"));
    MatchSettings settings = settings_of(30);
    const std::vector<Recipe> randoms{Recipe("random"), Recipe("random")};
    settings.seed = 7;
    const MatchResult one = match(game, randoms, settings);
    const MatchResult two = match(game, randoms, settings);
    settings.seed = 8;
    const MatchResult other = match(game, randoms, settings);
    EXPECT_EQ(one.moves, two.moves);
    EXPECT_NE(one.moves, other.moves);
}

TEST(Match, ChanceHasNoPlayer) {
    const auto game = shared(bundled("kuhn_poker"));
    const auto prepared = game->remade({});
    const std::unique_ptr<machine::Machine> machine = prepared->make();
    ASSERT_GT(machine->role_count(), seats_of(*machine).size()) << "this game should have chance";
    const std::vector<Recipe> recipes(seats_of(*machine).size(), nth(0));
    EXPECT_TRUE(play_match(prepared, recipes, settings_of(30)).complete);
    const std::vector<Recipe> too_many(machine->role_count(), nth(0));
    EXPECT_THROW(play_match(prepared, too_many, settings_of(30)), std::invalid_argument);
}

TEST(Match, LateMovesAreCountedAndReplaced) {
    const auto game = shared(machine::testing::described(machine::testing::counting_game));
    MatchSettings settings = settings_of(1e-9);  // nobody can be that fast
    const MatchResult result = match(game, {nth(0), nth(0)}, settings);
    EXPECT_TRUE(result.complete);
    for (const SeatResult& seat : result.seats) {
        EXPECT_EQ(seat.late, result.steps);
        EXPECT_EQ(seat.illegal, 0u);
    }
}

TEST(Match, EndsWhenItIsStopped) {
    const auto game = shared(bundled("connect_four"));
    std::atomic<bool> flag{false};
    MatchSettings settings = settings_of(10'000);
    settings.stop.flag = &flag;
    const Recipe patient =
        fake("patient", [&flag](auto& machine, const auto& state, auto role, const auto& budget, const auto&) {
            flag.store(true);
            while (!budget.stop.now()) std::this_thread::yield();
            return nth_legal(machine, state, role, 0);
        });
    const MatchResult result = match(game, {patient, patient}, settings);
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.steps, 0u);
}

TEST(Match, MayBeTooLong) {
    const auto game = shared(bundled("connect_four"));
    MatchSettings settings = settings_of(30);
    settings.max_steps = 3;
    const MatchResult result = match(game, {nth(0), nth(0)}, settings);
    EXPECT_FALSE(result.complete);
    EXPECT_TRUE(result.cut_short);
    EXPECT_EQ(result.steps, 3u);
}

// Every recipe in every bundled game: legal moves only. A part of the games unless all tests are wanted.
class AllRecipes : public ::testing::TestWithParam<std::string> {};

TEST_P(AllRecipes, PlayLegally) {
    const bool full = full_tests();
    const Recipe recipe(GetParam());
    std::size_t place = 0;
    for (const std::filesystem::path& path : gdl::testing::bundled_files()) {
        if (!full && place++ % 6 != 0) continue;
        const auto game = shared(machine::testing::described_file(path));
        const auto prepared = game->remade({});
        MatchSettings settings = settings_of(0.05);
        settings.clocks.start = Seconds(1);
        settings.max_steps = 3;
        const std::vector<Recipe> recipes(seats_of(*prepared->make()).size(), recipe);
        const MatchResult result = play_match(prepared, recipes, settings);
        EXPECT_GT(result.steps, 0u) << path;
        for (const SeatResult& seat : result.seats) EXPECT_EQ(seat.illegal, 0u) << path << " " << seat.role;
    }
}

INSTANTIATE_TEST_SUITE_P(Recipes, AllRecipes,
                         ::testing::Values("random", "legal", "blind", "alphabeta", "maxn", "paranoid", "uct",
                                           "mcts-plain", "solve", "flux", "kuhl", "nex", "nex-1.0", "nex-1.1f", "best"),
                         [](const auto& one) {
                             std::string name = one.param;
                             std::ranges::replace(name, '-', '_');
                             std::ranges::replace(name, '.', '_');
                             return name;
                         });

}  // namespace
}  // namespace stratagem::arena
