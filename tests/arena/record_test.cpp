// Records: what is written can be read, by us and by those who read the public layout.
#include "arena/record.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "gdl/read.h"
#include "gdl/rules_text.h"
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
    const MatchResult result = play_match(game->remade({}), recipes, settings);
    return make_record(result, {game_name, "Spring", settings.clocks, false, *game->rules()});
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
    result.fault_notes = {{"(no such move)", "", "connection refused"}};
    result.thoughts = {{Thought{"search", 62.5, true, 7, 1234, 0, 0.25, "wins"}, std::nullopt, std::nullopt}};
    result.problem = "a limit";
    const MatchRecord record = make_record(result, {"g", "", {}, true});
    EXPECT_EQ(to_json(record)["thoughts"][0][0]["value"], 62.5);
    EXPECT_EQ(to_json(record)["faultNotes"][0][2], "connection refused");
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
        } catch (const RecordError& fault) {
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
    // Each with its place, and whatever numbers there are.
    EXPECT_THAT(problem(R"({"matchId": "a", "moves": [["x"], [3]]})"), HasSubstr("'moves[1][0]'"));
    EXPECT_THAT(problem(R"({"matchId": "a", "goalValues": [1e300]})"), HasSubstr("'goalValues[0]'"));
    EXPECT_THAT(problem(R"({"matchId": "a", "goalValues": [99999999999]})"), HasSubstr("range"));
    EXPECT_THAT(problem(R"({"matchId": "a", "seed": -1})"), HasSubstr("'seed'"));
    EXPECT_THAT(problem(R"({"matchId": "a", "moves": [["x"]], "thoughts": [[{"nodes": "many"}]]})"),
                HasSubstr("'thoughts[0][0].nodes'"));
    EXPECT_THAT(problem(R"({"matchId": "a", "moves": [["x"]], "errors": [[""], [""]]})"), HasSubstr("'errors'"));
    EXPECT_THAT(problem(R"({"matchId": "a", "moves": [["x"]], "replyMilliseconds": [[1, 2]]})"),
                HasSubstr("'replyMilliseconds[0]'"));
}

TEST(Record, SaysWhereTextIsNoJson) {
    const auto problem = [](std::string_view text) -> std::string {
        try {
            record_from_text(text);
        } catch (const RecordError& fault) {
            return fault.what();
        }
        return "nothing";
    };
    EXPECT_THAT(problem("{\n  \"matchId\": \"a\",\n  \"moves\": [["), HasSubstr("line 3"));
    EXPECT_THAT(problem(""), HasSubstr("line 1"));
    EXPECT_THAT(problem(std::string(100'000, '[')), HasSubstr("line 1"));
}

// Whatever happened to a file: it is read, or it is said what is wrong with it.
TEST(Record, DamageIsNoticedOrHarmless) {
    const std::string whole = to_text(played("tic_tac_toe", 2));
    const auto attempt = [](const std::string& text) {
        try {
            const MatchRecord record = record_from_text(text);
            EXPECT_FALSE(to_text(record).empty());
            return true;
        } catch (const RecordError&) {
            return false;
        }
    };
    EXPECT_TRUE(attempt(whole));
    for (std::size_t size = 0; size + 2 < whole.size(); size += 37) EXPECT_FALSE(attempt(whole.substr(0, size)));
    for (std::size_t place = 0; place < whole.size(); place += 5) {
        std::string flipped = whole;
        flipped[place] = static_cast<char>(flipped[place] ^ (1 << (place % 8)));
        attempt(flipped);
    }
}

TEST(Record, HoldsTheRulesAndWhatPlayersThought) {
    const MatchRecord record = played("tic_tac_toe", 2);
    EXPECT_THAT(record.rules, HasSubstr("(role x)\n"));
    EXPECT_EQ(record.rules_hash, gdl::rules_hash(record.rules));
    const gdl::ReadResult again = gdl::read_and_check("record", record.rules, gdl::Notation::kif);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(gdl::rules_text(again.description), record.rules);
    ASSERT_EQ(record.thoughts.size(), record.moves.size());
    EXPECT_TRUE(record.thoughts[0][0]);
    EXPECT_TRUE(record.fault_notes.empty());
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
