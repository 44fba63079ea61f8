#include "arena/statistics.h"

#include <gmock/gmock.h>

#include <cmath>

namespace stratagem::arena {
namespace {

TEST(Statistics, MeanAndDeviation) {
    Sample sample;
    for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) sample.add(value);
    EXPECT_EQ(sample.count(), 8u);
    EXPECT_DOUBLE_EQ(sample.mean(), 5);
    EXPECT_DOUBLE_EQ(sample.deviation(), std::sqrt(32.0 / 7));
}

Sample sample_of(std::initializer_list<double> values, Range bounds = {0, 100}) {
    Sample sample(bounds);
    for (const double value : values) sample.add(value);
    return sample;
}

void expect_range(const std::optional<Range>& range, double low, double high, double error) {
    ASSERT_TRUE(range.has_value());
    EXPECT_NEAR(range->low, low, error);
    EXPECT_NEAR(range->high, high, error);
}

// R. G. Newcombe, Two-sided confidence intervals for the single proportion: comparison of seven methods, Statistics in
// Medicine 17 (1998), table I, method 3.
TEST(Statistics, WilsonAsPublished) {
    expect_range(wilson95(81, 263), 0.2553, 0.3662, 0.00005);
    expect_range(wilson95(15, 148), 0.0624, 0.1605, 0.00005);
    expect_range(wilson95(0, 20), 0.0000, 0.1611, 0.00005);
    expect_range(wilson95(1, 29), 0.0061, 0.1718, 0.00005);
}

TEST(Statistics, WilsonKnowsItsEnds) {
    for (int trials = 1; trials <= 50; ++trials) {
        EXPECT_EQ(wilson95(0, trials).low, 0);
        EXPECT_EQ(wilson95(trials, trials).high, 1);
        for (int wins = 0; wins <= trials; ++wins) {
            const Range range = wilson95(wins, trials);
            const Range other = wilson95(trials - wins, trials);
            EXPECT_LE(range.low, static_cast<double>(wins) / trials);
            EXPECT_GE(range.high, static_cast<double>(wins) / trials);
            EXPECT_NEAR(range.low, 1 - other.high, 1e-12) << "of wins as of losses";
            EXPECT_GT(range.half_width(), 0);
        }
    }
}

// Twenty matches, none won: as published above, in points.
TEST(Statistics, WinsAndLosses) {
    Sample sample;
    for (int i = 0; i < 20; ++i) sample.add(0);
    EXPECT_EQ(sample.method(), IntervalMethod::wilson);
    expect_range(sample.interval95(), 0, 16.11, 0.005);
    EXPECT_NEAR(sample.ci95().value(), 8.06, 0.005);
    // Won twice of two: far from certain, and not beyond what can be reached.
    expect_range(sample_of({100, 100}).interval95(), 34.24, 100, 0.005);
}

TEST(Statistics, ADrawIsHalfAWin) {
    EXPECT_EQ(sample_of({50, 50}).method(), IntervalMethod::wilson);
    EXPECT_EQ(sample_of({50, 50, 100, 0}).interval95(), sample_of({100, 0, 100, 0}).interval95());
    expect_range(sample_of({50, 50}).interval95(), 9.45, 90.55, 0.005);
}

// 20, 40, 60, 80: mean 50, deviation sqrt(2000 / 3) = 25.82, t of 3 = 3.182446, so 41.08.
TEST(Statistics, GradedPointsByHand) {
    const Sample sample = sample_of({20, 40, 60, 80});
    EXPECT_EQ(sample.method(), IntervalMethod::student);
    expect_range(sample.interval95(), 50 - 41.085, 50 + 41.085, 0.005);
    // t of 1 = 12.7: what lies beyond the bounds is cut off.
    EXPECT_EQ(sample_of({90, 70}).interval95(), (Range{0, 100}));
}

TEST(Statistics, EqualPointsAreNotCertainty) {
    const Sample sample = sample_of({60, 60, 60});
    const Range range = sample.interval95().value();
    EXPECT_LT(range.low, 60);
    EXPECT_GT(range.high, 60);
}

// A lead is twice what the points are above the middle.
TEST(Statistics, LeadsHaveBoundsOfTheirOwn) {
    const Range points = sample_of({100, 0, 100, 50, 100}).interval95().value();
    const Range lead = sample_of({100, -100, 100, 0, 100}, {-100, 100}).interval95().value();
    EXPECT_NEAR(lead.low, 2 * points.low - 100, 1e-9);
    EXPECT_NEAR(lead.high, 2 * points.high - 100, 1e-9);
}

TEST(Statistics, NothingIsKnownFromOneMatch) {
    for (const Sample& sample : {Sample{}, sample_of({100}), sample_of({37})}) {
        EXPECT_EQ(sample.interval95(), std::nullopt);
        EXPECT_EQ(sample.ci95(), std::nullopt);
    }
    EXPECT_EQ(mean_text(Sample{}), "-");
    EXPECT_EQ(mean_text(sample_of({100})), "100.0");
    EXPECT_EQ(mean_text(sample_of({100, 100})), "100.0 [34.2, 100.0]");
    EXPECT_EQ(mean_text(sample_of({-100, 100}, {-100, 100}), Sign::always), "+0.0 [-81.1, +81.1]");
}

// Values of printed tables.
TEST(Statistics, StudentsT) {
    for (const auto& [freedom, expected] : std::initializer_list<std::pair<std::size_t, double>>{{1, 12.7062},
                                                                                                 {2, 4.3027},
                                                                                                 {3, 3.1824},
                                                                                                 {4, 2.7764},
                                                                                                 {5, 2.5706},
                                                                                                 {6, 2.4469},
                                                                                                 {8, 2.3060},
                                                                                                 {10, 2.2281},
                                                                                                 {15, 2.1314},
                                                                                                 {20, 2.0860},
                                                                                                 {30, 2.0423},
                                                                                                 {60, 2.0003},
                                                                                                 {120, 1.9799},
                                                                                                 {100000, 1.9600}}) {
        EXPECT_NEAR(student_t975(freedom), expected, 0.003) << freedom;
    }
}

}  // namespace
}  // namespace stratagem::arena
