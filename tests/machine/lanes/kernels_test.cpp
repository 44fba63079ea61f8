// Loops over rows: every width does the same, and that is what a plain loop over lanes does.
#include "machine/lanes/kernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <set>
#include <vector>

#include "machine/random.h"

namespace stratagem::machine::lanes {
namespace {

std::vector<Width> widths() {
    std::vector<Width> result;
    for (const Width width : {Width::portable64, Width::avx2, Width::avx512}) {
        if (is_available(width)) result.push_back(width);
    }
    return result;
}

std::vector<Row> random_rows(Random& random, std::size_t count) {
    std::vector<Row> rows(count);
    for (Row& row : rows) {
        for (std::uint64_t& word : row.words) word = random.next();
    }
    return rows;
}

bool same(const std::vector<Row>& a, const std::vector<Row>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].words != b[i].words) return false;
    }
    return a.size() == b.size();
}

// The generator as its authors wrote it.
class Xoshiro {
  public:
    explicit Xoshiro(std::array<std::uint64_t, 4> state) : s_(state) {}
    std::uint64_t next() {
        const std::uint64_t result = std::rotl(s_[0] + s_[3], 23) + s_[0];
        const std::uint64_t t = s_[1] << 17;
        s_[2] ^= s_[0];
        s_[3] ^= s_[1];
        s_[1] ^= s_[2];
        s_[0] ^= s_[3];
        s_[2] ^= t;
        s_[3] = std::rotl(s_[3], 45);
        return result;
    }

  private:
    std::array<std::uint64_t, 4> s_;
};

TEST(Kernels, RandomBitsAreEightGeneratorsSideBySide) {
    for (const Width width : widths()) {
        RandomRows random(5, 3);
        std::vector<Xoshiro> scalar;
        for (std::size_t stream = 0; stream < row_words; ++stream) {
            scalar.emplace_back(std::array{random.words[0].words[stream], random.words[1].words[stream],
                                           random.words[2].words[stream], random.words[3].words[stream]});
        }
        // Several calls of different lengths go on where the last one ended.
        for (const std::size_t count : {1U, 7U, 0U, 100U}) {
            std::vector<Row> rows(count + 1);
            kernels(width).fill(random, rows.data(), count);
            for (std::size_t i = 0; i < count; ++i) {
                for (std::size_t stream = 0; stream < row_words; ++stream) {
                    ASSERT_EQ(rows[i].words[stream], scalar[stream].next()) << entry_of(width).name;
                }
            }
            EXPECT_FALSE(any(rows[count])) << "wrote beyond the end";
        }
    }
}

TEST(Kernels, SeedsAndStreamsHaveTheirOwnNumbers) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        for (std::uint64_t stream = 0; stream < 20; ++stream) {
            const RandomRows random(seed, stream);
            for (const Row& row : random.words) {
                for (const std::uint64_t word : row.words) EXPECT_TRUE(seen.insert(word).second);
            }
        }
    }
}

TEST(Kernels, ChangingSomeLanes) {
    for (const Width width : widths()) {
        SCOPED_TRACE(entry_of(width).name);
        Random random(1);
        const std::vector<Row> before = random_rows(random, 12);
        const std::vector<Row> other = random_rows(random, 12);
        const Row mask = random_rows(random, 1)[0];
        const std::vector<std::uint32_t> numbers{1, 4, 5, 11};

        std::vector<Row> expected = before;
        for (std::size_t i = 0; i < 10; ++i) expected[i] = without(before[i], mask);
        std::vector<Row> rows = before;
        kernels(width).clear(rows.data(), 10, mask);
        EXPECT_TRUE(same(rows, expected)) << "clear";

        expected = before;
        for (const std::uint32_t n : numbers) expected[n] = either(without(before[n], mask), both(other[n], mask));
        rows = before;
        kernels(width).copy(other.data(), rows.data(), numbers.data(), numbers.size(), mask);
        EXPECT_TRUE(same(rows, expected)) << "copy";

        expected = before;
        for (const std::uint32_t n : numbers) expected[n] = either(before[n], mask);
        rows = before;
        kernels(width).insert(rows.data(), numbers.data(), numbers.size(), mask);
        EXPECT_TRUE(same(rows, expected)) << "insert";
    }
}

TEST(Kernels, CountsLanesInBoth) {
    Random random(2);
    for (int i = 0; i < 10; ++i) {
        const std::vector<Row> rows = random_rows(random, 2);
        std::uint32_t expected = 0;
        for_each_lane(both(rows[0], rows[1]), [&](std::size_t) { ++expected; });
        for (const Width width : widths()) EXPECT_EQ(kernels(width).count(rows[0], rows[1]), expected);
    }
    for (const Width width : widths()) EXPECT_EQ(kernels(width).count(all_lanes, all_lanes), lane_count);
}

}  // namespace
}  // namespace stratagem::machine::lanes
