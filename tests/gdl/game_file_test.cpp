#include "gdl/game_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "game_files.h"
#include "gdl/read.h"

namespace stratagem::gdl {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

// An empty folder that is removed afterwards.
class GameFileTest : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "stratagem_XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder = pattern;
    }
    void TearDown() override {
        unsetenv("STRATAGEM_GAMES");
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }

    std::string write(const fs::path& path, std::string_view text) {
        fs::create_directories((folder / path).parent_path());
        std::ofstream(folder / path, std::ios::binary) << text;
        return (folder / path).string();
    }

    fs::path folder;
};

TEST_F(GameFileTest, APath) {
    const std::string path = write("a.kif", "(role a)\r\n");
    const GameText game = find_game(path);
    EXPECT_TRUE(game.ok()) << game.error;
    EXPECT_EQ(game.name, path);
    EXPECT_EQ(game.text, "(role a)\r\n");
    EXPECT_TRUE(find_game(write("empty.kif", "")).ok());
}

TEST_F(GameFileTest, ABundledGame) {
    setenv("STRATAGEM_GAMES", STRATAGEM_GAMES_DIR, 1);
    const GameText by_name = find_game("tic_tac_toe");
    EXPECT_TRUE(by_name.ok()) << by_name.error;
    EXPECT_EQ(by_name.name, "tic_tac_toe");
    EXPECT_EQ(by_name.text, testing::content_of(fs::path(STRATAGEM_GAMES_DIR) / "tic_tac_toe.kif"));
    EXPECT_EQ(find_game("tic_tac_toe.kif").text, by_name.text);
}

TEST_F(GameFileTest, AFileComesBeforeABundledGame) {
    setenv("STRATAGEM_GAMES", folder.c_str(), 1);
    write("other/game.kif", "other");
    write("game.kif", "bundled");
    EXPECT_EQ(find_game((folder / "other" / "game.kif").string()).text, "other");
    EXPECT_EQ(find_game("game").text, "bundled");
}

TEST_F(GameFileTest, AMisspeltName) {
    setenv("STRATAGEM_GAMES", STRATAGEM_GAMES_DIR, 1);
    EXPECT_THAT(find_game("tic_tak_toe").error,
                AllOf(HasSubstr("'tic_tak_toe'"), HasSubstr("did you mean 'tic_tac_toe'?")));
    EXPECT_THAT(find_game("conect_four.kif").error, HasSubstr("did you mean 'connect_four'?"));
    EXPECT_THAT(find_game("zzzzzzzz").error, HasSubstr("list games"));
    EXPECT_FALSE(find_game("").ok());
    EXPECT_FALSE(find_game("no/such/folder/game.kif").ok());
}

TEST_F(GameFileTest, AFolderOfTheRepository) {
    write("game/METADATA", R"({"gameName": "G", "rulesheet": "rules.kif"})");
    write("game/rules.kif", "first");
    EXPECT_EQ(find_game((folder / "game").string()).text, "first");
    write("game/v0/METADATA", R"({"rulesheet": "zero.kif"})");
    write("game/v0/zero.kif", "zero");
    write("game/v2/METADATA", R"({"rulesheet": "two.kif"})");
    write("game/v2/two.kif", "two");
    write("game/v10/METADATA", R"({"rulesheet": "ten.kif"})");
    write("game/v10/ten.kif", "ten");
    write("game/v11/notes.txt", "no METADATA here");
    write("game/vx/METADATA", "{}");
    EXPECT_EQ(find_game((folder / "game").string()).text, "ten");
    EXPECT_EQ(find_game((folder / "game" / "v2").string()).text, "two");
    EXPECT_EQ(find_game((folder / "game").string()).name, (folder / "game").string());
}

TEST_F(GameFileTest, AFolderThatIsNoGame) {
    EXPECT_THAT(find_game(folder.string()).error, HasSubstr("without a METADATA"));
    for (const char* bad : {"", "no json", "[]", "{}", R"({"rulesheet": 3})", "{\"rulesheet\": ", "null"}) {
        write("METADATA", bad);
        EXPECT_THAT(find_game(folder.string()).error, HasSubstr("rulesheet")) << bad;
    }
    write("METADATA", std::string(1'000'000, '['));
    EXPECT_FALSE(find_game(folder.string()).ok());
    write("METADATA", R"({"rulesheet": "missing.kif"})");
    EXPECT_THAT(find_game(folder.string()).error, HasSubstr("missing.kif"));
    write("METADATA", R"({"rulesheet": "."})");
    EXPECT_FALSE(find_game(folder.string()).ok());
}

TEST_F(GameFileTest, AnEndlessFileCostsBoundedMemory) {
    if (!fs::exists("/dev/zero")) GTEST_SKIP();
    const GameText game = find_game("/dev/zero");
    ASSERT_TRUE(game.ok()) << game.error;
    EXPECT_GT(game.text.size(), max_source_bytes);
    EXPECT_LT(game.text.size(), max_source_bytes + (1 << 20));
    EXPECT_EQ(read(game.name, game.text).diagnostics.all()[0].code, "E108");
}

TEST_F(GameFileTest, CardsOfBundledGames) {
    setenv("STRATAGEM_GAMES", folder.c_str(), 1);
    write("b.kif", "; title: The Game \r\n; about: One: two.\n;\n; players: 2\n; value: draw\n\n; title: too late\n");
    write("a.kif", "(role a)\n; title: too late\n");
    write("notes.txt", "; title: no game\n");
    const std::vector<GameCard> cards = bundled_games();
    ASSERT_EQ(cards.size(), 2U);
    EXPECT_EQ(cards[0].name, "a");
    EXPECT_EQ(cards[0].title, "");
    EXPECT_EQ(cards[1].name, "b");
    EXPECT_EQ(cards[1].title, "The Game");
    EXPECT_EQ(cards[1].about, "One: two.");
    EXPECT_EQ(cards[1].players, "2");
    EXPECT_EQ(cards[1].value, "draw");
    EXPECT_EQ(cards[1].path, folder / "b.kif");
}

TEST_F(GameFileTest, WhenTheFolderOfGamesIsMissing) {
    setenv("STRATAGEM_GAMES", (folder / "none").c_str(), 1);
    EXPECT_FALSE(bundled_games_folder());
    EXPECT_TRUE(bundled_games().empty());
    EXPECT_FALSE(find_game("tic_tac_toe").ok());
}

TEST(NearestNameTest, OnlyCloseNames) {
    const std::vector<std::string> names = {"nim", "hex", "tic_tac_toe", "connect_four", "connect_five"};
    EXPECT_EQ(nearest_name("tictactoe", names), "tic_tac_toe");
    EXPECT_EQ(nearest_name("connect_fuor", names), "connect_four");
    EXPECT_EQ(nearest_name("nin", names), "nim");
    EXPECT_EQ(nearest_name("backgammon", names), std::nullopt);
    EXPECT_EQ(nearest_name("", names), std::nullopt);
    EXPECT_EQ(nearest_name("nim", {}), std::nullopt);
}

TEST(BundledGamesTest, EachFileSaysWhatItIs) {
    setenv("STRATAGEM_GAMES", STRATAGEM_GAMES_DIR, 1);
    const std::vector<GameCard> cards = bundled_games();
    unsetenv("STRATAGEM_GAMES");
    EXPECT_EQ(cards.size(), testing::bundled_files().size());
    for (const GameCard& card : cards) {
        EXPECT_FALSE(card.title.empty()) << card.name;
        EXPECT_FALSE(card.about.empty()) << card.name;
        EXPECT_FALSE(card.players.empty()) << card.name;
        EXPECT_FALSE(card.value.empty()) << card.name;
    }
}

}  // namespace
}  // namespace stratagem::gdl
