// Many matches: the plan, how many at a time, and that nothing depends on the order they end in.
#include "arena/contest.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <set>

#include "arena/record.h"
#include "arena/store.h"
#include "machine/machine_text.h"
#include "player/fake_search.h"

namespace stratagem::arena {
namespace {

using player::Recipe;
using player::Seconds;
using ::testing::ElementsAre;

Contest contest_of(const std::vector<std::string>& games, const std::vector<std::string>& recipes) {
    Contest contest;
    contest.match.clocks = {Seconds(30), Seconds(30)};
    contest.match.keep_states = true;
    player::PlayerSettings settings;
    settings.ponder = false;
    for (const std::string& game : games) {
        contest.games.push_back(std::make_shared<const ContestGame>(
            game, player::testing::shared(machine::testing::bundled(game)), machine::MachineOptions{}));
    }
    for (const std::string& recipe : recipes) {
        contest.entrants.push_back(local_entrant(recipe, Recipe(recipe), settings, false));
    }
    return contest;
}

TEST(Contest, EveryGroupPlaysEveryGameInRotatingSeats) {
    const Contest contest =
        contest_of({"tic_tac_toe", "eight_puzzle", "three_player_tic_tac_toe"}, {"random", "legal", "blind", "uct"});
    const std::vector<PlannedMatch> all = plan(contest, 6, true, 3);
    ASSERT_EQ(all.size(), 6u * (6 + 4 + 4));
    std::map<std::pair<std::size_t, Seating>, int> seatings;
    std::set<std::uint64_t> seeds;
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].number, i);
        ++seatings[{all[i].game, all[i].seating}];
        seeds.insert(all[i].seed);
        EXPECT_LT(all[i].seed, std::uint64_t{1} << 53);
    }
    EXPECT_EQ(seeds.size(), all.size());
    EXPECT_EQ(all.front().seed, 3u) << "so that each match can be played again as the first of another run";
    for (const auto& [seating, count] : seatings) EXPECT_EQ(count, seating.first == 1 ? 6 : seating.first == 0 ? 3 : 2);
}

// What was played under a number is never another match because more were asked for.
TEST(Contest, NumbersStandForTheSameMatchWhateverIsAskedFor) {
    const Contest contest =
        contest_of({"tic_tac_toe", "three_player_tic_tac_toe", "eight_puzzle"}, {"random", "legal", "blind"});
    const std::vector<PlannedMatch> many = plan(contest, 13, true, 3);
    for (std::size_t matches = 1; matches < 13; ++matches) {
        const std::vector<PlannedMatch> few = plan(contest, matches, true, 3);
        std::map<std::size_t, std::size_t> by_game;
        for (const PlannedMatch& planned : few) {
            const PlannedMatch* same = find_planned(many, planned.number);
            ASSERT_NE(same, nullptr);
            EXPECT_EQ(*same, planned);
            ++by_game[planned.game];
        }
        EXPECT_EQ(by_game[0], 3 * whole_rotations(matches, 2, true));
        EXPECT_EQ(by_game[1], whole_rotations(matches, 3, true));
        EXPECT_EQ(by_game[2], 3 * matches);
    }
    EXPECT_EQ(find_planned(many, many.back().number + 1), nullptr);
}

TEST(Contest, OpeningsAreSharedUntilEverybodyHasHadEachSeat) {
    Contest contest = contest_of({"connect_four"}, {"random", "legal"});
    contest.match.opening = 4;
    const std::vector<PlannedMatch> all = plan(contest, 4, true, 3);
    std::vector<std::vector<std::vector<std::string>>> openings(all.size());
    ContestRun run;
    run.on_match = [&](const PlannedMatch& planned, MatchResult& result) {
        ASSERT_GT(result.moves.size(), 4u);
        result.moves.resize(4);
        openings[planned.number] = result.moves;
    };
    run_matches(contest, all, run);
    EXPECT_EQ(openings[0], openings[1]);
    EXPECT_EQ(openings[2], openings[3]);
    EXPECT_NE(openings[0], openings[2]);
    const std::vector<PlannedMatch> fixed = plan(contest, 2, false, 3);
    EXPECT_NE(fixed[0].opening_seed, fixed[1].opening_seed) << "nobody changes seats";
}

TEST(Contest, MoreMatchesBeginWithFewer) {
    const Contest contest = contest_of({"tic_tac_toe", "eight_puzzle"}, {"random", "legal", "blind"});
    const std::vector<PlannedMatch> few = plan(contest, 2, true, 1);
    std::vector<PlannedMatch> many = plan(contest, 5, true, 1);
    many.resize(few.size());
    EXPECT_EQ(few, many);
}

TEST(Contest, AsManyAtOnceAsDoNotDisturbEachOther) {
    Contest contest = contest_of({"tic_tac_toe"}, {"random", "legal"});
    EXPECT_EQ(matches_at_once(contest, 1), 1u);
    EXPECT_EQ(matches_at_once(contest, 8), 8u);
    contest.entrants[1].threads = 3;
    EXPECT_EQ(matches_at_once(contest, 8), 2u) << "players of a match think one after the other";
    contest.entrants[0].ponders = true;
    EXPECT_EQ(matches_at_once(contest, 8), 2u) << "or together";
    contest.entrants[0].threads = 2;
    EXPECT_EQ(matches_at_once(contest, 8), 1u);
    contest = contest_of({"tic_tac_toe"}, {"uct:threads=2", "random"});
    EXPECT_EQ(matches_at_once(contest, 8), 4u) << "what the recipe says counts";
    contest.entrants[1].elsewhere = true;
    EXPECT_EQ(matches_at_once(contest, 8), 1u);
}

using Played = std::map<std::size_t, std::vector<std::vector<std::string>>>;

Played moves_of(const Contest& contest, const std::vector<PlannedMatch>& matches, std::size_t at_once) {
    Played played;
    ContestRun run;
    run.at_once = at_once;
    std::size_t ended = 0;
    run.on_end = [&](const PlannedMatch&, const MatchResult&) { ++ended; };
    run.on_match = [&](const PlannedMatch& planned, const MatchResult& result) {
        EXPECT_TRUE(result.complete);
        EXPECT_EQ(planned, matches[played.size()]) << "told in the order of the plan";
        EXPECT_TRUE(played.emplace(planned.number, result.moves).second) << "played twice";
        EXPECT_LE(played.size(), ended);
    };
    run_matches(contest, matches, run);
    return played;
}

TEST(Contest, ManyAtATimeAreTheSameMatches) {
    const Contest contest =
        contest_of({"tic_tac_toe", "breakthrough_6x6", "kuhn_poker"}, {"random", "legal", "random:threads=1"});
    const std::vector<PlannedMatch> all = plan(contest, 4, true, 9);
    const Played one = moves_of(contest, all, 1);
    EXPECT_EQ(one.size(), all.size());
    EXPECT_EQ(moves_of(contest, all, 4), one);
}

// Where moves are given nodes no clock decides, however short it is and however many matches are played beside.
TEST(Contest, UnderNodesMatchesRepeatToTheLastMove) {
    player::PlayerSettings settings;
    settings.nodes = 60;
    settings.search.table_megabytes = 4;
    Contest contest = contest_of({"tic_tac_toe", "connect_four"}, {});
    contest.match.clocks = {Seconds(1e-6), Seconds(1e-6)};
    for (const char* recipe : {"uct", "alphabeta", "uct:nodes=20"}) {
        contest.entrants.push_back(local_entrant(recipe, Recipe(recipe), settings, false));
    }
    EXPECT_FALSE(any_clock(contest.entrants));
    const std::vector<PlannedMatch> all = plan(contest, 2, true, 9);
    const auto played = [&](std::size_t at_once) {
        std::vector<MatchResult> results;
        ContestRun run;
        run.at_once = at_once;
        run.on_match = [&](const PlannedMatch&, MatchResult& result) { results.push_back(std::move(result)); };
        run_matches(contest, all, run);
        return results;
    };
    const std::vector<MatchResult> one = played(1);
    const std::vector<MatchResult> four = played(4);
    ASSERT_EQ(one.size(), all.size());
    ASSERT_EQ(four.size(), all.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_TRUE(one[i].complete);
        EXPECT_EQ(one[i].moves, four[i].moves) << i;
        EXPECT_EQ(one[i].states, four[i].states) << i;
        EXPECT_EQ(one[i].goals, four[i].goals) << i;
        EXPECT_EQ(one[i].faults, four[i].faults) << i;
        for (std::size_t seat = 0; seat < 2; ++seat) {
            EXPECT_EQ(one[i].seats[seat].errors(), 0u);
            EXPECT_EQ(one[i].seats[seat].fallbacks, 0u);
            EXPECT_EQ(one[i].seats[seat].states, four[i].seats[seat].states) << "searched as much";
        }
    }
}

// Interpreters number moves as they meet them, which must not depend on other matches.
TEST(Contest, UnderNodesMatchesOnInterpretersRepeatToo) {
    player::PlayerSettings settings;
    settings.nodes = 1;
    Contest contest;
    machine::MachineOptions options;
    options.kind = machine::MachineKind::interpreter;
    contest.games.push_back(std::make_shared<const ContestGame>(
        "kuhn_poker", player::testing::shared(machine::testing::bundled("kuhn_poker")), options));
    for (const char* recipe : {"random", "legal"}) {
        contest.entrants.push_back(local_entrant(recipe, Recipe(recipe), settings, false));
    }
    const std::vector<PlannedMatch> all = plan(contest, 6, true, 9);
    const Played one = moves_of(contest, all, 1);
    EXPECT_EQ(moves_of(contest, all, 3), one);
    const std::vector<PlannedMatch> last(all.end() - 1, all.end());
    EXPECT_EQ(moves_of(contest, last, 1).begin()->second, one.rbegin()->second) << "and alone";
}

// Its seeds are all that is needed to see a match again.
TEST(Contest, AnyMatchCanBePlayedAgainAlone) {
    Contest contest = contest_of({"breakthrough_6x6"}, {"random", "random:threads=1", "legal"});
    contest.match.opening = 3;
    const std::vector<PlannedMatch> all = plan(contest, 4, true, 2);
    const Played played = moves_of(contest, all, 2);
    for (const std::size_t number : {std::size_t{0}, std::size_t{5}, all.size() - 1}) {
        Contest again;
        again.match = contest.match;
        again.games = contest.games;
        for (const std::size_t player : all[number].seating) again.entrants.push_back(contest.entrants[player]);
        const Played once = moves_of(again, plan(again, 1, false, all[number].seed, all[number].opening_seed), 1);
        EXPECT_EQ(once.at(0), played.at(number)) << number;
    }
}

TEST(Contest, StopsBetweenAndWithinMatches) {
    const Contest contest = contest_of({"breakthrough_6x6"}, {"random", "legal"});
    const std::vector<PlannedMatch> all = plan(contest, 50, true, 1);
    std::atomic<bool> flag{false};
    std::size_t ended = 0;
    ContestRun run;
    run.stop.flag = &flag;
    run.on_match = [&](const PlannedMatch&, const MatchResult& result) {
        EXPECT_TRUE(result.complete) << "what was interrupted does not count";
        if (++ended == 3) flag.store(true);
    };
    run_matches(contest, all, run);
    EXPECT_EQ(ended, 3u);
}

TEST(Contest, LabelsTellPlayersOfOneNameApart) {
    const Contest contest = contest_of({"tic_tac_toe"}, {"random", "legal", "random"});
    EXPECT_THAT(labels_of(contest.entrants), ElementsAre("random (1)", "legal", "random (2)"));
}

TEST(Contest, AFaultOfTheOwnerEndsTheRun) {
    const Contest contest = contest_of({"tic_tac_toe"}, {"random", "legal"});
    ContestRun run;
    run.at_once = 2;
    std::size_t calls = 0;
    run.on_match = [&](const PlannedMatch&, const MatchResult&) {
        if (++calls == 2) throw StoreError("full");
    };
    EXPECT_THROW(run_matches(contest, plan(contest, 50, false, 1), run), StoreError);
    EXPECT_LT(calls, 50u);
}

TEST(Contest, AMatchThatFailsIsToldOfAndTheOthersArePlayed) {
    Contest contest = contest_of({"tic_tac_toe"}, {"random", "legal", "random:threads=1"});
    contest.entrants[2].make = [](const SeatOffer&) -> std::unique_ptr<player::Agent> {
        throw std::runtime_error("nobody came");
    };
    ContestRun run;
    run.at_once = 2;
    std::vector<std::size_t> begun, ended, told, failed;
    run.on_begin = [&](const PlannedMatch& planned) { begun.push_back(planned.number); };
    run.on_end = [&](const PlannedMatch& planned, const MatchResult&) { ended.push_back(planned.number); };
    run.on_match = [&](const PlannedMatch& planned, const MatchResult&) { told.push_back(planned.number); };
    run.on_failure = [&](const PlannedMatch& planned, const std::exception& fault) {
        failed.push_back(planned.number);
        EXPECT_STREQ(fault.what(), "nobody came");
    };
    run_matches(contest, plan(contest, 2, false, 1), run);
    EXPECT_EQ(begun.size(), 6u);
    EXPECT_EQ(ended.size(), 2u);
    EXPECT_THAT(told, ElementsAre(0u, 3u));
    EXPECT_EQ(failed.size(), 4u);
    run.on_failure = {};
    EXPECT_THROW(run_matches(contest, plan(contest, 2, false, 1), run), std::runtime_error);
}

// A thousand matches, recorded, and every record replayed on a machine of its own.
TEST(Contest, AThousandMatchesAreRecordedCorrectly) {
    const Contest contest = contest_of({"tic_tac_toe"}, {"random", "random:threads=1"});
    const std::vector<PlannedMatch> all = plan(contest, 1000, true, 4);
    const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "stratagem_thousand.db";
    for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + part);
    Store store(file);
    const Store::Run kept = store.begin("a thousand");
    ContestRun run;
    run.at_once = 2;
    run.on_match = [&](const PlannedMatch& planned, const MatchResult& result) {
        EXPECT_TRUE(store.add(kept, summarise(planned.number, "tic_tac_toe", planned.seating, result),
                              make_record(result, {"tic_tac_toe", "", contest.match.clocks, false})));
    };
    run_matches(contest, all, run);

    const std::vector<StoredMatch> stored = store.matches(kept);
    ASSERT_EQ(stored.size(), 1000u);
    const std::unique_ptr<machine::Machine> machine = contest.games[0]->game()->make();
    machine::MachineText text(*machine);
    int drawn = 0;
    for (const StoredMatch& match : stored) {
        const MatchRecord record = *store.record(kept, match.number);
        ASSERT_EQ(match.seed, all[match.number].seed);
        ASSERT_EQ(match.seating, all[match.number].seating);
        ASSERT_EQ(match.seats[0].score + match.seats[1].score, 100);
        ASSERT_EQ(match.seats[0].errors() + match.seats[1].errors(), 0u);
        ASSERT_THAT(record.goals, ElementsAre(match.seats[0].score, match.seats[1].score));
        drawn += match.seats[0].score == 50 ? 1 : 0;
        text.reset();
        for (std::size_t step = 0; step < record.moves.size(); ++step) {
            ASSERT_EQ(fmt::format("{}", fmt::join(text.state(), " ")), record.states[step]);
            for (std::size_t role = 0; role < 2; ++role) {
                const std::vector<std::string> legal = text.legal(role);
                ASSERT_TRUE(std::ranges::binary_search(legal, record.moves[step][role]));
                ASSERT_EQ(record.legal_counts[step][role], legal.size());
            }
            ASSERT_FALSE(text.terminal());
            text.advance(record.moves[step]);
        }
        ASSERT_TRUE(text.terminal());
        ASSERT_EQ(text.goal(0), record.goals[0]);
    }
    // Of random games about 12.7 % are drawn (46080 of 362880 complete boards); this seed is not far off.
    EXPECT_GT(drawn, 80);
    EXPECT_LT(drawn, 180);
    for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + part);
}

}  // namespace
}  // namespace stratagem::arena
