#include "arena/statistics.h"

#include <gmock/gmock.h>

#include <cmath>

#include "arena/schedule.h"

namespace stratagem::arena {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Statistics, MeanAndDeviation) {
    Sample sample;
    for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) sample.add(value);
    EXPECT_EQ(sample.count(), 8u);
    EXPECT_DOUBLE_EQ(sample.mean(), 5);
    EXPECT_DOUBLE_EQ(sample.deviation(), std::sqrt(32.0 / 7));
}

// Twenty games, thirteen won: mean 65, deviation sqrt(20/19 * 0.65 * 0.35) * 100 = 48.94, t of 19 = 2.093, so 22.9.
TEST(Statistics, ConfidenceIntervalByHand) {
    Sample sample;
    for (int i = 0; i < 20; ++i) sample.add(i < 13 ? 100 : 0);
    EXPECT_DOUBLE_EQ(sample.mean(), 65);
    EXPECT_NEAR(sample.ci95(), 22.902, 0.005);
}

TEST(Statistics, NothingIsKnownFromOneGame) {
    Sample sample;
    EXPECT_TRUE(std::isinf(sample.ci95()));
    sample.add(100);
    EXPECT_TRUE(std::isinf(sample.ci95()));
    sample.add(100);
    EXPECT_EQ(sample.ci95(), 0);
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

TEST(Schedule, OneGroup) {
    EXPECT_THAT(schedule(2, 2, 3, false), ElementsAre(Seating{0, 1}, Seating{0, 1}, Seating{0, 1}));
    EXPECT_THAT(schedule(2, 2, 3, true), ElementsAre(Seating{0, 1}, Seating{1, 0}, Seating{0, 1}));
    EXPECT_THAT(schedule(3, 3, 3, true), ElementsAre(Seating{0, 1, 2}, Seating{1, 2, 0}, Seating{2, 0, 1}));
    EXPECT_THAT(schedule(1, 1, 1, true), ElementsAre(Seating{0}));
}

TEST(Schedule, RoundRobin) {
    EXPECT_THAT(schedule(3, 2, 2, true),
                ElementsAre(Seating{0, 1}, Seating{0, 2}, Seating{1, 2}, Seating{1, 0}, Seating{2, 0}, Seating{2, 1}));
    EXPECT_EQ(schedule(5, 3, 1, false).size(), 10u);
}

TEST(Schedule, NotEnoughPlayers) {
    EXPECT_THAT(schedule(1, 2, 1, false), IsEmpty());
    EXPECT_THAT(schedule(2, 0, 1, false), IsEmpty());
}

}  // namespace
}  // namespace stratagem::arena
