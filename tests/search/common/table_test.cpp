#include "search/common/table.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "machine/random.h"

namespace stratagem::search {
namespace {

TableEntry entry_of(Score score, std::uint8_t depth, std::uint16_t best = 0) {
    TableEntry entry;
    entry.result.score = score;
    entry.bound = Bound::exact;
    entry.depth = depth;
    entry.best = best;
    return entry;
}

TEST(Table, GivesBackWhatWasStored) {
    Table table(1 << 16);
    const ScoreScale scale(0, 100);
    machine::Random random(1);
    for (int i = 0; i < 1000; ++i) {
        TableEntry entry;
        const int goal = static_cast<int>(random.below(101));
        entry.result.score = i % 2 == 0 ? scale.of_goal(goal, i) : scale.of_opinion(goal);
        entry.result.at_least = random.below(2) != 0;
        entry.result.at_most = random.below(2) != 0;
        entry.result.height = static_cast<std::uint8_t>(random.below(256));
        entry.bound = static_cast<Bound>(1 + random.below(3));
        entry.depth = static_cast<std::uint8_t>(random.below(256));
        entry.best = static_cast<std::uint16_t>(1 + random.below(Table::max_best));
        const std::uint64_t key = random.next();
        table.store(key, entry);
        const std::optional<TableEntry> found = table.find(key);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->result.score, entry.result.score);
        EXPECT_EQ(found->result.at_least, entry.result.at_least);
        EXPECT_EQ(found->result.at_most, entry.result.at_most);
        EXPECT_EQ(found->result.height, entry.result.height);
        EXPECT_EQ(found->bound, entry.bound);
        EXPECT_EQ(found->depth, entry.depth);
        EXPECT_EQ(found->best, entry.best);
        table.clear();
        EXPECT_FALSE(table.find(key));
    }
}

TEST(Table, KeepsNegativeScores) {
    Table table(1 << 12);
    const ScoreScale scale(0, 100);
    table.store(7, entry_of(scale.of_goal(0, 3), 1));
    EXPECT_LT(scale.of_goal(0, 3), 0);
    EXPECT_EQ(table.find(7)->result.score, scale.of_goal(0, 3));
}

TEST(Table, UsesNoMoreMemoryThanAllowed) {
    EXPECT_EQ(Table(1).capacity(), 4U);
    EXPECT_EQ(Table(64 * 1000).capacity(), 512U * 4U);  // a power of two
    EXPECT_EQ(Table(std::size_t{4} << 20).capacity(), (std::size_t{4} << 20) / 16);
}

TEST(Table, ShallowEntriesGiveWayFirst) {
    Table table(64);  // one bucket
    for (std::uint64_t key = 1; key <= 4; ++key) table.store(key, entry_of(1, static_cast<std::uint8_t>(10 * key)));
    table.store(5, entry_of(1, 5));
    EXPECT_FALSE(table.find(1));
    table.store(6, entry_of(1, 50));
    EXPECT_FALSE(table.find(5));
    for (const std::uint64_t key : {2U, 3U, 4U, 6U}) EXPECT_TRUE(table.find(key)) << key;
}

TEST(Table, OldEntriesGiveWayBeforeNewOnes) {
    Table table(64);
    for (std::uint64_t key = 1; key <= 4; ++key) table.store(key, entry_of(1, 20));
    table.age();
    table.age();
    table.store(2, entry_of(2, 1));  // seen again
    for (std::uint64_t key = 5; key <= 7; ++key) table.store(key, entry_of(1, 1));
    for (const std::uint64_t key : {1U, 3U, 4U}) EXPECT_FALSE(table.find(key)) << key;
    for (const std::uint64_t key : {2U, 5U, 6U, 7U}) EXPECT_TRUE(table.find(key)) << key;
}

TEST(Table, AProofIsNotReplacedByLess) {
    Table table(64);
    TableEntry proof = entry_of(100 * score_unit, 2);
    proof.result.at_least = proof.result.at_most = true;
    table.store(1, proof);
    table.store(1, entry_of(3, 200));
    EXPECT_EQ(table.find(1)->result.score, 100 * score_unit);
}

TEST(Table, TheBestMoveSurvivesAnEntryWithoutOne) {
    Table table(64);
    table.store(1, entry_of(1, 2, 9));
    table.store(1, entry_of(2, 3));
    EXPECT_EQ(table.find(1)->best, 9);
    EXPECT_EQ(table.find(1)->depth, 3);
}

// Scores are made from keys, so an entry put together from two writes would show.
TEST(Table, ThreadsNeverSeeAMixture) {
    Table table(64 * 8);
    const auto score_for = [](std::uint64_t key) { return static_cast<Score>(key * 2654435761U % 5'000'000); };
    std::vector<std::jthread> threads;
    std::atomic<int> wrong{0};
    std::atomic<int> found{0};
    for (std::uint64_t t = 0; t < 3; ++t) {
        threads.emplace_back([&, t] {
            machine::Random random(5, t);
            for (int i = 0; i < 100'000; ++i) {
                const std::uint64_t key = 1 + random.below(200);
                if (const std::optional<TableEntry> entry = table.find(key)) {
                    ++found;
                    if (entry->result.score != score_for(key)) ++wrong;
                }
                table.store(key, entry_of(score_for(key), static_cast<std::uint8_t>(random.below(30))));
            }
        });
    }
    threads.clear();
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace stratagem::search
