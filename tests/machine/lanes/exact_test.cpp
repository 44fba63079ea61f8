// Every game that can be compiled for lanes plays in them exactly as on its circuit. Small games and a part of the
// steps; with STRATAGEM_FULL_TESTS=1 all games, all widths and longer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "machine/lanes/replay_lanes.h"
#include "machine/same_game.h"
#include "test_size.h"

namespace stratagem::machine::lanes {
namespace {

namespace fs = std::filesystem;
using testing::LaneReplay;

// Some lanes of every word, or all.
std::vector<std::size_t> spread(std::size_t count) {
    std::vector<std::size_t> lanes(lane_count);
    std::iota(lanes.begin(), lanes.end(), std::size_t{0});
    if (count >= lane_count) return lanes;
    // Multiples of a number that shares no factor with the number of lanes meet words and bits evenly.
    constexpr std::size_t stride = 37 * 5;
    for (std::size_t i = 0; i < count; ++i) lanes[i] = i * stride % lane_count;
    lanes.resize(count);
    return lanes;
}

// So much is compared: steps of single lanes, fewer where a step has more to compare.
std::size_t budget_for(const Circuit& circuit) {
    const std::size_t cost = 50 + circuit.program().fluents.size() + circuit.program().moves.size();
    const std::size_t total = full_tests() ? 100'000'000 : 3'000'000;
    return std::clamp<std::size_t>(total / cost, 300, 20'000);
}

// False if lanes are not for this game.
bool expect_exact(const std::shared_ptr<const Circuit>& circuit, const LaneOptions& options, std::uint64_t seed) {
    std::shared_ptr<const LaneGame> game;
    try {
        const Deadline deadline = Deadline::after(std::chrono::seconds(full_tests() ? 120 : 10));
        game = std::make_shared<const LaneGame>(circuit->shared_program(), options, deadline);
    } catch (const std::runtime_error& reason) {
        std::puts(reason.what());
        return false;
    }
    CircuitMachine machine(circuit);
    if (machine.terminal(machine.initial())) return true;
    const std::size_t budget = budget_for(*circuit);
    constexpr std::uint32_t games = 700;  // more than lanes, so that some begin anew
    const std::size_t lanes = budget > 15'000 ? lane_count : std::max<std::size_t>(4, budget / 200);
    LaneReplay replay(game, machine, spread(lanes), budget);
    LanePlayouts playouts(game, seed);
    const PlayoutResult result = replay.play(playouts, machine.initial(), games);
    EXPECT_GT(replay.steps() + replay.totals().stuck, 0U);
    if (lanes < lane_count || replay.stopped()) return true;
    EXPECT_EQ(result.finished + result.cut, games);
    EXPECT_EQ(result.finished, replay.totals().finished);
    EXPECT_EQ(result.cut, replay.totals().cut);
    EXPECT_EQ(result.stuck, replay.totals().stuck);
    EXPECT_EQ(result.steps, replay.totals().steps);
    EXPECT_EQ(result.goals, replay.totals().goals);
    return true;
}

// What of a collection was compared, and why some was not.
struct Tally {
    std::size_t exact = 0;
    std::size_t not_for_lanes = 0;
    std::size_t left_out = 0;
};

void expect_exact_game(const fs::path& path, std::size_t number, Tally& tally) {
    SCOPED_TRACE(path.filename().string());
    if (full_tests()) std::puts(path.filename().c_str());
    const gdl::ReadResult read = gdl::read_and_check("game", gdl::testing::content_of(path));
    ground::GroundLimits limits;
    limits.deadline = Deadline::after(std::chrono::seconds(full_tests() ? 60 : 1));
    ground::GroundResult grounded;
    if (read.ok()) grounded = ground::ground(read.description, limits);
    constexpr std::size_t most_rules = 20'000;
    if (!grounded.program || (!full_tests() && grounded.program->rule_count() > most_rules)) {
        ++tally.left_out;
        return;
    }
    const auto program = std::make_shared<const ground::Program>(std::move(*grounded.program));
    const auto circuit = std::make_shared<const Circuit>(program);
    // All ways of running lanes, or one of them for each game in turn.
    std::vector<LaneOptions> ways;
    for (const bool lockstep : {true, false}) {
        for (const Width width : {Width::avx512, Width::avx2, Width::portable64}) {
            if (!is_available(width)) continue;
            LaneOptions& options = ways.emplace_back();
            options.width = width;
            options.lockstep = lockstep;
            options.observe = true;
        }
    }
    constexpr std::size_t large = 300'000;  // rules: building takes long
    if (program->rule_count() > large) ways.resize(1);
    if (!full_tests()) ways = {ways[number % ways.size()]};
    bool suitable = true;
    for (const LaneOptions& options : ways) {
        SCOPED_TRACE(fmt::format("width {} lockstep {}", entry_of(*options.width).name, options.lockstep));
        suitable = suitable && expect_exact(circuit, options, number + 1);
    }
    ++(suitable ? tally.exact : tally.not_for_lanes);
}

Tally expect_exact_games(const std::vector<fs::path>& files, std::size_t first, std::size_t stride) {
    Tally tally;
    for (std::size_t i = first; i < files.size(); i += stride) expect_exact_game(files[i], i, tally);
    std::puts(
        fmt::format("{} games exact, {} not for lanes, {} left out", tally.exact, tally.not_for_lanes, tally.left_out)
            .c_str());
    return tally;
}

TEST(LanesExact, BundledGames) { EXPECT_GT(expect_exact_games(gdl::testing::bundled_files(), 0, 1).exact, 10U); }

constexpr std::size_t shards = 8;
class SharedGames : public ::testing::TestWithParam<std::size_t> {};

TEST_P(SharedGames, AreExact) {
    const std::vector<fs::path> files = gdl::testing::shared_files();
    if (files.empty()) GTEST_SKIP() << "no games beside the project";
    EXPECT_GT(expect_exact_games(files, GetParam(), shards * (sanitized ? 5 : 1)).exact, 0U);
}

INSTANTIATE_TEST_SUITE_P(LanesExact, SharedGames, ::testing::Range(std::size_t{0}, shards));

}  // namespace
}  // namespace stratagem::machine::lanes
