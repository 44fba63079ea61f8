// Reading and replaying recorded matches.
#include "machine/tools/trace.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "gdl/read.h"
#include "machine/interpreter/text_interpreter.h"
#include "machine/tools/replay.h"

namespace stratagem::machine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* rules = R"((role a) (role b) (init (n 2)) (init (c a)) (succ 0 1) (succ 1 2)
    (<= (legal ?r go) (role ?r))
    (<= (next (n ?m)) (true (n ?n)) (succ ?m ?n) (does a go))
    (<= terminal (true (n 0)))
    (<= (goal a 100) (true (n 0))) (goal b 0) (<= (goal b 50) (true (n 0))))";

constexpr const char* line = R"json({"game":"g","match":3,"roles":["a","b"],"truncated":true,"steps":[)json"
                             R"json({"state":["(n 2)","(c a)"],"terminal":false,"legals":{"b":["go"],"a":["go"]},)json"
                             R"json("goals":{"a":null,"b":0},"moves":["go","go"]},)json"
                             R"json({"state":["(n 1)"],"terminal":false,"legals":{"a":["go"],"b":["go"]},)json"
                             R"json("goals":{"a":null,"b":0},"moves":["go","go"]},)json"
                             R"json({"state":["(n 0)"],"terminal":true,"goals":{"a":100,"b":null}}]})json";

TEST(Trace, KeepsEverythingAndSortsLists) {
    const Trace trace = parse_trace(line);
    EXPECT_EQ(trace.game, "g");
    EXPECT_EQ(trace.match, 3U);
    EXPECT_TRUE(trace.truncated);
    ASSERT_EQ(trace.steps.size(), 3U);
    EXPECT_THAT(trace.steps[0].state, ElementsAre("(c a)", "(n 2)"));
    EXPECT_THAT(trace.steps[0].goals, ElementsAre(std::nullopt, 0));
    EXPECT_TRUE(trace.steps[2].terminal);
    EXPECT_TRUE(trace.steps[2].moves.empty());
    EXPECT_EQ(to_json(parse_trace(to_json(trace))), to_json(trace));
}

TEST(Trace, ReadsPlainAndCompressedFiles) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir());
    const std::string text = std::string(line) + "\n\n" + line + "\n";
    const std::filesystem::path plain = folder / "stratagem_trace.jsonl";
    std::ofstream(plain) << text;
    EXPECT_EQ(read_traces(plain).size(), 2U);
    const std::filesystem::path packed = folder / "stratagem_trace.jsonl.gz";
    gzFile file = gzopen(packed.c_str(), "wb");
    ASSERT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
    gzclose(file);
    EXPECT_EQ(read_traces(packed).size(), 2U);
    std::filesystem::resize_file(packed, std::filesystem::file_size(packed) - 10);
    EXPECT_THROW(read_traces(packed), TraceError);
    std::filesystem::remove(plain);
    std::filesystem::remove(packed);
}

TEST(Trace, SaysWhereAFileIsWrong) {
    const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "stratagem_bad_trace.jsonl";
    std::ofstream(path) << line << "\n{\"game\": 1}\n";
    try {
        read_traces(path);
        FAIL();
    } catch (const TraceError& error) {
        EXPECT_THAT(error.what(), HasSubstr("stratagem_bad_trace.jsonl:2:"));
    }
    std::filesystem::remove(path);
    EXPECT_THROW(read_traces(path), TraceError);
}

TEST(Replay, AgreesWithATrueRecord) {
    TextInterpreter machine(gdl::read("g", rules).description);
    const ReplayResult result = replay(machine, parse_trace(line));
    EXPECT_EQ(result.steps, 3U);
    EXPECT_TRUE(result.mismatches.empty());
    EXPECT_EQ(replay(machine, parse_trace(line), 2).steps, 2U);
}

TEST(Replay, FindsEachKindOfFault) {
    TextInterpreter machine(gdl::read("g", rules).description);
    const auto fault = [&](auto&& change) {
        Trace trace = parse_trace(line);
        change(trace);
        const ReplayResult result = replay(machine, trace);
        if (result.mismatches.size() != 1) return std::string("not exactly one mismatch");
        const Mismatch& found = result.mismatches.front();
        return std::to_string(found.step) + " " + found.what + ": " + found.expected + " / " + found.got;
    };
    EXPECT_EQ(fault([](Trace& trace) { trace.roles = {"b", "a"}; }), "0 roles: b a / a b");
    EXPECT_EQ(fault([](Trace& trace) { trace.steps[1].state = {"(n 1)", "(x)"}; }), "1 state: (x) / nothing more");
    EXPECT_EQ(fault([](Trace& trace) { trace.steps[1].terminal = true; }), "1 terminal: true / false");
    EXPECT_EQ(fault([](Trace& trace) { trace.steps[0].legals[1] = {"stay"}; }), "0 legal b: stay / go");
    EXPECT_EQ(fault([](Trace& trace) { trace.steps[2].goals[1] = 50; }), "2 goal b: 50 / none");
    EXPECT_EQ(fault([](Trace& trace) { trace.steps[0].moves[1] = "stay"; }),
              "0 moves: a legal move of b / illegal move stay");
    EXPECT_EQ(fault([](Trace& trace) { trace.steps[1].moves = {"go"}; }),
              "1 moves: 2 moves, one for each role / 1 moves");
    // However it is written.
    Trace trace = parse_trace(line);
    trace.steps[0].moves[0] = " GO ";
    EXPECT_TRUE(replay(machine, trace).mismatches.empty());
}

}  // namespace
}  // namespace stratagem::machine
