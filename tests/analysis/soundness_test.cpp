// What is proved is never contradicted: states of random games that the analysis has not seen.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "analysis/analysis.h"
#include "analysis/goes_along.h"
#include "machine/same_game.h"
#include "test_size.h"

namespace stratagem::analysis {
namespace {

struct Totals {
    std::size_t games = 0, states = 0, groups = 0, persistent = 0, distances = 0, sums = 0, turns = 0, symmetries = 0;
};

void check_groups(const Findings& known, const Samples& fresh, Totals& totals) {
    for (const Group& group : known.groups()) {
        if (group.verdict != Verdict::proved) continue;
        ++totals.groups;
        SampleSet seen(fresh.size());
        for (const Fluent fluent : group.fluents) {
            ASSERT_FALSE(seen.meets(fresh.holding(fluent))) << "two of a group";
            seen.add(fresh.holding(fluent));
        }
        ASSERT_TRUE(!group.at_least_one || seen == fresh.everywhere()) << "none of a group";
    }
}

void check_steps(const Findings& known, const Samples& fresh, Totals& totals) {
    const std::size_t fluents = known.program()->fluents.size();
    for (const Sample& sample : fresh.all()) {
        if (sample.previous == Sample::none) continue;
        const State& before = fresh.all()[sample.previous].state;
        for (std::uint32_t i = 0; i < fluents; ++i) {
            const bool was = before.holds(Fluent{i});
            const bool is = sample.state.holds(Fluent{i});
            ASSERT_FALSE(was && !is && known.persistence().stays[i] == Verdict::proved) << i;
            ASSERT_FALSE(!was && is && known.persistence().gone[i] == Verdict::proved) << i;
        }
    }
    for (std::uint32_t i = 0; i < fluents; ++i) {
        totals.persistent += known.persistence().stays[i] == Verdict::proved ? 1 : 0;
        totals.persistent += known.persistence().gone[i] == Verdict::proved ? 1 : 0;
    }
}

// From every state of a game to everything that holds later on in it.
void check_distances(const Findings& known, const Samples& fresh, Totals& totals) {
    machine::Random random(11);
    const auto fluents = static_cast<std::uint32_t>(known.program()->fluents.size());
    for (int i = 0; i < 20; ++i) {
        const Fluent target{random.below(fluents)};
        const auto table = known.graph()->distances_to(target);
        ++totals.distances;
        for (std::size_t at = 0; at < fresh.size(); ++at) {
            if (!fresh.holding(target).has(at)) continue;
            std::uint32_t steps = 0;
            for (std::uint32_t back = static_cast<std::uint32_t>(at); back != Sample::none && steps < 200; ++steps) {
                ASSERT_LE(FluentGraph::distance(fresh.all()[back].state, table), steps);
                back = fresh.all()[back].previous;
            }
        }
    }
}

void check_type(const Findings& known, const Samples& fresh, Totals& totals) {
    totals.sums += known.goal_sum().constant == Verdict::proved ? 1 : 0;
    totals.turns += known.kind().turn_taking == Verdict::proved ? 1 : 0;
    for (const Sample& sample : fresh.all()) {
        if (known.kind().turn_taking == Verdict::proved) {
            ASSERT_LE(std::ranges::count_if(sample.legal, [](std::uint32_t moves) { return moves > 1; }), 1);
        }
        if (!sample.terminal || known.goal_sum().constant != Verdict::proved) continue;
        int sum = 0;
        for (std::size_t role = 0; role < sample.goals.size(); ++role) {
            if (known.kind().is_chance[role]) continue;
            ASSERT_TRUE(sample.goals[role].has_value());
            sum += *sample.goals[role];
        }
        ASSERT_EQ(sum, *known.goal_sum().sum);
    }
}

// Every state with one of the symmetries that make up the others.
void check_symmetries(const Findings& known, const machine::Game& game, const Samples& fresh, Totals& totals) {
    const std::vector<Symmetry>& generators = known.symmetries().generators;
    totals.symmetries += generators.size();
    if (generators.empty()) return;
    const auto machine = game.make();
    machine::Random random(12);
    for (std::size_t at = 0; at < fresh.size() && !::testing::Test::HasFailure(); ++at) {
        expect_to_go_along(generators[at % generators.size()], *machine, fresh.all()[at], random);
    }
}

void check(const std::string& name, const gdl::Description& description, double seconds, std::size_t states,
           Totals& totals) {
    SCOPED_TRACE(name);
    const machine::GdlGame game(description);
    AnalysisOptions options;
    options.stop.deadline = Deadline::after(std::chrono::duration<double>(seconds));
    const std::optional<Findings> known = analyze(game, options);
    if (!known) return;
    SampleLimits limits;
    limits.states = states;
    limits.seed = 4711;
    limits.stop.deadline = Deadline::after(std::chrono::seconds(20));
    const Samples fresh(game, known->program()->fluents.size(), limits);
    ++totals.games;
    totals.states += fresh.size();
    check_groups(*known, fresh, totals);
    check_steps(*known, fresh, totals);
    check_distances(*known, fresh, totals);
    check_type(*known, fresh, totals);
    check_symmetries(*known, game, fresh, totals);
}

void report(const Totals& totals) {
    fmt::print(
        "{} games, {} states: {} groups, {} persistences, {} distance tables, {} constant sums, {} turn-taking, "
        "{} symmetries\n",
        totals.games, totals.states, totals.groups, totals.persistent, totals.distances, totals.sums, totals.turns,
        totals.symmetries);
}

TEST(Soundness, OfAllBundledGames) {
    Totals totals;
    for (const std::filesystem::path& path : some_of(gdl::testing::bundled_files())) {
        check(path.stem().string(), machine::testing::described_file(path), 20, sized(2000), totals);
    }
    report(totals);
    EXPECT_GE(totals.games, at_least(35));
    EXPECT_GE(totals.groups, at_least(1000));
    EXPECT_GE(totals.persistent, at_least(2000));
    EXPECT_GE(totals.sums, at_least(15));
    EXPECT_GE(totals.turns, at_least(25));
    EXPECT_GE(totals.symmetries, at_least(50));
}

// A sample of the collection beside the project; all of it, with more states, in the full tests.
TEST(Soundness, OfSharedGames) {
    const std::vector<std::filesystem::path> files = gdl::testing::shared_files();
    if (files.empty()) GTEST_SKIP() << "no ../shared/games beside the project";
    const bool full = full_tests();
    Totals totals;
    for (std::size_t i = 0; i < files.size(); i += every(20)) {
        gdl::ReadResult read = gdl::read_and_check(files[i].filename().string(), gdl::testing::content_of(files[i]));
        if (!read.ok()) continue;
        check(files[i].stem().string(), read.description, full ? 20 : 1, full ? 10'000 : sized(500), totals);
    }
    report(totals);
    EXPECT_GT(totals.games, 0U);
}

}  // namespace
}  // namespace stratagem::analysis
