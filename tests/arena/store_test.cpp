// The store: once or not at all, and never somebody else's file.
#include "arena/store.h"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace stratagem::arena {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StoreTest : public ::testing::Test {
  protected:
    StoreTest() { clean(); }
    ~StoreTest() override { clean(); }
    void clean() {
        for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(file_.string() + part);
    }
    std::string fault_of_opening() const {
        try {
            const Store store(file_);
        } catch (const StoreError& fault) {
            return fault.what();
        }
        return "nothing";
    }

    // A file for each test: they run at the same time.
    std::filesystem::path file_ =
        std::filesystem::path(::testing::TempDir()) /
        (std::string("stratagem_") + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".db");
};

StoredMatch match_of(std::size_t number) {
    StoredMatch match;
    match.number = number;
    match.game = "heap";
    match.seed = 0xFFFF'FFFF'FFFF'FFFFULL - number;
    match.complete = number % 3 != 0;
    match.steps = 7;
    match.seconds = 0.25;
    match.seating = {1, 0};
    match.seats.resize(2);
    match.seats[0] = {"uct", "first", 100, 1, 2, 3, Fault::late, 4, 5, std::uint64_t{1} << 40, 1.5, 0.5};
    match.seats[1] = {"o'dd \"name\"; --", "second", 0, 0, 0, 0, Fault::none, 0, 0, 0, 0, 0};
    return match;
}

MatchRecord record_of(std::size_t number) {
    MatchRecord record;
    record.match_id = "heap." + std::to_string(number);
    record.roles = {"first", "second"};
    record.moves = {{"go", "noop"}};
    record.start_errors = {"", ""};
    return record;
}

TEST_F(StoreTest, GivesBackWhatWasAdded) {
    Store::Run run{};
    {
        Store store(file_);
        run = store.open("key", "spec");
        for (const std::size_t number : {4u, 0u, 2u}) EXPECT_TRUE(store.add(run, match_of(number), record_of(number)));
    }
    Store store(file_);
    EXPECT_EQ(store.open("key", "spec"), run);
    EXPECT_THAT(store.numbers(run), ElementsAre(0u, 2u, 4u));
    EXPECT_THAT(store.matches(run), ElementsAre(match_of(0), match_of(2), match_of(4)));
    EXPECT_EQ(store.record(run, 2), record_of(2));
    EXPECT_EQ(store.record(run, 3), std::nullopt);
}

TEST_F(StoreTest, EachNumberIsThereOnce) {
    Store store(file_);
    const Store::Run run = store.open("key", "spec");
    EXPECT_TRUE(store.add(run, match_of(1), record_of(1)));
    StoredMatch other = match_of(1);
    other.seats[0].score = 50;
    EXPECT_FALSE(store.add(run, other, record_of(1)));
    EXPECT_THAT(store.matches(run), ElementsAre(match_of(1)));
}

TEST_F(StoreTest, RunsAreKeptApart) {
    Store store(file_);
    const Store::Run one = store.open("one", "");
    const Store::Run two = store.open("two", "");
    const Store::Run third = store.begin("");
    EXPECT_NE(one, two);
    EXPECT_NE(store.begin(""), third) << "a run without a key is new each time";
    EXPECT_TRUE(store.add(one, match_of(1), record_of(1)));
    EXPECT_TRUE(store.add(two, match_of(1), record_of(1)));
    EXPECT_THAT(store.numbers(third), IsEmpty());
}

// Two of everything with the same work: as two processes that run the same tournament.
TEST_F(StoreTest, SeveralMayWriteAtATime) {
    const auto work = [this] {
        Store store(file_);
        const Store::Run run = store.open("key", "spec");
        std::size_t added = 0;
        for (std::size_t number = 0; number < 100; ++number) {
            added += store.add(run, match_of(number), record_of(number)) ? 1 : 0;
        }
        return added;
    };
    std::size_t one = 0;
    std::thread other([&] { one = work(); });
    const std::size_t two = work();
    other.join();
    EXPECT_EQ(one + two, 100u);
    Store store(file_);
    EXPECT_EQ(store.matches(store.open("key", "spec")).size(), 100u);
}

TEST_F(StoreTest, CountsWhatWasBegunAndNeverEnded) {
    Store::Run run{};
    {
        Store store(file_);
        run = store.open("key", "spec");
        EXPECT_EQ(store.begin_match(run, 3), 1u);
        EXPECT_EQ(store.begin_match(run, 4), 1u);
        EXPECT_EQ(store.begin_match(run, 5), 1u);
    }
    Store store(file_);
    EXPECT_EQ(store.begin_match(run, 3), 2u);
    EXPECT_TRUE(store.add(run, match_of(4), record_of(4)));
    store.withdraw_match(run, 5);
    store.withdraw_match(run, 6);
    EXPECT_THAT(store.unfinished(run), ElementsAre(std::pair(3u, 2u)));
    EXPECT_THAT(store.unfinished(store.begin("")), IsEmpty());
    EXPECT_TRUE(store.add(run, match_of(3), record_of(3)));
    EXPECT_THAT(store.unfinished(run), IsEmpty());
}

TEST_F(StoreTest, KeepsRulesOnceAndGivesThemToEachRecord) {
    MatchRecord record = record_of(1);
    record.rules = std::string(100'000, ';') + "\n";
    record.rules_hash = "00000000000000aa";
    {
        Store store(file_);
        const Store::Run run = store.open("key", "spec");
        for (std::size_t number = 0; number < 20; ++number) EXPECT_TRUE(store.add(run, match_of(number), record));
    }
    EXPECT_LT(std::filesystem::file_size(file_), 400'000u);
    Store store(file_, Store::Access::read);
    ASSERT_EQ(store.runs().size(), 1u);
    EXPECT_EQ(store.record(store.runs().front(), 7), record);
    const std::optional<Store::Place> place = store.find("heap.1");
    ASSERT_TRUE(place);
    EXPECT_EQ(place->run, store.runs().front());
    EXPECT_FALSE(store.find("heap"));
}

TEST_F(StoreTest, ReadingMakesNoFile) {
    EXPECT_THROW(Store(file_, Store::Access::read), StoreError);
    EXPECT_FALSE(std::filesystem::exists(file_));
}

// Who only reads cannot put away what stands beside a file, so nothing must be there once those who write are gone.
TEST_F(StoreTest, ReadingLeavesNothingBehind) {
    const auto beside = [&] {
        return std::filesystem::exists(file_.string() + "-wal") || std::filesystem::exists(file_.string() + "-shm");
    };
    {
        Store first(file_);
        Store second(file_);
        const Store::Run run = first.begin("{}");
        first.add(run, match_of(1), record_of(1));
        second.add(run, match_of(2), record_of(2));
    }
    EXPECT_FALSE(beside());
    {
        Store reader(file_, Store::Access::read);
        EXPECT_EQ(reader.runs().size(), 1u);
    }
    EXPECT_FALSE(beside());
    Store again(file_);
    again.begin("{}");
    EXPECT_TRUE(beside()) << "several may write at a time again";
}

// A file of the first version has no rules and no attempts: it is read as it is, and completed when written to.
TEST_F(StoreTest, TakesUpOlderFiles) {
    Store::Run run{};
    {
        Store store(file_);
        run = store.open("key", "spec");
        EXPECT_TRUE(store.add(run, match_of(1), record_of(1)));
    }
    sqlite3* older = nullptr;
    ASSERT_EQ(sqlite3_open(file_.c_str(), &older), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(older, "DROP TABLE rules; DROP TABLE attempts; PRAGMA user_version = 1", nullptr, nullptr,
                           nullptr),
              SQLITE_OK);
    sqlite3_close(older);
    {
        Store store(file_, Store::Access::read);
        EXPECT_EQ(store.record(run, 1), record_of(1));
        EXPECT_THAT(store.unfinished(run), IsEmpty());
    }
    Store store(file_);
    EXPECT_EQ(store.record(run, 1), record_of(1));
    EXPECT_EQ(store.begin_match(run, 2), 1u);
}

// Bits that fell over anywhere: everything is read, or it is said that it cannot be.
TEST_F(StoreTest, DamageIsNoticedOrHarmless) {
    Store::Run run{};
    {
        Store store(file_);
        run = store.open("key", "spec");
        for (std::size_t number = 0; number < 30; ++number) store.add(run, match_of(number), record_of(number));
    }
    std::string whole;
    {
        std::ifstream file(file_, std::ios::binary);
        whole.assign(std::istreambuf_iterator<char>(file), {});
    }
    const auto attempt = [&](const std::string& bytes) {
        clean();
        std::ofstream(file_, std::ios::binary) << bytes;
        try {
            Store store(file_, Store::Access::read);
            for (const Store::Run one : store.runs()) {
                store.matches(one);
                for (const std::size_t number : store.numbers(one)) {
                    try {
                        store.record(one, number);
                    } catch (const StoreError&) {
                    }
                }
            }
            return true;
        } catch (const StoreError&) {
            return false;
        }
    };
    EXPECT_TRUE(attempt(whole));
    for (std::size_t size = 0; size < whole.size(); size += whole.size() / 40) attempt(whole.substr(0, size));
    for (std::size_t place = 0; place < whole.size(); place += 97) {
        std::string flipped = whole;
        flipped[place] = static_cast<char>(flipped[place] ^ (1 << (place % 8)));
        attempt(flipped);
    }
}

TEST_F(StoreTest, LeavesOtherFilesAlone) {
    std::ofstream(file_) << "this is a letter, and it is long enough to be taken for something, whatever it may be";
    EXPECT_THAT(fault_of_opening(), HasSubstr(file_.string()));
    clean();
    sqlite3* other = nullptr;
    ASSERT_EQ(sqlite3_open(file_.c_str(), &other), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(other, "CREATE TABLE letters (text)", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(other);
    EXPECT_THAT(fault_of_opening(), HasSubstr("not one of matches"));
    clean();
    { const Store store(file_); }
    ASSERT_EQ(sqlite3_open(file_.c_str(), &other), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(other, "PRAGMA user_version = 99", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(other);
    EXPECT_THAT(fault_of_opening(), HasSubstr("newer version"));
}

TEST_F(StoreTest, SaysWhichFileCannotBeOpened) {
    file_ = "/no/such/folder/matches.db";
    EXPECT_THAT(fault_of_opening(), HasSubstr("/no/such/folder/matches.db"));
}

}  // namespace
}  // namespace stratagem::arena
