// Records: what is written can be read, by us and by those who read the public layout.
#include "arena/record.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "player/fake_search.h"

namespace stratagem::arena {
namespace {

using nlohmann::json;
using player::Recipe;
using player::Seconds;
using player::testing::shared;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

MatchRecord played(const std::string& game_name, std::size_t players) {
    const auto game = shared(machine::testing::bundled(game_name));
    MatchSettings settings;
    settings.clocks = {Seconds(30), Seconds(2.5)};
    settings.keep_states = true;
    settings.seed = 5;
    settings.player.ponder = false;
    const std::vector<Recipe> recipes(players, Recipe("random"));
    const MatchResult result =
        play_match(game, std::make_shared<const machine::MachineFactory>(*game), recipes, settings);
    return make_record(result, {game_name, "Spring", settings.clocks, false});
}

TEST(Record, ReadsBackWhatWasWritten) {
    for (const auto& [game, players] : {std::pair{"tic_tac_toe", 2}, std::pair{"kuhn_poker", 2},
                                        std::pair{"eight_puzzle", 1}, std::pair{"three_player_tic_tac_toe", 3}}) {
        const MatchRecord record = played(game, static_cast<std::size_t>(players));
        EXPECT_TRUE(record.completed) << game;
        EXPECT_EQ(record_from_json(to_json(record)), record) << game;
        EXPECT_EQ(record_from_json(json::parse(to_text(record))), record) << game;
    }
}

TEST(Record, HasThePublicLayout) {
    const json object = to_json(played("tic_tac_toe", 2));
    EXPECT_TRUE(object.at("matchId").is_string());
    EXPECT_EQ(object.at("randomToken").get<std::string>().size(), 32u);
    EXPECT_TRUE(object.at("startTime").is_number_integer());
    EXPECT_GT(object.at("startTime").get<std::int64_t>(), 1'500'000'000'000) << "milliseconds";
    EXPECT_EQ(object.at("isCompleted"), true);
    EXPECT_EQ(object.at("isAborted"), false);
    EXPECT_EQ(object.at("startClock"), 30);
    EXPECT_TRUE(object.at("startClock").is_number_integer());
    EXPECT_EQ(object.at("playClock"), 2.5);
    EXPECT_EQ(object.at("scrambled"), false);
    EXPECT_EQ(object.at("playerNamesFromHost"), json({"random", "random"}));
    EXPECT_EQ(object.at("tournamentNameFromHost"), "Spring");
    const std::size_t steps = object.at("moves").size();
    EXPECT_EQ(object.at("errors").size(), steps);
    EXPECT_EQ(object.at("states").size(), steps + 1);
    EXPECT_EQ(object.at("stateTimes").size(), steps + 1);
    EXPECT_EQ(object.at("goalValues").size(), 2u);
    EXPECT_EQ(object.at("goalValues")[0].get<int>() + object.at("goalValues")[1].get<int>(), 100);
    const std::string first = object.at("states")[0];
    EXPECT_TRUE(first.starts_with("((cell 1 1 ")) << first;
    EXPECT_TRUE(first.ends_with("))")) << first;
}

TEST(Record, ChanceIsNamedAndErrorsAreMarked) {
    MatchResult result;
    result.id = "m";
    result.roles = {"a", "random", "b"};
    result.seats.resize(2);
    result.seats[0] = {.player = "uct", .role = "a", .start = Fault::late};
    result.seats[1] = {.player = "http://x:1", .role = "b"};
    result.moves = {{"go", "heads", "go"}};
    result.faults = {{Fault::illegal, Fault::none, Fault::unreachable}};
    result.reply_seconds = {{0.0000014, 0, 2}};
    result.legal_counts = {{2, 2, 1}};
    const MatchRecord record = make_record(result, {"g", "", {}, true});
    EXPECT_THAT(record.player_names, ElementsAre("uct", "random", "http://x:1"));
    EXPECT_THAT(record.errors, ElementsAre(ElementsAre("IL", "", "CE")));
    EXPECT_THAT(record.start_errors, ElementsAre("TO", "", ""));
    EXPECT_THAT(record.reply_milliseconds, ElementsAre(ElementsAre(0.001, 0, 2000)));
    EXPECT_TRUE(record.aborted);
    EXPECT_EQ(to_json(record).count("goalValues"), 0u);
    EXPECT_EQ(record_from_json(to_json(record)), record);
}

// As a public manager writes it: no keys of ours, spaces inside parentheses.
TEST(Record, ReadsThoseOfOthers) {
    const MatchRecord record = record_from_json(json::parse(R"json({
        "matchId": "base.heap.1", "randomToken": "abc", "startTime": 1300000000000,
        "gameMetaURL": "http://games.example/heap/v0/", "isCompleted": true,
        "states": ["( ( heap 2 ) ( control a ) )", "( ( heap 0 ) )"],
        "moves": [["( take 2 )", "noop"]], "stateTimes": [1300000000001, 1300000000900],
        "errors": [["", "TO"]], "goalValues": [100, 0], "startClock": 30, "playClock": 15, "previewClock": -1,
        "playerNamesFromHost": ["one", "two"], "scrambled": true, "matchHostSignature": "x"})json"));
    EXPECT_EQ(record.game, "http://games.example/heap/v0/");
    EXPECT_THAT(record.states, ElementsAre("(heap 2) (control a)", "(heap 0)"));
    EXPECT_EQ(record.goals[0], 100);
    EXPECT_TRUE(record.scrambled);
    EXPECT_EQ(record.errors[0][1], "TO");
}

TEST(Record, SaysWhatIsWrong) {
    const auto problem = [](const char* text) -> std::string {
        try {
            record_from_json(json::parse(text));
        } catch (const std::invalid_argument& fault) {
            return fault.what();
        }
        return "nothing";
    };
    EXPECT_THAT(problem("[]"), HasSubstr("object"));
    EXPECT_THAT(problem("{}"), HasSubstr("matchId"));
    EXPECT_THAT(problem(R"({"matchId": "a", "moves": 3})"), HasSubstr("'moves'"));
    EXPECT_THAT(problem(R"({"matchId": "a", "moves": [["x", "y"], ["x"]]})"), HasSubstr("moves"));
    EXPECT_THAT(problem(R"({"matchId": "a", "states": ["cell"]})"), HasSubstr("no list"));
    EXPECT_THAT(problem(R"json({"matchId": "a", "moves": [["x"]], "states": ["(a)"]})json"), HasSubstr("states"));
    EXPECT_THAT(problem(R"({"matchId": "a", "moves": [["x"]], "goalValues": [1, 2]})"), HasSubstr("goals"));
}

TEST(Record, IsWrittenUnderASafeName) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "stratagem_records";
    std::filesystem::remove_all(folder);
    MatchRecord record = played("tic_tac_toe", 2);
    record.match_id = "../odd name.1";
    write_record(folder / "inner", record);
    std::ifstream file(folder / "inner" / "___odd_name_1.json");
    ASSERT_TRUE(file);
    EXPECT_EQ(record_from_json(json::parse(file)), record);
    EXPECT_EQ(write_record(folder / "inner", record), folder / "inner" / "___odd_name_1.json") << "it is there already";
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "inner"), {}), 1) << "no drafts stay behind";
    MatchRecord other = record;
    other.seed = 6;
    EXPECT_EQ(write_record(folder / "inner", other), folder / "inner" / "___odd_name_1-2.json");
    EXPECT_EQ(write_record(folder / "inner", other), folder / "inner" / "___odd_name_1-2.json");
    std::ifstream again(folder / "inner" / "___odd_name_1.json");
    EXPECT_EQ(record_from_json(json::parse(again)), record) << "nothing is written over";
    std::ofstream(folder / "file") << "x";
    EXPECT_THROW(write_record(folder / "file", record), RecordError);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace stratagem::arena
