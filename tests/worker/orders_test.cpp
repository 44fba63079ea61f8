// What goes through the socket comes out as it went in, and what makes no sense is refused.
#include "worker/orders.h"

#include <gmock/gmock.h>

#include "worker/frame.h"

namespace stratagem::worker {
namespace {

using Strings = std::vector<std::string>;

std::string all_bytes() {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
    return bytes;
}

// Through frames, byte by byte.
nlohmann::json carried(const nlohmann::json& message) {
    FrameReader frames(1 << 20);
    std::optional<nlohmann::json> result;
    for (const char c : to_frame(message)) {
        EXPECT_FALSE(result);
        frames.add({&c, 1});
        result = frames.next();
    }
    EXPECT_TRUE(result);
    return result.value_or(nlohmann::json());
}

Order carried_order(const Order& order) { return read_order(carried(to_json(order))); }
Word carried_word(const Word& word) { return read_word(carried(to_json(word))); }

TEST(Frame, CarriesAnyBytes) {
    EXPECT_EQ(as_bytes(as_text(all_bytes())), all_bytes());
    EXPECT_THROW(as_bytes("\u20ac"), FrameError);
    EXPECT_THROW(as_bytes("\xc3"), FrameError);
}

TEST(Frame, RefusesWhatIsNoMessage) {
    FrameReader garbage(100);
    garbage.add("{\"is\": \n");
    EXPECT_THROW(garbage.next(), FrameError);
    FrameReader endless(100);
    endless.add(std::string(101, '['));
    EXPECT_THROW(endless.next(), FrameError);
    FrameReader deep(10'000'000);
    deep.add(std::string(4'000'000, '[') + std::string(4'000'000, ']') + "\n");
    const std::optional<nlohmann::json> nested = deep.next();
    ASSERT_TRUE(nested) << "depth is no danger";
    EXPECT_THROW(read_word(*nested), FrameError);
}

TEST(Orders, ArriveAsTheyWereSent) {
    StartOrder start;
    start.recipe = "uct:exploration=0.7";
    start.settings.search = {UINT64_MAX, 3, 77};
    start.settings.ponder = false;
    start.settings.nodes = 12345;
    start.settings.patience = player::Seconds(17);
    start.settings.machine.kind = machine::MachineKind::interpreter;
    start.settings.machine.build_limit_seconds = 1.5;
    start.settings.machine.build_limit_bytes = 123456;
    start.settings.machine.interpreter.max_facts = 99;
    start.settings.machine.lane_width = "64";
    start.settings.reply_margin = player::Seconds(0.25);
    start.settings.grace = std::chrono::milliseconds(7);
    start.match = {
        "name", "(role \xe4)\n" + all_bytes(), std::nullopt, "\xe4", {player::Seconds(2), player::Seconds(0.1)}, {}};
    EXPECT_EQ(std::get<StartOrder>(carried_order(start)).match.state, std::nullopt);
    start.match.state = {"(cell 1 \xe4)", "(control x)"};
    start.received = Deadline::Clock::now();
    start.history = {{}, {"(mark 1 1)", "noop"}};
    const auto came = std::get<StartOrder>(carried_order(start));
    EXPECT_EQ(came.recipe, start.recipe);
    EXPECT_EQ(came.settings.search.seed, UINT64_MAX);
    EXPECT_EQ(came.settings.search.threads, 3U);
    EXPECT_EQ(came.settings.search.table_megabytes, 77U);
    EXPECT_FALSE(came.settings.ponder);
    EXPECT_EQ(came.settings.nodes, 12345U);
    EXPECT_EQ(came.settings.patience, player::Seconds(17));
    EXPECT_EQ(came.settings.machine.kind, machine::MachineKind::interpreter);
    EXPECT_EQ(came.settings.machine.build_limit_seconds, 1.5);
    EXPECT_EQ(came.settings.machine.build_limit_bytes, 123456U);
    EXPECT_EQ(came.settings.machine.interpreter.max_facts, 99U);
    EXPECT_EQ(came.settings.machine.lane_width, "64");
    EXPECT_EQ(came.settings.reply_margin, start.settings.reply_margin);
    EXPECT_EQ(came.settings.grace, start.settings.grace);
    EXPECT_EQ(came.match.rules, start.match.rules);
    EXPECT_EQ(came.match.notation, std::nullopt);
    EXPECT_EQ(came.match.role, "\xe4");
    EXPECT_EQ(came.match.clocks.play, player::Seconds(0.1));
    EXPECT_EQ(came.match.state, start.match.state);
    EXPECT_EQ(came.received, start.received);
    EXPECT_EQ(came.history, start.history);

    const auto prepare = std::get<PrepareOrder>(carried_order(PrepareOrder{start.settings.machine, start.match}));
    EXPECT_EQ(prepare.machine.kind, machine::MachineKind::interpreter);
    EXPECT_EQ(prepare.match.rules, start.match.rules);
    const auto play = std::get<PlayOrder>(carried_order(PlayOrder{7, {"a", "\xff"}, start.received}));
    EXPECT_EQ(play.turn, 7U);
    EXPECT_EQ(play.last, (Strings{"a", "\xff"}));
    EXPECT_EQ(play.received, start.received);
    EXPECT_EQ(std::get<WatchOrder>(carried_order(WatchOrder{{"a"}, start.received})).last, Strings{"a"});
    const auto fits = std::get<FitsOrder>(carried_order(FitsOrder{3, {"b"}, start.received}));
    EXPECT_EQ(fits.number, 3U);
    EXPECT_EQ(fits.moves, Strings{"b"});
    EXPECT_EQ(fits.until, start.received);
    EXPECT_TRUE(std::holds_alternative<Ping>(carried_order(Ping{})));
}

TEST(Words, ArriveAsTheyWereSaid) {
    const auto opening = std::get<player::Opening>(carried_word(player::Opening{true, "", {"x", "\xfc"}, 1, true}));
    EXPECT_TRUE(opening.known);
    EXPECT_EQ(opening.roles, (Strings{"x", "\xfc"}));
    EXPECT_EQ(opening.own, 1U);
    EXPECT_TRUE(opening.sees);

    AnswerWord answer{9, {"(mark 1 \xe9)", player::Answer::Source::report, {}}, true};
    answer.answer.choice.value = 61.25;
    answer.answer.choice.judged = answer.answer.choice.proved = true;
    answer.answer.choice.depth = 5;
    answer.answer.choice.nodes = 1ULL << 60;
    answer.answer.choice.playouts = 4;
    answer.answer.choice.seconds = 0.5;
    answer.answer.choice.note = "why";
    const auto came = std::get<AnswerWord>(carried_word(answer));
    EXPECT_EQ(came.turn, 9U);
    EXPECT_EQ(came.answer.move, answer.answer.move);
    EXPECT_EQ(came.answer.source, answer.answer.source);
    EXPECT_EQ(came.answer.choice.value, 61.25);
    EXPECT_TRUE(came.answer.choice.judged);
    EXPECT_TRUE(came.answer.choice.proved);
    EXPECT_EQ(came.answer.choice.depth, 5U);
    EXPECT_EQ(came.answer.choice.nodes, 1ULL << 60);
    EXPECT_EQ(came.answer.choice.playouts, 4U);
    EXPECT_EQ(came.answer.choice.note, "why");
    EXPECT_TRUE(came.starved);
    answer.answer.choice.value = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(std::get<AnswerWord>(carried_word(answer)).answer.choice.value, 0) << "no number, no opinion";

    EXPECT_EQ(std::get<FitWord>(carried_word(FitWord{4, false})).fits, false);
    EXPECT_EQ(std::get<FitWord>(carried_word(FitWord{4, std::nullopt})).fits, std::nullopt);
    EXPECT_EQ(std::get<LogWord>(carried_word(LogWord{all_bytes()})).line, all_bytes());
    EXPECT_TRUE(std::holds_alternative<Pong>(carried_word(Pong{})));
    EXPECT_TRUE(std::holds_alternative<Prepared>(carried_word(Prepared{})));
}

TEST(Words, ThatMakeNoSenseAreRefused) {
    for (const char* text : {"1", "[]", "{}", R"({"is": 3})", R"({"is": "song"})", R"({"is": "answer", "turn": -1})",
                             R"({"is": "answer", "turn": 1, "starved": false, "move": "a", "source": 17})",
                             R"({"is": "opening", "known": true, "fault": "", "roles": [], "own": 0, "sees": false})",
                             R"({"is": "log", "line": 7})", R"({"is": "fit", "number": 1, "fits": "yes"})"}) {
        EXPECT_THROW(read_word(nlohmann::json::parse(text)), FrameError) << text;
        EXPECT_THROW(read_order(nlohmann::json::parse(text)), FrameError) << text;
    }
}

}  // namespace
}  // namespace stratagem::worker
