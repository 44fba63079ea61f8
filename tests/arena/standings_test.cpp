// What matches are counted as: by hand.
#include "arena/standings.h"

#include <gmock/gmock.h>

#include <cmath>

#include "arena/elo.h"

namespace stratagem::arena {
namespace {

using ::testing::ElementsAre;

StoredMatch match_of(const std::string& game, std::vector<std::size_t> seating, const std::vector<int>& scores) {
    StoredMatch match;
    match.game = game;
    match.complete = true;
    match.steps = 10;
    match.seating = std::move(seating);
    for (const int score : scores) match.seats.emplace_back().score = score;
    return match;
}

TEST(Standings, CountsByPlayerGameAndPair) {
    const std::vector<StoredMatch> matches{match_of("a", {0, 1}, {100, 0}), match_of("a", {1, 0}, {50, 50}),
                                           match_of("b", {0, 1}, {30, 0}), match_of("b", {2, 0}, {0, 0})};
    const Standings standings(3, {"a", "b"}, matches);
    EXPECT_EQ(standings.matches(), 4u);
    EXPECT_DOUBLE_EQ(standings.overall(0).points().mean(), 45);
    EXPECT_EQ(standings.overall(0).wins(), 2u);
    EXPECT_EQ(standings.overall(0).draws(), 2u);
    EXPECT_EQ(standings.overall(1).losses(), 2u);
    EXPECT_DOUBLE_EQ(standings.in_game(1, 0).points().mean(), 15);
    EXPECT_EQ(standings.in_game(0, 2).points().count(), 0u);
    EXPECT_EQ(standings.pairing(0, 1).points.count(), 3u);
    EXPECT_DOUBLE_EQ(standings.pairing(1, 0).points.mean(), 50.0 / 3);
    EXPECT_DOUBLE_EQ(standings.pairing(0, 1).lead.mean(), 130.0 / 3);
    EXPECT_THAT(standings.ranking(), ElementsAre(0u, 1u, 2u));
}

// Points are added up first and divided last: 180 of 230, not the mean of 1, 1/2 and 1.
TEST(Standings, WinRate) {
    const std::vector<StoredMatch> matches{match_of("a", {0, 1}, {100, 0}), match_of("a", {1, 0}, {50, 50}),
                                           match_of("a", {0, 1}, {30, 0}), match_of("b", {2, 3}, {0, 0})};
    const Standings standings(4, {"a", "b"}, matches);
    EXPECT_DOUBLE_EQ(*standings.overall(0).win_rate(), 180.0 / 230);
    EXPECT_DOUBLE_EQ(*standings.overall(1).win_rate(), 50.0 / 230);
    EXPECT_DOUBLE_EQ(*standings.pairing(0, 1).win_rate(), 180.0 / 230);
    EXPECT_EQ(standings.overall(2).win_rate(), std::nullopt) << "nobody made a point";
}

TEST(Standings, MatchesWithoutAnEndHaveErrorsButNoPoints) {
    StoredMatch match = match_of("a", {0, 1}, {100, 0});
    match.complete = false;
    match.seats[0].late = 2;
    match.seats[0].start = Fault::late;
    const Standings standings(2, {"a"}, std::vector{match});
    EXPECT_EQ(standings.incomplete(), 1u);
    EXPECT_EQ(standings.overall(0).points().count(), 0u);
    EXPECT_EQ(standings.overall(0).errors(), 2u);
    EXPECT_EQ(standings.overall(0).start_faults(), 1u);
    EXPECT_EQ(standings.ratings()[0], std::nullopt);
}

TEST(Standings, OneAndThreePlayers) {
    const std::vector<StoredMatch> matches{match_of("solo", {0}, {75}), match_of("three", {0, 1, 2}, {100, 50, 0})};
    const Standings standings(3, {"solo", "three"}, matches);
    EXPECT_EQ(standings.overall(0).wins(), 1u) << "nobody wins alone";
    EXPECT_EQ(standings.overall(1).losses(), 1u);
    EXPECT_EQ(standings.pairing(1, 2).wins, 1u);
    ASSERT_TRUE(standings.ratings()[0] && standings.ratings()[1] && standings.ratings()[2]);
    EXPECT_GT(standings.ratings()[0]->elo, standings.ratings()[1]->elo);
    EXPECT_NEAR(standings.ratings()[1]->elo, 0, 1e-6);
}

bool same(const std::optional<Rating>& a, double elo, double ci95) {
    return a && std::abs(a->elo - elo) < 0.01 && std::abs(a->ci95 - ci95) < 0.01;
}

// 75 of 100 games and the one that is always added: p = 75.5 / 101, difference 400 log10(p / (1 - p)), of which each
// has half; the variance of the difference of strengths is 1 / (101 p (1 - p)).
TEST(Elo, TwoPlayersByHand) {
    const std::vector<Comparison> comparisons{{0, 1, 1, 75}, {1, 0, 1, 25}};
    const auto ratings = elo_ratings(2, comparisons);
    const double p = 75.5 / 101;
    const double half = 200 * std::log10(p / (1 - p));
    const double width = 1.959964 * 400 / std::log(10.0) / 2 / std::sqrt(101 * p * (1 - p));
    EXPECT_TRUE(same(ratings[0], half, width)) << ratings[0]->elo << " " << ratings[0]->ci95;
    EXPECT_TRUE(same(ratings[1], -half, width));
    EXPECT_NEAR(half, 94.28, 0.01);
    EXPECT_NEAR(width, 38.99, 0.01);
}

// Where results follow a scale exactly, the scale is found again, however many games a pair has played.
TEST(Elo, FindsTheScaleBehindResults) {
    const std::vector<double> elo{-300, -50, 100, 250};
    std::vector<Comparison> comparisons;
    for (std::size_t a = 0; a < elo.size(); ++a) {
        for (std::size_t b = a + 1; b < elo.size(); ++b) {
            const double p = 1 / (1 + std::pow(10, (elo[b] - elo[a]) / 400));
            comparisons.push_back({a, b, p, 1e6 * static_cast<double>(a + 1)});
        }
    }
    const auto ratings = elo_ratings(4, comparisons);
    for (std::size_t i = 0; i < elo.size(); ++i) EXPECT_NEAR(ratings[i]->elo, elo[i], 0.01);
    EXPECT_LT(ratings[0]->ci95, 1);
}

TEST(Elo, StaysFinite) {
    const auto ratings = elo_ratings(3, std::vector<Comparison>{{0, 1, 1, 1000}, {1, 2, 1, 1000}, {0, 2, 1, 1000}});
    EXPECT_TRUE(std::isfinite(ratings[0]->elo) && std::isfinite(ratings[0]->ci95));
    EXPECT_GT(ratings[0]->elo, 500);
    EXPECT_NEAR(ratings[0]->elo + ratings[1]->elo + ratings[2]->elo, 0, 1e-6);
    EXPECT_NEAR(ratings[1]->elo, 0, 1e-3);
}

TEST(Elo, ThoseWhoNeverMetAreNotCompared) {
    const auto ratings = elo_ratings(6, std::vector<Comparison>{{0, 3, 1, 10}, {1, 4, 0.5, 10}, {5, 5, 1, 1}});
    EXPECT_EQ(ratings[0]->group, ratings[3]->group);
    EXPECT_NE(ratings[0]->group, ratings[1]->group);
    EXPECT_NEAR(ratings[1]->elo, 0, 1e-9);
    EXPECT_EQ(ratings[2], std::nullopt);
    EXPECT_EQ(ratings[5], std::nullopt);
}

// Draws are half a win each way.
TEST(Elo, DrawsCountHalf) {
    const auto drawn = elo_ratings(2, std::vector<Comparison>{{0, 1, 0.5, 10}, {0, 1, 1, 10}});
    const auto won = elo_ratings(2, std::vector<Comparison>{{0, 1, 1, 15}, {0, 1, 0, 5}});
    EXPECT_TRUE(same(drawn[0], won[0]->elo, won[0]->ci95));
}

}  // namespace
}  // namespace stratagem::arena
