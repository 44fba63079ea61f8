// Replays what the fuzzer once failed on (crashes/) and its seeds. Everything the fuzzer demands must hold of each.
#include <gtest/gtest.h>

#include <filesystem>

#include "../../fuzz/gdl_read_body.h"
#include "game_files.h"

namespace stratagem::gdl {
namespace {

void examine_all(const std::filesystem::path& folder) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (!entry.is_regular_file() || entry.path().extension() == ".md") continue;
        EXPECT_EQ(fuzz::examine(testing::content_of(entry.path())), "") << entry.path();
        ++count;
    }
    EXPECT_GT(count, 0U) << folder;
}

TEST(CrashesTest, InputsThatOnceFailed) { examine_all(std::filesystem::path(STRATAGEM_TEST_DIR) / "crashes"); }

TEST(CrashesTest, SeedsOfTheFuzzer) {
    examine_all(std::filesystem::path(STRATAGEM_SOURCE_DIR) / "fuzz" / "corpus" / "gdl");
}

TEST(CrashesTest, BundledGames) {
    for (const auto& path : testing::bundled_files()) EXPECT_EQ(fuzz::examine(testing::content_of(path)), "") << path;
}

}  // namespace
}  // namespace stratagem::gdl
