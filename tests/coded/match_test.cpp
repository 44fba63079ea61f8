// Matches of a game made in code: by recipes, in a contest, written down and played again; and who cannot take part.
#include "arena/match.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "arena/contest.h"
#include "arena/record.h"
#include "arena/replay_record.h"
#include "machine/subtraction_program.h"
#include "protocol/remote_agent.h"
#include "worker/worker_agent.h"

namespace stratagem::arena {
namespace {

using machine::Role;
using machine::testing::subtraction_game;
using player::Recipe;
using player::Reply;
using player::Seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

MatchSettings settled(std::uint64_t seed = 1) {
    MatchSettings settings;
    settings.clocks = {Seconds(30), Seconds(30)};
    settings.player.nodes = 2000;  // no clock decides anything
    settings.player.search.table_megabytes = 4;
    settings.seed = seed;
    settings.keep_states = true;
    return settings;
}

MatchResult played(const std::string& first, const std::string& second, std::uint32_t pile, std::uint64_t seed = 1) {
    const std::vector<Recipe> recipes{Recipe(first), Recipe(second)};
    return play_match(subtraction_game(pile), recipes, settled(seed));
}

TEST(CodedMatch, WhoKnowsTheGameWinsIt) {
    for (const char* recipe : {"best", "uct", "blind", "flux", "nex", "solve"}) {
        SCOPED_TRACE(recipe);
        const MatchResult begun = played(recipe, "random", 10);
        EXPECT_TRUE(begun.complete) << begun.problem;
        EXPECT_THAT(begun.goals, ElementsAre(100, 0)) << "ten is no multiple of four";
        EXPECT_EQ(begun.moves[0][0], "(take 2)");
        EXPECT_EQ(begun.seats[0].errors() + begun.seats[1].errors(), 0U);
        const MatchResult answered = played("random", recipe, 8);
        EXPECT_THAT(answered.goals, ElementsAre(0, 100)) << "eight is lost for who begins";
    }
}

TEST(CodedMatch, PlayersMayMakeItReadyThemselves) {
    MatchSettings settings = settled();
    settings.players_prepare = true;
    const std::vector<Recipe> recipes{Recipe("best"), Recipe("legal")};
    const MatchResult result = play_match(subtraction_game(), recipes, settings);
    EXPECT_THAT(result.goals, ElementsAre(100, 0));
    EXPECT_EQ(result.seats[0].errors() + result.seats[1].errors(), 0U);
}

TEST(CodedMatch, AContestOfIt) {
    Contest contest;
    contest.match = settled();
    contest.games.push_back(
        std::make_shared<const ContestGame>("subtraction", subtraction_game(), machine::MachineOptions{}));
    EXPECT_EQ(contest.games[0]->seats(), 2U);
    for (const char* recipe : {"solve", "random"}) {
        contest.entrants.push_back(local_entrant(recipe, Recipe(recipe), contest.match.player, false));
    }
    const std::vector<PlannedMatch> all = plan(contest, 4, true, 5);
    ASSERT_EQ(all.size(), 4U);
    std::map<std::size_t, std::vector<std::vector<std::string>>> first, again;
    const auto run_all = [&](auto& moves, std::size_t at_once) {
        ContestRun run;
        run.at_once = at_once;
        run.on_match = [&](const PlannedMatch& planned, MatchResult& result) {
            EXPECT_TRUE(result.complete) << result.problem;
            moves[planned.number] = result.moves;
            if (planned.seating[0] == 0) {
                EXPECT_EQ(result.goals[0], 100) << "solve began";
            }
        };
        run_matches(contest, all, run);
    };
    run_all(first, 1);
    run_all(again, 2);
    EXPECT_EQ(first.size(), 4U);
    EXPECT_EQ(first, again);
}

TEST(CodedMatch, RecordsAreWrittenReadAndPlayedAgain) {
    const MatchResult result = played("uct", "random", 10, 7);
    const MatchRecord record = make_record(result, {"subtraction", "", settled().clocks});
    EXPECT_EQ(record.rules, "");
    EXPECT_EQ(record.rules_hash, "");
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "coded_match_records";
    std::filesystem::remove_all(folder);
    const std::filesystem::path file = write_record(folder, record);
    std::ifstream in(file);
    const MatchRecord read = record_from_text(std::string(std::istreambuf_iterator<char>(in), {}));
    std::filesystem::remove_all(folder);
    EXPECT_EQ(read, record);
    EXPECT_EQ(read.moves, result.moves);
    EXPECT_EQ(read.goals, result.goals);

    const auto machine = subtraction_game()->make();
    const machine::ReplayResult replayed = replay(*machine, read, 1);
    EXPECT_THAT(replayed.mismatches, IsEmpty());
    EXPECT_EQ(replayed.steps, result.moves.size() + 1);
    const auto other = subtraction_game(9)->make();
    EXPECT_FALSE(replay(*other, read, 1).mismatches.empty()) << "a record of another game";
}

TEST(CodedMatch, WhoNeedsRulesInWordsSaysSo) {
    const player::MatchStart start{"m1", subtraction_game(), Role{0}, {Seconds(5), Seconds(5)}};
    protocol::RemoteAgent remote("http://127.0.0.1:1");
    const Reply far = remote.start(start);
    EXPECT_EQ(far.kind, Reply::Kind::unreachable);
    EXPECT_THAT(far.problem, HasSubstr("without rules in words cannot be sent"));

    worker::WorkerSettings settings;
    settings.recipe = "legal";
    worker::WorkerAgent apart("apart", settings);
    apart.prepare(*start.game);
    const Reply other = apart.start(start);
    EXPECT_EQ(other.kind, Reply::Kind::unreachable);
    EXPECT_THAT(other.problem, HasSubstr("without rules in words cannot be sent to another process"));
}

}  // namespace
}  // namespace stratagem::arena
