// One state stands for all that are alike: the symmetries are a group whatever its size, and states that are alike get
// the same representative.
#include "analysis/canonical.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/goes_along.h"
#include "analysis/samples.h"
#include "analysis/symmetry_group.h"
#include "gdl/game_files.h"
#include "machine/circuit/circuit.h"
#include "machine/same_game.h"
#include "test_size.h"

namespace stratagem::analysis {
namespace {

using SeenFluents = std::set<std::vector<Fluent>>;

struct Game {
    explicit Game(gdl::Description rules) : description(std::move(rules)), prepared(description) {}
    explicit Game(const std::string& name) : Game(machine::testing::bundled(name)) {}

    const ground::Program& program() const { return prepared.circuit()->program(); }
    Symmetries symmetries() const {
        const RuleIndex index(program());
        return find_symmetries(index, false, {Deadline::after(std::chrono::seconds(20)), nullptr});
    }

    gdl::Description description;
    machine::GdlGame prepared;
};

SeenFluents fluents_of(const std::vector<Symmetry>& symmetries) {
    SeenFluents seen;
    for (const Symmetry& one : symmetries) seen.insert(one.fluents);
    return seen;
}

// Pairs by chance where there are many.
void expect_group(const std::vector<Symmetry>& symmetries, machine::Random& random) {
    const SeenFluents seen = fluents_of(symmetries);
    EXPECT_EQ(seen.size(), symmetries.size()) << "two do the same";
    constexpr std::uint32_t most_pairs = 500;
    const auto count = static_cast<std::uint32_t>(symmetries.size());
    for (std::uint32_t i = 0; i < std::min(count * count, most_pairs); ++i) {
        const bool all = count * count <= most_pairs;
        const Symmetry& first = symmetries[all ? i / count : random.below(count)];
        const Symmetry& second = symmetries[all ? i % count : random.below(count)];
        ASSERT_TRUE(seen.contains(chain(first, second).fluents));
        ASSERT_TRUE(seen.contains(inverse(first).fluents));
        ASSERT_FALSE(first.swaps_roles());
    }
}

// Of all states, met or not: they need not be reachable.
State state_by_chance(const ground::Program& program, machine::Random& random) {
    State state(program.fluents.size());
    for (std::uint32_t i = 0; i < program.fluents.size(); ++i) {
        if (random.below(4) == 0) state.insert(Fluent{i});
    }
    return state;
}

void expect_one_representative(const Canonical& canonical, const State& state, machine::Random& random) {
    const State stands_for = canonical.representative(state);
    EXPECT_EQ(canonical.representative(stands_for), stands_for);
    for (int i = 0; i < 8; ++i) {
        const auto place = random.below(static_cast<std::uint32_t>(canonical.size()));
        ASSERT_EQ(canonical.representative(canonical.symmetries()[place].apply(state)), stands_for);
    }
}

// Returns the size of the group.
std::size_t expect_canonical(const Game& game) {
    const Canonical canonical(game.program(), game.symmetries());
    machine::Random random(7);
    expect_group(canonical.symmetries(), random);
    SampleLimits limits;
    limits.states = 60;
    const Samples samples(game.prepared, game.program().fluents.size(), limits);
    for (const Sample& sample : samples.all()) expect_one_representative(canonical, sample.state, random);
    for (int i = 0; i < 20; ++i) {
        expect_one_representative(canonical, state_by_chance(game.program(), random), random);
    }
    // Symmetries of one group are made of each other; each must still be one of the game.
    const auto machine = game.prepared.make();
    for (std::size_t i = 0; i < 10; ++i) {
        const auto place = random.below(static_cast<std::uint32_t>(canonical.size()));
        const auto sample = random.below(static_cast<std::uint32_t>(samples.size()));
        expect_to_go_along(canonical.symmetries()[place], *machine, samples.all()[sample], random);
    }
    return canonical.size();
}

TEST(Canonical, StatesThatAreAlikeHaveOneRepresentative) {
    std::size_t with_symmetries = 0;
    for (const std::filesystem::path& path : some_of(gdl::testing::bundled_files())) {
        SCOPED_TRACE(path.stem().string());
        const Game game(machine::testing::described_file(path));
        with_symmetries += expect_canonical(game) > 1 ? 1 : 0;
    }
    EXPECT_GT(with_symmetries, at_least(15));
}

TEST(Canonical, SharedGamesWithLargeGroups) {
    std::size_t seen = 0;
    for (const std::filesystem::path& path : gdl::testing::shared_files()) {
        const std::string name = path.stem().string();
        if (name != "factoringEasyTurtleBrain" && name != "ticTacToeSerial") continue;
        SCOPED_TRACE(name);
        EXPECT_GT(expect_canonical(Game(machine::testing::described_file(path))), 1U);
        ++seen;
    }
    if (seen == 0) GTEST_SKIP() << "no ../shared/games beside the project";
}

TEST(Canonical, GroupsOfKnownSize) {
    EXPECT_EQ(expect_canonical(Game("sim_five_points")), 120U) << "points in any order";
    EXPECT_EQ(expect_canonical(Game("sim")), 720U);
    EXPECT_EQ(expect_canonical(Game("dots_and_boxes_2x2")), 128U) << "a square, and the outer sides of four boxes";
    EXPECT_EQ(expect_canonical(Game("tic_tac_toe")), 8U);
}

// Whatever the limit, what is taken is a group, and as large as the whole one where there is room.
TEST(Canonical, PartsOfLargeGroupsAreGroups) {
    const Game game("sim");
    const Symmetries found = game.symmetries();
    machine::Random random(3);
    std::size_t before = 0;
    for (const std::size_t most : {1U, 2U, 5U, 23U, 24U, 48U, 119U, 500U, 719U, 720U, 5000U}) {
        const std::vector<Symmetry> group = symmetry_group(game.program(), found, most);
        EXPECT_LE(group.size(), most);
        EXPECT_GE(group.size(), before);
        EXPECT_EQ(720U % group.size(), 0U) << "the size of a part divides that of the whole";
        expect_group(group, random);
        before = group.size();
    }
    EXPECT_EQ(before, 720U);
}

// Generators that all swap the roles still have a part that keeps them.
TEST(Canonical, PartsThatKeepRolesOfGroupsThatDoNot) {
    const Game game("breakthrough");
    Symmetries found = game.symmetries();
    const std::vector<Symmetry> all = all_symmetries(game.program(), found, 100);
    ASSERT_EQ(all.size(), 4U);
    found.generators.clear();
    for (const Symmetry& one : all) {
        if (one.swaps_roles()) found.generators.push_back(one);
    }
    EXPECT_EQ(symmetry_group(game.program(), found, 100).size(), 2U) << "left and right";
}

}  // namespace
}  // namespace stratagem::analysis
