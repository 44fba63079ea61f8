// Files: whole or not at all, and never over what is not to be replaced.
#include "util/output_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <thread>

namespace stratagem {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class OutputFile : public ::testing::Test {
  protected:
    OutputFile() {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~OutputFile() override { fs::remove_all(folder_); }

    static std::string text_of(const fs::path& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

    fs::path folder_ = fs::path(::testing::TempDir()) /
                       (std::string("stratagem_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(OutputFile, MakesWhatIsNotThere) {
    const NewFile file = make_file(folder_ / "a", "one");
    EXPECT_TRUE(file.made);
    EXPECT_FALSE(file.problem);
    EXPECT_EQ(text_of(folder_ / "a"), "one");
    EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFile, MakesNothingOverAnything) {
    std::ofstream(folder_ / "a") << "mine";
    fs::create_symlink("nowhere", folder_ / "link");
    fs::create_directory(folder_ / "inner");
    for (const char* name : {"a", "link", "inner"}) {
        const NewFile file = make_file(folder_ / name, "other");
        EXPECT_FALSE(file.made) << name;
        EXPECT_FALSE(file.problem) << name;
    }
    EXPECT_EQ(text_of(folder_ / "a"), "mine");
    EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
    EXPECT_EQ(files(), 3u) << "no drafts stay behind";
}

// Of many who want the same name, one has it, with all of its text.
TEST_F(OutputFile, OneOfManyMakesIt) {
    std::atomic<int> made{0};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&, i] {
                const std::string text(100'000, static_cast<char>('a' + i));
                for (int file = 0; file < 20; ++file) {
                    made += make_file(folder_ / std::to_string(file), text).made ? 1 : 0;
                }
            });
        }
    }
    EXPECT_EQ(made, 20);
    EXPECT_EQ(files(), 20u);
    for (int file = 0; file < 20; ++file) {
        const std::string text = text_of(folder_ / std::to_string(file));
        ASSERT_EQ(text.size(), 100'000u);
        EXPECT_EQ(text, std::string(100'000, text.front()));
    }
}

TEST_F(OutputFile, ReplacesAFileAndKeepsItsRights) {
    std::ofstream(folder_ / "a") << "old";
    fs::permissions(folder_ / "a", fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(write_file(folder_ / "a", "new"), std::nullopt);
    EXPECT_EQ(text_of(folder_ / "a"), "new");
    EXPECT_EQ(fs::status(folder_ / "a").permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFile, GoesThroughLinks) {
    std::ofstream(folder_ / "a") << "old";
    fs::create_symlink("a", folder_ / "link");
    fs::create_symlink(folder_ / "link", folder_ / "second");
    EXPECT_EQ(write_file(folder_ / "second", "new"), std::nullopt);
    EXPECT_TRUE(fs::is_symlink(folder_ / "second"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_EQ(text_of(folder_ / "a"), "new");
    // To where nothing is yet.
    fs::create_symlink("b", folder_ / "third");
    EXPECT_EQ(cannot_write(folder_ / "third"), std::nullopt);
    EXPECT_EQ(write_file(folder_ / "third", "more"), std::nullopt);
    EXPECT_TRUE(fs::is_symlink(folder_ / "third"));
    EXPECT_EQ(text_of(folder_ / "b"), "more");
}

TEST_F(OutputFile, DevicesStayDevices) {
    EXPECT_EQ(cannot_write("/dev/null"), std::nullopt);
    EXPECT_EQ(write_file("/dev/null", "text"), std::nullopt);
    struct stat there {};
    ASSERT_EQ(::stat("/dev/null", &there), 0);
    EXPECT_TRUE(S_ISCHR(there.st_mode));
    if (::stat("/dev/full", &there) != 0) GTEST_SKIP() << "there is no /dev/full";
    EXPECT_THAT(write_file("/dev/full", "text").value_or(""), HasSubstr("space"));
}

TEST_F(OutputFile, SaysBeforehandWhatWillNotDo) {
    EXPECT_EQ(cannot_write(folder_ / "a"), std::nullopt);
    EXPECT_FALSE(fs::exists(folder_ / "a"));
    EXPECT_TRUE(cannot_write(folder_));
    EXPECT_THAT(cannot_write(folder_ / "no" / "a").value_or(""), HasSubstr("No such file"));
    std::ofstream(folder_ / "file") << "x";
    EXPECT_TRUE(cannot_write(folder_ / "file" / "a"));
    fs::create_symlink("loop", folder_ / "loop");
    EXPECT_TRUE(cannot_write(folder_ / "loop"));
    EXPECT_TRUE(write_file(folder_ / "loop", "x"));
    EXPECT_TRUE(write_file(folder_ / "no" / "a", "x"));
    EXPECT_TRUE(make_file(folder_ / "no" / "a", "x").problem);
}

}  // namespace
}  // namespace stratagem
