// Who would play alike.
#include "lab/alike.h"

#include <gtest/gtest.h>

#include "evaluate/registry.h"
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

TEST(Alike, AGameIsAnalysedOnceForAllPairs) {
    const auto game = std::make_shared<const machine::GdlGame>(machine::testing::bundled("tic_tac_toe"));
    PlayComparison comparison(game, {30});
    EXPECT_FALSE(comparison.play_alike(player::Recipe("uct"), player::Recipe("blind")));
    EXPECT_EQ(comparison.analysis(), nullptr) << "nobody asked";
    EXPECT_TRUE(comparison.play_alike(player::Recipe("nex"), player::Recipe("nex-2")));
    const auto known = comparison.analysis();
    ASSERT_NE(known, nullptr);
    const analysis::Findings first = known->ask(analysis::Items::of_rules(), {});
    EXPECT_FALSE(comparison.play_alike(player::Recipe("nex-1.1p"), player::Recipe("nex-1.1")));
    EXPECT_EQ(comparison.analysis(), known);
    // Others get it too, with what was found, as long as it is held.
    const evaluate::Material material = evaluate::make_material(game, 30, nullptr, AlikeSearch{}.seed);
    EXPECT_EQ(material.asked, known);
    ASSERT_NE(material.analysis, nullptr);
    EXPECT_EQ(material.analysis->graph(), first.graph());
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
