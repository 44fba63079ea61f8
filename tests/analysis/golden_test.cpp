// What is known of the bundled games, as it was read and found true once.
//
// tools/regenerate_golden writes the files anew (it runs this program with STRATAGEM_REGENERATE=1): read the difference
// against the rules of the game before committing it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "analysis/known_game.h"
#include "test_size.h"

namespace stratagem::analysis {
namespace {

namespace fs = std::filesystem;

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, Knowledge) {
    const testing::KnownGame known(GetParam());
    ASSERT_TRUE(known.analysis);
    if (sanitized && known.cut_short()) GTEST_SKIP() << "the sanitizers left no time for " << *known.cut_short();
    ASSERT_EQ(known.cut_short().value_or("nothing"), "nothing");
    const fs::path file = fs::path(STRATAGEM_TEST_DIR) / "golden" / (GetParam() + ".txt");
    const char* flag = std::getenv("STRATAGEM_REGENERATE");
    if (flag != nullptr && std::string_view(flag) == "1") std::ofstream(file) << knowledge(known);
    ASSERT_TRUE(fs::exists(file)) << "run tools/regenerate_golden";
    EXPECT_EQ(gdl::testing::content_of(file), knowledge(known));
}

std::vector<std::string> bundled_names() {
    std::vector<std::string> names;
    for (const fs::path& path : some_of(gdl::testing::bundled_files())) names.push_back(path.stem().string());
    return names;
}

INSTANTIATE_TEST_SUITE_P(Games, Golden, ::testing::ValuesIn(bundled_names()),
                         [](const auto& game) { return game.param; });

}  // namespace
}  // namespace stratagem::analysis
