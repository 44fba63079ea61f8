// Single rows of lanes.
#include "machine/lanes/row.h"

#include <gtest/gtest.h>

#include <vector>

#include "machine/random.h"

namespace stratagem::machine::lanes {
namespace {

std::vector<std::size_t> lanes_of(const Row& row) {
    std::vector<std::size_t> lanes;
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        if (has(row, lane)) lanes.push_back(lane);
    }
    return lanes;
}

Row random_row(Random& random) {
    Row row;
    for (std::uint64_t& word : row.words) word = random.next() & random.next();
    return row;
}

TEST(Row, LanesAreVisitedInOrder) {
    Random random(1);
    for (int i = 0; i < 20; ++i) {
        const Row row = random_row(random);
        std::vector<std::size_t> visited;
        for_each_lane(row, [&](std::size_t lane) { visited.push_back(lane); });
        EXPECT_EQ(visited, lanes_of(row));
        EXPECT_EQ(any(row), !visited.empty());
    }
    EXPECT_FALSE(any(Row{}));
    EXPECT_EQ(lanes_of(all_lanes).size(), lane_count);
}

TEST(Row, TheFirstLanes) {
    Random random(2);
    const Row row = random_row(random);
    const std::vector<std::size_t> all = lanes_of(row);
    ASSERT_GT(all.size(), 64U);
    for (std::uint32_t count = 0; count < all.size() + 5; ++count) {
        const std::size_t expected = std::min<std::size_t>(count, all.size());
        const std::vector<std::size_t> first(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(expected));
        ASSERT_EQ(lanes_of(first_lanes(row, count)), first) << count;
    }
}

TEST(Row, SetOperations) {
    Random random(3);
    const Row a = random_row(random);
    const Row b = random_row(random);
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        ASSERT_EQ(has(both(a, b), lane), has(a, lane) && has(b, lane));
        ASSERT_EQ(has(either(a, b), lane), has(a, lane) || has(b, lane));
        ASSERT_EQ(has(without(a, b), lane), has(a, lane) && !has(b, lane));
    }
    Row one;
    insert(one, 300);
    EXPECT_EQ(lanes_of(one), std::vector<std::size_t>{300});
}

}  // namespace
}  // namespace stratagem::machine::lanes
