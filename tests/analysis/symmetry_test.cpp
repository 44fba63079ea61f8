// Symmetries of games whose symmetries are known, and that games go along with them.
#include "analysis/symmetry.h"

#include <gtest/gtest.h>

#include "analysis/formula.h"
#include "analysis/goes_along.h"
#include "analysis/groups.h"
#include "analysis/samples.h"
#include "gdl/game_files.h"
#include "machine/circuit/circuit.h"
#include "machine/same_game.h"
#include "test_size.h"

namespace stratagem::analysis {
namespace {

struct Game {
    explicit Game(gdl::Description rules)
        : description(std::move(rules)),
          prepared(description),
          program(prepared.circuit()->program()),
          index(program) {}
    explicit Game(const std::string& name) : Game(machine::testing::bundled(name)) {}

    gdl::Description description;
    machine::GdlGame prepared;
    const ground::Program& program;
    RuleIndex index;
};

std::size_t count(const std::string& name) {
    const Game game(name);
    const Symmetries found = find_symmetries(game.index, true, {});
    EXPECT_TRUE(found.complete);
    return all_symmetries(game.program, found, 1000).size();
}

TEST(Symmetry, BoardsOfKnownShape) {
    EXPECT_EQ(count("tic_tac_toe"), 8U) << "all of a square";
    EXPECT_EQ(count("connect_four"), 2U) << "left and right";
    EXPECT_EQ(count("breakthrough"), 2U) << "left and right";
    EXPECT_EQ(count("english_draughts"), 1U);
    EXPECT_EQ(count("connect_five"), 8U) << "all of a square";
    EXPECT_EQ(count("nim"), 1U);
}

// White and black change places in a board turned round; the start, with white to move, is not kept.
TEST(Symmetry, RolesMayBeSwapped) {
    const Game game("breakthrough");
    const Symmetries found = find_symmetries(game.index, false, {});
    EXPECT_TRUE(found.complete);
    const std::vector<Symmetry> all = all_symmetries(game.program, found, 100);
    EXPECT_EQ(all.size(), 4U);
    EXPECT_EQ(std::ranges::count_if(all, [](const Symmetry& one) { return one.swaps_roles(); }), 2);
    EXPECT_EQ(std::ranges::count_if(all, [](const Symmetry& one) { return one.keeps_start; }), 2);
}

TEST(Symmetry, WhatIsNoneIsSeen) {
    const Game game("breakthrough");
    const std::vector<Symmetry> all = all_symmetries(game.program, find_symmetries(game.index, false, {}), 100);
    ASSERT_EQ(all.size(), 4U);
    const auto broken = [&](auto&& change) {
        Symmetry one = all[0];  // which changes nothing
        change(one);
        return !one.is_consistent(game.program);
    };
    for (const Symmetry& one : all) EXPECT_TRUE(one.is_consistent(game.program));
    EXPECT_TRUE(broken([](Symmetry& one) { one.fluents[0] = one.fluents[1]; }));
    EXPECT_TRUE(broken([](Symmetry& one) { one.fluents.pop_back(); }));
    EXPECT_TRUE(broken([](Symmetry& one) { std::swap(one.moves.front(), one.moves.back()); })) << "of two roles";
    EXPECT_TRUE(broken([](Symmetry& one) { std::swap(one.roles[0], one.roles[1]); })) << "without their moves";
    EXPECT_TRUE(broken([](Symmetry& one) { one.keeps_start = false; }));
}

TEST(Groups, WhatIsNoneIsSeen) {
    Group good;
    good.fluents = {Fluent{1}, Fluent{3}};
    EXPECT_TRUE(good.is_consistent(4));
    EXPECT_FALSE(good.is_consistent(3)) << "there is no such fluent";
    Group twice = good;
    twice.fluents.push_back(Fluent{3});
    EXPECT_FALSE(twice.is_consistent(4));
    Group nothing = good;
    nothing.at_most_one = false;
    EXPECT_FALSE(nothing.is_consistent(4)) << "nothing is claimed";
}

TEST(Symmetry, GamesGoAlong) {
    std::size_t generators = 0;
    for (const std::filesystem::path& path : some_of(gdl::testing::bundled_files())) {
        SCOPED_TRACE(path.stem().string());
        const Game game(machine::testing::described_file(path));
        const auto machine = game.prepared.make();
        SampleLimits limits;
        limits.states = 40;
        const Samples samples(game.prepared, game.program.fluents.size(), limits);
        machine::Random random(5);
        for (const bool keep_start : {true, false}) {
            const Symmetries found =
                find_symmetries(game.index, keep_start, {Deadline::after(std::chrono::seconds(20)), nullptr});
            for (const Symmetry& symmetry : found.generators) {
                ++generators;
                ASSERT_TRUE(!keep_start || symmetry.keeps_start);
                for (const Sample& sample : samples.all()) {
                    expect_to_go_along(symmetry, *machine, sample, random);
                }
            }
        }
    }
    EXPECT_GT(generators, at_least(30));
}

// What a graph of conditions has when it is cut short is not taken for the whole.
TEST(Symmetry, GraphsOfConditionsKeepTheirLimits) {
    const Game game("tic_tac_toe");
    FormulaGraph whole(game.index);
    whole.add(game.program.terminal);
    EXPECT_FALSE(whole.cut_short());
    ASSERT_GT(whole.edge_count(), 10U);
    FormulaGraph small(game.index, {.edges = 10, .stop = {}});
    small.add(game.program.terminal);
    EXPECT_TRUE(small.cut_short());
    EXPECT_LT(small.edge_count(), whole.edge_count());
    FormulaGraph late(game.index, {.stop = {Deadline::after(std::chrono::seconds(0)), nullptr}});
    late.add(game.program.terminal);
    EXPECT_TRUE(late.cut_short());
    EXPECT_EQ(late.edge_count(), 0U);
}

TEST(Symmetry, IsNotLookedForOnceTimeIsUp) {
    const Game game("tic_tac_toe");
    EXPECT_FALSE(find_symmetries(game.index, true, {Deadline::after(std::chrono::seconds(0)), nullptr}).complete);
}

}  // namespace
}  // namespace stratagem::analysis
