#include "player/start_clock.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>

#include "machine/machine_games.h"
#include "player/engine.h"
#include "player/fake_search.h"

namespace stratagem::player {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

using Clock = Deadline::Clock;

double seconds_to(Deadline deadline) { return std::chrono::duration<double>(deadline.remaining()).count(); }

TEST(StartClock, StagesGetSharesOfWhatIsLeft) {
    StartClock clock(Clock::now(), Clock::now() + std::chrono::seconds(1000));
    const Deadline first = clock.begin("first", {0.5});
    EXPECT_LE(clock.asked(), 500);
    EXPECT_GT(clock.asked(), 450);
    EXPECT_LE(seconds_to(first), 500);
    clock.end("done");
    clock.begin("second", {0.5});
    EXPECT_GT(clock.asked(), 450) << "what the first did not use is there for the second";
    clock.begin("third", {0.1, 0, 2});
    EXPECT_EQ(clock.asked(), 2);
    EXPECT_TRUE(clock.begin("fourth", unlimited).is_never());
    clock.begin("fifth", exactly(3));
    EXPECT_EQ(clock.asked(), 3);
    clock.end();
    clock.end("nothing is under way");
    ASSERT_EQ(clock.stages().size(), 5U);
    EXPECT_EQ(clock.stages()[0].result, "done");
    EXPECT_EQ(clock.stages()[4].result, "");
    EXPECT_THAT(clock.journal(),
                MatchesRegex("start clock 1000.00 s: first [0-9.]+ of [45][0-9.]+ \\(done\\), second .*, "
                             "third .* of 2.00, fourth [0-9.]+, fifth .*; [0-9.]+ left for the search"));
}

TEST(StartClock, OneThatIsOverGivesOnlyWhatIsNeededAtLeast) {
    const auto now = Clock::now();
    StartClock clock(now - std::chrono::seconds(10), now - std::chrono::seconds(2));
    EXPECT_EQ(clock.left(), 0);
    clock.begin("facts", {0.1, 0.02, 2});
    EXPECT_EQ(clock.asked(), 0.02);
    clock.begin("solving", {0.5});
    EXPECT_EQ(clock.asked(), 0);
    clock.end();
    EXPECT_THAT(clock.journal(), HasSubstr("too late"));
}

TEST(StartClock, WithoutEndNothingIsDecided) {
    StartClock clock = StartClock::without_end();
    EXPECT_TRUE(std::isinf(clock.left()));
    EXPECT_TRUE(clock.begin("facts", {0.1, 0.02, 2}).is_never());
    clock.end("300 games");
    EXPECT_THAT(clock.journal(), MatchesRegex("preparing, by no clock: facts [0-9.]+ \\(300 games\\)"));
}

std::shared_ptr<const machine::Game> game_of(const std::string& name) {
    return std::make_shared<const machine::GdlGame>(machine::testing::bundled(name));
}

TEST(Engine, KeepsAJournalOfTheStartClock) {
    std::vector<std::string> lines;
    EngineSettings settings;
    settings.start_seconds = 600;
    settings.search.table_megabytes = 4;
    settings.log = [&](std::string_view line) { lines.emplace_back(line); };
    const auto flux = make_engine(Recipe("flux"), game_of("tic_tac_toe"), settings);
    EXPECT_THAT(lines.back(),
                MatchesRegex("start clock 600.00 s: analysis .* of 1.* \\(.*\\), evaluator .* of .* \\(fuzzy\\), "
                             "facts .* of 2.00 \\(300 games\\), search .* \\(alphabeta\\); .* left for the search"));
    std::vector<std::string> names;
    for (const StageUse& stage : flux->preparation) names.push_back(stage.name);
    EXPECT_THAT(names, ::testing::ElementsAre("analysis", "evaluator", "facts", "search"));
    make_engine(Recipe("best"), game_of("nim"), settings);
    EXPECT_THAT(lines.back(), HasSubstr("(solved)"));
    settings.shares.solving = exactly(0);
    make_engine(Recipe("best"), game_of("nim"), settings);
    EXPECT_THAT(lines.back(), Not(HasSubstr("solving")));
}

TEST(Engine, JournalUnderNodesHasCountsAndNoClock) {
    std::vector<std::string> lines;
    EngineSettings settings;
    settings.nodes = 10;
    settings.search.table_megabytes = 4;
    settings.log = [&](std::string_view line) { lines.emplace_back(line); };
    const auto engine = make_engine(Recipe("best"), game_of("connect_four"), settings);
    EXPECT_FALSE(engine->solved);
    EXPECT_THAT(lines.back(), MatchesRegex("preparing, by no clock: facts .* \\(300 games\\), search .* \\(uct\\), "
                                           "solving .* \\(not solved\\)"));
    for (const StageUse& stage : engine->preparation) EXPECT_TRUE(std::isinf(stage.asked)) << stage.name;
}

TEST(Engine, JournalIsThereWhereNoSearchCouldBeMade) {
    std::vector<std::string> lines;
    EngineSettings settings;
    settings.log = [&](std::string_view line) { lines.emplace_back(line); };
    const Recipe failing("failing", [](const auto&, const auto&) -> std::unique_ptr<search::Search> {
        throw std::runtime_error("no search today");
    });
    EXPECT_THROW(make_engine(failing, game_of("nim"), settings), std::runtime_error);
    EXPECT_THAT(lines.back(), HasSubstr("(given up)"));
}

// In the log of a player the journal begins with what making the game ready took.
TEST(Player, LogsTheJournalOfItsStartClock) {
    testing::Lines lines;
    PlayerSettings settings;
    settings.log = lines.log();
    settings.ponder = false;
    settings.search.table_megabytes = 4;
    Player player(Recipe("alphabeta+fuzzy"), settings);
    ASSERT_TRUE(player.start(game_of("tic_tac_toe"), machine::Role{0}, {Seconds(60), Seconds(60)}));
    EXPECT_THAT(lines.all(), ContainsRegex("start clock .* s: grounding [0-9.]+ \\(circuit\\), analysis "));
}

}  // namespace
}  // namespace stratagem::player
