#include "arena/schedule.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

namespace stratagem::arena {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

TEST(Schedule, WholeRotations) {
    EXPECT_EQ(whole_rotations(3, 2, true), 4u);
    EXPECT_EQ(whole_rotations(4, 2, true), 4u);
    EXPECT_EQ(whole_rotations(1, 3, true), 3u);
    EXPECT_EQ(whole_rotations(5, 1, true), 5u);
    EXPECT_EQ(whole_rotations(3, 2, false), 3u) << "nobody changes seats";
}

// Whatever the numbers are, everybody has had each seat of each of its groups equally often.
TEST(Schedule, RotationsAreFair) {
    for (std::size_t players = 1; players <= 5; ++players) {
        for (std::size_t seats = 1; seats <= players; ++seats) {
            for (std::size_t matches = 1; matches <= 7; ++matches) {
                const std::size_t rounds = whole_rotations(matches, seats, true);
                std::map<std::pair<Seating, Seating>, std::size_t> had;  // group, then player and seat
                for (const Seating& seating : schedule(players, seats, rounds, true)) {
                    Seating group = seating;
                    std::ranges::sort(group);
                    for (std::size_t seat = 0; seat < seats; ++seat) ++had[{group, {seating[seat], seat}}];
                }
                for (const auto& [who, times] : had) ASSERT_EQ(times, rounds / seats) << players << " " << seats;
            }
        }
    }
}

TEST(Schedule, NotEnoughPlayers) {
    EXPECT_THAT(schedule(1, 2, 1, false), IsEmpty());
    EXPECT_THAT(schedule(2, 0, 1, false), IsEmpty());
}

}  // namespace
}  // namespace stratagem::arena
