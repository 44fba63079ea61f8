// Records played again: what agrees with the rules, and every way in which one may not.
#include "arena/replay_record.h"

#include <gmock/gmock.h>

#include "player/fake_search.h"

namespace stratagem::arena {
namespace {

using player::Recipe;
using player::Seconds;
using player::testing::shared;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ReplayRecord : public ::testing::Test {
  protected:
    ReplayRecord() {
        const auto game = shared(machine::testing::bundled("tic_tac_toe"));
        game_ = game->remade({});
        machine_ = game_->make();
        MatchSettings settings;
        settings.clocks = {Seconds(30), Seconds(30)};
        settings.keep_states = true;
        settings.player.ponder = false;
        const std::vector<Recipe> recipes(2, Recipe("random"));
        record_ = make_record(play_match(game_, recipes, settings), {"tic_tac_toe", "", settings.clocks});
    }

    std::vector<std::string> faults() {
        std::vector<std::string> found;
        for (const machine::Mismatch& one : replay(*machine_, record_, 1).mismatches) found.push_back(one.what);
        return found;
    }

    std::shared_ptr<const machine::Game> game_;
    std::unique_ptr<machine::Machine> machine_;
    MatchRecord record_;
};

TEST_F(ReplayRecord, AgreesWithWhatWasPlayed) {
    const machine::ReplayResult result = replay(*machine_, record_, 1);
    EXPECT_THAT(result.mismatches, IsEmpty());
    EXPECT_EQ(result.steps, record_.states.size());
    EXPECT_EQ(replay(*machine_, record_, 1, 2).steps, 2u);
}

TEST_F(ReplayRecord, AgreesWithHowOthersWriteIt) {
    record_.roles.clear();
    record_.legal_counts.clear();
    for (auto& step : record_.moves) {
        for (std::string& move : step) {
            if (move.starts_with("(mark")) move = "( MARK" + move.substr(5, move.size() - 6) + " )";
        }
    }
    EXPECT_THAT(faults(), IsEmpty());
    record_.states.clear();
    EXPECT_THAT(faults(), IsEmpty());
}

TEST_F(ReplayRecord, SaysThatAMoveWasIllegal) {
    const std::string made = record_.moves[0][0];
    record_.moves[2][0] = made;
    const machine::ReplayResult result = replay(*machine_, record_, 8);
    ASSERT_EQ(result.mismatches.size(), 1u);
    EXPECT_EQ(result.mismatches[0].what, "illegal move of x");
    EXPECT_EQ(result.mismatches[0].expected, made);
    EXPECT_EQ(result.mismatches[0].step, 2u);
    EXPECT_EQ(result.mismatches[0].match, 8u);
    EXPECT_THAT(result.mismatches[0].got, HasSubstr("legal: (mark"));
    record_.moves[2] = {"((((", "nonsense"};
    EXPECT_THAT(faults(), ElementsAre("illegal move of x", "illegal move of o"));
}

TEST_F(ReplayRecord, SaysWhatElseDiffers) {
    const MatchRecord whole = record_;
    record_.states[1] = record_.states[0];
    EXPECT_THAT(faults(), ElementsAre("state"));
    record_ = whole;
    record_.legal_counts[0][0] = 4;
    EXPECT_THAT(faults(), ElementsAre("number of legal moves of x"));
    record_ = whole;
    record_.goals[1] += 7;
    EXPECT_THAT(faults(), ElementsAre("goal of o"));
    record_ = whole;
    record_.moves.pop_back();
    record_.states.pop_back();
    record_.goals.clear();
    EXPECT_THAT(faults(), ElementsAre("end"));
    record_.completed = false;
    EXPECT_THAT(faults(), IsEmpty());
    record_ = whole;
    record_.moves.push_back(record_.moves.back());
    record_.states.push_back(record_.states.back());
    EXPECT_THAT(faults(), ElementsAre("end"));
    record_ = whole;
    record_.roles = {"x", "y"};
    EXPECT_THAT(faults(), ElementsAre("roles"));
    record_.roles.clear();
    for (auto& step : record_.moves) step.push_back("noop");
    EXPECT_THAT(faults(), ElementsAre("roles"));
}

TEST(FactsIn, AreReadAsMachinesWriteThem) {
    EXPECT_THAT(facts_in("(cell 2 1  B) done(a b)"), ElementsAre("(a b)", "(cell 2 1 b)", "done"));
    EXPECT_THAT(facts_in("(f (g x) y) (f (g x) y)"), ElementsAre("(f (g x) y)"));
    EXPECT_THAT(facts_in(""), IsEmpty());
    EXPECT_THAT(facts_in("((( x"), ElementsAre("((( x"));
}

}  // namespace
}  // namespace stratagem::arena
