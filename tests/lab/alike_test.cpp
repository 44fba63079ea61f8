// Who would play alike.
#include "lab/alike.h"

#include <gtest/gtest.h>

#include "machine/machine_games.h"

namespace stratagem::lab {
namespace {

bool alike(const std::string& game, const std::string& first, const std::string& second) {
    const gdl::Description description = machine::testing::bundled(game);
    const auto prepared = std::make_shared<const machine::GdlGame>(description);
    return play_alike(prepared, player::Recipe(first), player::Recipe(second), {30});
}

TEST(Alike, WithoutTheFeatureInTheGame) {
    EXPECT_TRUE(alike("tic_tac_toe", "nex-1.1s", "nex-1.1")) << "its alternatives are graded one by one";
    EXPECT_FALSE(alike("tic_tac_toe", "nex-1.1p", "nex-1.1")) << "marks stay";
    EXPECT_FALSE(alike("english_draughts", "nex-1.1s", "nex-1.1")) << "more pieces are more solutions";
    EXPECT_TRUE(alike("racetrack_corridor", "nex-1.1p", "nex-1.1")) << "nothing that goals mention stays";
    EXPECT_FALSE(alike("racetrack_corridor", "nex-1.1d", "nex-1.1"));
}

TEST(Alike, NotByAnotherSearch) {
    EXPECT_TRUE(alike("tic_tac_toe", "nex", "nex-2"));
    EXPECT_FALSE(alike("tic_tac_toe", "nex:threads=2", "nex-2"));
    EXPECT_FALSE(alike("tic_tac_toe", "nex:ponder=on", "nex"));
    EXPECT_FALSE(alike("tic_tac_toe", "nex", "flux"));
    EXPECT_FALSE(alike("tic_tac_toe", "uct", "blind"));
    EXPECT_TRUE(alike("tic_tac_toe", "uct:ponder=auto", "uct")) << "without an evaluator the search is all there is";
    EXPECT_FALSE(alike("tic_tac_toe", "uct:exploration=0.9", "uct"));
    EXPECT_FALSE(alike("tic_tac_toe", "best", "uct")) << "it solves games first";
}

TEST(Alike, OptionsOfTheEvaluatorMatterByTheirEffect) {
    EXPECT_TRUE(alike("tic_tac_toe", "nex:orders=off", "nex")) << "there are no numbers";
    EXPECT_FALSE(alike("tic_tac_toe", "nex:power=2", "nex"));
}

TEST(Alike, NotWithoutEvidence) {
    const gdl::Description description = machine::testing::bundled("tic_tac_toe");
    const auto prepared = std::make_shared<const machine::GdlGame>(description);
    AlikeSearch search{30};
    const std::atomic<bool> abort = true;
    search.abort = &abort;
    EXPECT_FALSE(play_alike(prepared, player::Recipe("nex"), player::Recipe("nex-2"), search)) << "told to stop";
}

}  // namespace
}  // namespace stratagem::lab
