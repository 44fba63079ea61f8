// An Analysis is asked, by whoever and whenever, and everything is found out once.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "analysis/analysis.h"
#include "machine/gdl_game.h"
#include "machine/machine_games.h"

namespace stratagem::analysis {
namespace {

using machine::testing::bundled;
using ::testing::ElementsAre;

std::shared_ptr<const machine::Game> game_of(const std::string& name,
                                             machine::MachineKind kind = machine::MachineKind::circuit) {
    machine::MachineOptions options;
    options.kind = kind;
    return std::make_shared<const machine::GdlGame>(std::make_shared<const gdl::Description>(bundled(name)), options);
}

machine::Stop no_time() { return {Deadline::after(std::chrono::seconds(0)), nullptr}; }

TEST(Asking, WorksOutWhatAnItemRestsOnAndNothingElse) {
    const Analysis analysis(game_of("tic_tac_toe"));
    const Findings found = analysis.ask({Item::graph}, {});
    EXPECT_TRUE(found.complete());
    EXPECT_FALSE(found.orders().empty());
    EXPECT_FALSE(found.families().empty());
    ASSERT_NE(found.graph(), nullptr);
    EXPECT_NE(found.samples(), nullptr);
    EXPECT_TRUE(found.structures().empty());
    EXPECT_TRUE(found.symmetries().generators.empty());
    EXPECT_EQ(found.goal_sum().constant, Verdict::unknown);
    const GameKind& kind = found.kind();
    EXPECT_EQ(kind.games, 0U);
    EXPECT_EQ(kind.roles, 2U);
    EXPECT_THAT(kind.is_chance, ElementsAre(false, false));
    EXPECT_THAT(kind.team, ElementsAre(0U, 1U));
    EXPECT_THAT(kind.least_goal, ElementsAre(0, 0)) << "also where no game was seen";
    EXPECT_THAT(kind.most_goal, ElementsAre(100, 100));
    EXPECT_EQ(found.stages().size(), 4U);
}

TEST(Asking, KeepsWhatItFound) {
    const Analysis analysis(game_of("tic_tac_toe"));
    const Findings first = analysis.ask({Item::groups, Item::symmetries}, {});
    const Findings all = analysis.ask(Items::all(), {});
    EXPECT_EQ(first.families().data(), all.families().data());
    EXPECT_EQ(&first.symmetries(), &all.symmetries());
    const Findings again = analysis.ask(Items::all(), {});
    EXPECT_EQ(again.graph(), all.graph());
    EXPECT_EQ(again.groups().data(), all.groups().data());
    EXPECT_EQ(again.structures().data(), all.structures().data());
    EXPECT_EQ(again.persistence().stays.data(), all.persistence().stays.data());
}

// Whatever is asked first, the same comes of it.
TEST(Asking, ProvesInStepsWhatItProvesAtOnce) {
    const auto game = game_of("connect_four");
    const Analysis analysis(game);
    EXPECT_EQ(analysis.ask({Item::turns}, {}).kind().turn_taking, Verdict::proved);
    EXPECT_EQ(analysis.ask({Item::turns}, {}).goal_sum().constant, Verdict::unknown);
    const Findings in_steps = analysis.ask(Items::all(), {});
    const std::optional<Findings> at_once = analyze(*game, {});
    ASSERT_TRUE(at_once);
    EXPECT_EQ(in_steps.goal_sum().constant, Verdict::proved);
    EXPECT_EQ(in_steps.persistence().stays, at_once->persistence().stays);
    EXPECT_EQ(in_steps.persistence().gone, at_once->persistence().gone);
    ASSERT_EQ(in_steps.groups().size(), at_once->groups().size());
    for (std::size_t i = 0; i < in_steps.groups().size(); ++i) {
        EXPECT_EQ(in_steps.groups()[i].verdict, at_once->groups()[i].verdict);
        EXPECT_EQ(in_steps.groups()[i].fluents, at_once->groups()[i].fluents);
    }
    EXPECT_EQ(in_steps.kind().two_player_zero_sum, Verdict::proved);
    EXPECT_EQ(at_once->kind().two_player_zero_sum, Verdict::proved);
}

TEST(Asking, CompletesWhatTimeWasTooShortFor) {
    const Analysis analysis(game_of("connect_three"));
    const Findings little = analysis.ask(Items::all(), no_time());
    EXPECT_FALSE(little.complete());
    EXPECT_EQ(little.kind().turn_taking, Verdict::unknown);
    ASSERT_NE(little.graph(), nullptr);
    const std::size_t states = little.samples()->size();
    EXPECT_LT(states, 4000U);
    // Not by somebody who has no more time.
    EXPECT_EQ(analysis.ask(Items::all(), no_time()).samples(), little.samples());
    const Findings all = analysis.ask(Items::all(), {});
    EXPECT_TRUE(all.complete());
    EXPECT_EQ(all.kind().turn_taking, Verdict::proved);
    EXPECT_EQ(all.samples()->size(), 4000U);
    // What was handed out before is as it was.
    EXPECT_EQ(little.samples()->size(), states);
    EXPECT_EQ(little.kind().turn_taking, Verdict::unknown);
    EXPECT_EQ(little.graph()->distances_to(Fluent{0}).size(), all.program()->fluents.size() + 1);
}

TEST(Asking, AnInterruptionIsNoAnswer) {
    const Analysis analysis(game_of("connect_three"));
    std::atomic<bool> flag{true};
    EXPECT_EQ(analysis.kind({Deadline::never(), &flag}).games, 0U);
    flag = false;
    EXPECT_EQ(analysis.kind({Deadline::never(), &flag}).games, 300U);
}

TEST(Asking, TellsOfProofsOnlyWhoWantsThem) {
    const Analysis analysis(game_of("tic_tac_toe"));
    EXPECT_EQ(analysis.kind({}, true).turn_taking, Verdict::observed);
    analysis.ask({Item::goal_sum}, {});
    EXPECT_EQ(analysis.kind({}).turn_taking, Verdict::observed);
    EXPECT_EQ(analysis.kind({}, true).turn_taking, Verdict::proved);
    EXPECT_EQ(analysis.kind({}, true).two_player_zero_sum, Verdict::proved);
    EXPECT_EQ(analysis.kind({}, true).games, 300U);
}

TEST(Asking, WithoutGroundRulesThereIsTheKindOfGame) {
    const Analysis analysis(game_of("tic_tac_toe", machine::MachineKind::interpreter));
    const Findings found = analysis.ask(Items::all(), {});
    EXPECT_EQ(found.program(), nullptr);
    EXPECT_EQ(found.kind().games, 20U);
    EXPECT_EQ(found.kind().players, 2U);
    EXPECT_EQ(found.kind().turn_taking, Verdict::observed);
    EXPECT_EQ(found.kind().two_player_zero_sum, Verdict::observed);
    EXPECT_TRUE(found.families().empty());
    EXPECT_EQ(found.graph(), nullptr);
}

TEST(Asking, ThreadsGetTheSame) {
    for (int round = 0; round < 3; ++round) {
        const Analysis analysis(game_of("tic_tac_toe"));
        std::vector<Findings> found(6);
        {
            std::vector<std::jthread> threads;
            for (std::size_t i = 0; i < found.size(); ++i) {
                threads.emplace_back([&, i] {
                    const Items first = i % 3 == 0   ? Items{Item::kind}
                                        : i % 3 == 1 ? Items{Item::symmetries}
                                                     : Items{Item::turns};
                    analysis.ask(first, {});
                    found[i] = analysis.ask(Items::all(), {});
                });
            }
        }
        for (const Findings& one : found) {
            EXPECT_TRUE(one.complete());
            EXPECT_EQ(one.samples(), found[0].samples());
            EXPECT_EQ(one.graph(), found[0].graph());
            EXPECT_EQ(&one.symmetries(), &found[0].symmetries());
            EXPECT_EQ(one.structures().data(), found[0].structures().data());
            EXPECT_EQ(one.groups().data(), found[0].groups().data());
            EXPECT_EQ(one.goal_sum().constant, Verdict::proved);
            EXPECT_EQ(one.kind().games, 300U);
        }
    }
}

// Short of time, they get what there is, and it belongs together.
TEST(Asking, ThreadsInAHurryGetSomethingThatHolds) {
    const Analysis analysis(game_of("connect_three"));
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
        threads.emplace_back([&, i] {
            const machine::Stop stop{Deadline::after(std::chrono::milliseconds(5 << i)), nullptr};
            const Findings found = analysis.ask(Items::all(), stop);
            for (const Structure& one : found.structures()) {
                EXPECT_LT(one.family, found.families().size());
                for (const Argument& argument : one.arguments) {
                    if (argument.order) {
                        EXPECT_LT(*argument.order, found.orders().size());
                    }
                }
            }
        });
    }
}

TEST(SharedAnalysis, IsOneForTheSameGameAsLongAsSomebodyHoldsIt) {
    const auto one = game_of("tic_tac_toe"), other = game_of("tic_tac_toe");
    auto first = shared_analysis(one);
    EXPECT_EQ(shared_analysis(other), first);
    EXPECT_EQ(first->game(), one);
    EXPECT_NE(shared_analysis(game_of("connect_three")), first);
    EXPECT_NE(shared_analysis(one, {.seed = 2}), first);
    const std::weak_ptr<const Analysis> gone = first;
    first.reset();
    EXPECT_TRUE(gone.expired());
    EXPECT_EQ(shared_analysis(other)->game(), other);
}

TEST(SharedAnalysis, GamesWithoutFixedNumbersAreSharedWithNobody) {
    const auto game = game_of("tic_tac_toe", machine::MachineKind::interpreter);
    const auto first = shared_analysis(game);
    EXPECT_NE(shared_analysis(game), first);
}

}  // namespace
}  // namespace stratagem::analysis
