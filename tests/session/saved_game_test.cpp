// What is put away is found again, whole or not at all.
#include "session/saved_game.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "gdl/read.h"
#include "machine/gdl_game.h"

namespace stratagem::session {
namespace {

SavedGame example() {
    return {"some/game.kif",
            "0123456789abcdef",
            "x",
            {"uct:rave=on", "random"},
            "best",
            0.25,
            18446744073709551615U,
            {{"(mark 1 1)", "noop"}, {"noop", "(mark 2 2)"}}};
}

TEST(SavedGame, ComesBackAsItWas) {
    SavedGame saved = example();
    std::string problem;
    EXPECT_EQ(read_saved_game(to_json(saved), problem), saved) << problem;
    saved.role.clear();
    saved.moves.clear();
    saved.against.clear();
    EXPECT_EQ(read_saved_game(to_json(saved), problem), saved) << problem;
}

TEST(SavedGame, EveryPartOfAFileIsNoFile) {
    const std::string text = to_json(example());
    for (std::size_t length = 0; length + 3 < text.size(); ++length) {
        std::string problem;
        EXPECT_FALSE(read_saved_game(text.substr(0, length), problem)) << length;
        EXPECT_FALSE(problem.empty());
    }
}

TEST(SavedGame, DamageIsNamed) {
    const std::string text = to_json(example());
    const auto changed = [&](const std::string& what, const std::string& by) {
        std::string other = text;
        const std::size_t at = other.find(what);
        EXPECT_NE(at, std::string::npos) << what;
        other.replace(at, what.size(), by);
        std::string problem;
        EXPECT_FALSE(read_saved_game(other, problem)) << by;
        return problem;
    };
    EXPECT_NE(changed("stratagem-play", "something-else").find("no saved game"), std::string::npos);
    EXPECT_NE(changed("\"version\": 1", "\"version\": 2").find("version 2"), std::string::npos);
    EXPECT_NE(changed("\"moves\"", "\"mooves\"").find("moves"), std::string::npos);
    EXPECT_NE(changed("0.25", "-1").find("clock"), std::string::npos);
    EXPECT_NE(changed("0.25", "\"soon\"").find("damaged"), std::string::npos);
    EXPECT_NE(changed("\"noop\"", "7").find("damaged"), std::string::npos);
    EXPECT_NE(changed("{", "[").find("damaged"), std::string::npos);
    std::string problem;
    EXPECT_FALSE(read_saved_game("[]", problem));
    EXPECT_FALSE(read_saved_game("null", problem));
    EXPECT_FALSE(read_saved_game(std::string(100'000, '['), problem));
}

TEST(SavedGame, RulesAreKnownByWhatTheySay) {
    const auto hash = [](const std::string& text) {
        auto description = std::make_shared<const gdl::Description>(gdl::read("a.kif", text).description);
        return rules_hash(*machine::GdlGame::at_once(std::move(description)));
    };
    const std::string rules = "(role x) (init (p 1)) (<= (legal x a) (true (p 1)))";
    EXPECT_EQ(hash(rules), hash("; comment\n(ROLE x)\n\n(init (p 1))\n(<= (legal x a)\n    (true (p 1)))"));
    EXPECT_NE(hash(rules), hash("(role x) (init (p 2)) (<= (legal x a) (true (p 1)))"));
    EXPECT_NE(hash(rules), hash("(role x) (init (p 1))"));
}

class SavedGameFile : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::path(testing::TempDir()) /
                  ("stratagem_saved_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
    }

    std::filesystem::path folder_;
};

TEST_F(SavedGameFile, IsWrittenOverAsAWhole) {
    SavedGame saved = example();
    EXPECT_EQ(write_saved_game(path("a.json"), saved), "");
    saved.seed = 5;
    EXPECT_EQ(write_saved_game(path("a.json"), saved), "");
    std::string problem;
    EXPECT_EQ(load_saved_game(path("a.json"), problem), saved) << problem;
    EXPECT_EQ(files(), 1U);  // no drafts are left
}

TEST_F(SavedGameFile, WhatCannotBeWrittenLeavesNothingBehind) {
    EXPECT_NE(write_saved_game(path("nowhere/a.json"), example()), "");
    std::filesystem::create_directory(path("folder"));
    std::ofstream(path("folder/inside")) << "x";
    EXPECT_NE(write_saved_game(path("folder"), example()), "");
    EXPECT_EQ(files(), 1U);
}

TEST_F(SavedGameFile, WhatCannotBeRead) {
    std::string problem;
    EXPECT_FALSE(load_saved_game(path("nothing.json"), problem));
    EXPECT_FALSE(problem.empty());
    problem.clear();
    EXPECT_FALSE(load_saved_game(folder_.string(), problem));
    EXPECT_FALSE(problem.empty());
}

}  // namespace
}  // namespace stratagem::session
