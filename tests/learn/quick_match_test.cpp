// Games between evaluators that look one move ahead.
#include "learn/quick_match.h"

#include <gtest/gtest.h>

#include <numeric>

#include "evaluate/registry.h"
#include "machine/same_game.h"

namespace stratagem::learn {
namespace {

std::shared_ptr<const machine::GdlGame> bundled(const char* name) {
    return std::make_shared<const machine::GdlGame>(
        std::make_shared<const gdl::Description>(machine::testing::bundled(name)));
}

std::shared_ptr<const evaluate::Evaluator> make(const std::shared_ptr<const machine::GdlGame>& game,
                                                std::string_view name, std::string_view options = {}) {
    const evaluate::EvaluatorEntry* entry = evaluate::find_evaluator(name);
    return entry->make(evaluate::make_material(game, std::nullopt, nullptr, 1), OptionValues(entry->options, options));
}

double mean(const std::vector<double>& points) {
    return std::accumulate(points.begin(), points.end(), 0.0) / static_cast<double>(points.size());
}

TEST(QuickMatch, ChanceAgainstChanceIsEven) {
    const auto game = bundled("breakthrough_6x6");
    QuickMatch match;
    match.games = 400;
    const std::vector<double> points = play_quickly(*game, nullptr, nullptr, match, {});
    ASSERT_EQ(points.size(), 400U);
    EXPECT_NEAR(mean(points), 50, 10);
    EXPECT_EQ(points, play_quickly(*game, nullptr, nullptr, match, {}));
}

// By the rules alone, and learned; from both sides of the table.
TEST(QuickMatch, WhoKnowsSomethingBeatsChance) {
    const auto game = bundled("breakthrough_6x6");
    const QuickMatch match;
    const auto fuzzy = make(game, "fuzzy");
    const auto learned = make(game, "linear", "states=100000");
    ASSERT_TRUE(fuzzy && learned);
    EXPECT_GE(mean(play_quickly(*game, fuzzy.get(), nullptr, match, {})), 80);
    EXPECT_GE(mean(play_quickly(*game, learned.get(), nullptr, match, {})), 80);
    EXPECT_LE(mean(play_quickly(*game, nullptr, learned.get(), match, {})), 20);
}

TEST(QuickMatch, EndsWhenToldTo) {
    const auto game = bundled("connect_three");
    const std::atomic<bool> now = true;
    EXPECT_TRUE(play_quickly(*game, nullptr, nullptr, {}, {Deadline::never(), &now}).empty());
}

// Chance moves by chance, and games without an end count for nobody.
TEST(QuickMatch, LeavesOutWhatDoesNotEnd) {
    const auto game = bundled("connect_three");
    QuickMatch match;
    match.longest = 2;
    EXPECT_TRUE(play_quickly(*game, nullptr, nullptr, match, {}).empty());
}

}  // namespace
}  // namespace stratagem::learn
