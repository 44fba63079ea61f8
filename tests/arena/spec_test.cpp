// What people write into a tournament, and what they are told when it is wrong.
#include "arena/spec.h"

#include <gmock/gmock.h>

namespace stratagem::arena {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Spec, ReadsEverything) {
    const TournamentSpec spec = read_spec(R"({"name": "Spring", "games": ["nim", "hex"],
        "players": ["uct", {"name": "far", "player": "http://localhost:9147"}, {"player": "random"}], "matches": 10,
        "swap": false, "start_clock": 2, "play_clock": 0.25, "grace": 0.5, "seed": 9007199254740991, "threads": 2,
        "table": 64, "ponder": true, "prepare": true, "opening": 3, "max_moves": 99, "jobs": 3, "nodes": 500,
        "database": "out/x.db",
        "report": "", "records": "/tmp/r"})",
                                          "specs/spring.json");
    EXPECT_EQ(spec.name, "Spring");
    EXPECT_THAT(spec.games, ElementsAre("nim", "hex"));
    ASSERT_EQ(spec.players.size(), 3u);
    EXPECT_EQ(spec.players[1].name, "far");
    EXPECT_EQ(spec.players[1].text, "http://localhost:9147");
    EXPECT_EQ(spec.players[2].name, "random");
    EXPECT_EQ(spec.matches, 10u);
    EXPECT_FALSE(spec.swap);
    EXPECT_EQ(spec.clocks.start.count(), 2);
    EXPECT_EQ(spec.clocks.play.count(), 0.25);
    EXPECT_EQ(spec.grace, 0.5);
    EXPECT_EQ(spec.seed, 9007199254740991u);
    EXPECT_EQ(spec.threads, 2u);
    EXPECT_EQ(spec.table_megabytes, 64u);
    EXPECT_TRUE(spec.ponder && spec.prepare);
    EXPECT_EQ(spec.opening, 3u);
    EXPECT_EQ(spec.max_moves, 99u);
    EXPECT_EQ(spec.parallel, 3u);
    EXPECT_EQ(spec.nodes, 500u);
    EXPECT_EQ(spec.database, "specs/out/x.db");
    EXPECT_TRUE(spec.report.empty());
    EXPECT_EQ(spec.records, "/tmp/r");
}

TEST(Spec, LittleIsEnough) {
    const TournamentSpec spec = read_spec(R"({"games": ["nim"], "players": ["uct", "random"]})", "a/b.json");
    EXPECT_EQ(spec.name, "b");
    EXPECT_EQ(spec.matches, 2u);
    EXPECT_TRUE(spec.swap);
    EXPECT_EQ(spec.database, "a/b.db");
    EXPECT_EQ(spec.report, "a/b.html");
}

std::string fault_of(const std::string& text) {
    try {
        read_spec(text, "t.json");
    } catch (const SpecError& fault) {
        return fault.what();
    }
    return "nothing";
}

TEST(Spec, SaysWhereItIsWrong) {
    EXPECT_THAT(fault_of("{\"games\": [\n  \"nim\",\n  }"), AllOf(HasSubstr("t.json: "), HasSubstr("line 3")));
    EXPECT_THAT(fault_of(""), HasSubstr("t.json: "));
    EXPECT_THAT(fault_of("[]"), HasSubstr("an object"));
    EXPECT_THAT(fault_of(R"({"players": ["uct"]})"), HasSubstr("'games' is missing"));
    EXPECT_THAT(fault_of(R"({"games": "nim", "players": ["uct"]})"), HasSubstr("games: must be a list, not a string"));
    EXPECT_THAT(fault_of(R"({"games": [], "players": ["uct"]})"), HasSubstr("games: must not be empty"));
    EXPECT_THAT(fault_of(R"({"games": ["nim", 3], "players": ["uct"]})"), HasSubstr("games[1]: must be a text"));
    EXPECT_THAT(fault_of(R"({"games": ["nim", "nim"], "players": ["uct"]})"), HasSubstr("games[1]: is there twice"));
    EXPECT_THAT(fault_of(R"({"games": ["nim"], "players": ["uct", null]})"), HasSubstr("players[1]"));
    EXPECT_THAT(fault_of(R"({"games": ["nim"], "players": ["uct", {"name": 3}]})"),
                HasSubstr("players[1].name: must be a text, not a number"));
    EXPECT_THAT(fault_of(R"({"games": ["nim"], "players": ["uct", {"name": "x"}]})"),
                HasSubstr("players[1]: the key 'player' is missing"));
    EXPECT_THAT(fault_of(R"({"games": ["nim"], "players": ["uct", "uct"]})"),
                AllOf(HasSubstr("players[1]"), HasSubstr("taken")));
    EXPECT_THAT(fault_of(R"({"games": ["nim"], "players": ["uct"], "play_clok": 3})"),
                HasSubstr("play_clok: there is no such key; did you mean 'play_clock'?"));
    EXPECT_THAT(fault_of(R"({"games": ["nim"], "players": ["uct"], "matches": 0})"), HasSubstr("matches: must be"));
    EXPECT_THAT(fault_of(R"({"games": ["nim"], "players": ["uct"], "matches": -1})"), HasSubstr("matches: must be"));
    EXPECT_THAT(fault_of(R"({"games": ["nim"], "players": ["uct"], "matches": 1.5})"), HasSubstr("whole number"));
    EXPECT_THAT(fault_of(R"({"games": ["nim"], "players": ["uct"], "swap": "yes"})"),
                HasSubstr("swap: must be true or false, not a string"));
    EXPECT_THAT(fault_of(R"({"games": ["nim"], "players": ["uct"], "play_clock": 0})"), HasSubstr("play_clock"));
    EXPECT_THAT(fault_of(R"({"games": ["nim"], "players": ["uct"], "database": ""})"), HasSubstr("database"));
}

// Whatever changes results changes the key; what only says how many or where does not.
TEST(Spec, KeyIsWhatResultsDependOn) {
    const std::string base = R"("games": ["nim"], "players": ["uct", "random"])";
    const auto key = [&](const std::string& more, std::string_view rules = "(role a)") {
        return tournament_key(read_spec("{" + base + more + "}", "t.json"), {std::string(rules)});
    };
    const std::string plain = key("");
    for (const char* same : {R"(, "matches": 50)", R"(, "parallel": 2)", R"(, "database": "y.db")", R"(, "name": "n")",
                             R"(, "report": "z.html")", R"(, "opening": 0)"}) {
        EXPECT_EQ(key(same), plain) << same;
    }
    for (const char* other : {R"(, "seed": 2)", R"(, "play_clock": 3)", R"(, "start_clock": 3)", R"(, "swap": false)",
                              R"(, "threads": 2)", R"(, "max_moves": 2)", R"(, "ponder": true)", R"(, "opening": 1)"}) {
        EXPECT_NE(key(other), plain) << other;
    }
    EXPECT_NE(key("", "(role b)"), plain) << "other rules under the same name";
}

}  // namespace
}  // namespace stratagem::arena
