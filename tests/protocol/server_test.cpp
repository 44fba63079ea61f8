// The player behind its port, spoken to byte by byte.
#include <gmock/gmock.h>

#include <future>
#include <stdexcept>
#include <thread>

#include "protocol/player_server.h"
#include "protocol/serving.h"

namespace stratagem::protocol {
namespace {

using testing::answer;
using ::testing::AnyOf;
using testing::bundled_rules;
using testing::converse;
using testing::eventually;
using ::testing::HasSubstr;
using testing::java_request;
using testing::parsed;
using testing::quick_settings;
using testing::RawClient;
using testing::RawReply;
using testing::send_message;
using testing::Serving;
using testing::SharedLatch;
using testing::start_message;
using ::testing::StartsWith;

const std::string available = "((name stratagem) (status available))";
const std::string busy = "((name stratagem) (status busy))";

std::string upper_case(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(c));
    return text;
}

TEST(PlayerServer, SaysWhoItIs) {
    ServerSettings settings = quick_settings();
    settings.service.name = "rook";
    Serving list(settings);
    EXPECT_EQ(answer(list.port(), "(INFO)"), "((name rook) (status available))");
    settings.service.info_as_word = true;
    Serving word(settings);
    EXPECT_EQ(answer(word.port(), "( info )"), "available");
}

TEST(PlayerServer, PlaysAMatchForAJavaManager) {
    Serving serving;
    const int port = serving.port();
    EXPECT_EQ(answer(port, "( INFO )"), available);
    // Everything in upper case, and spaces inside parentheses.
    EXPECT_EQ(answer(port, upper_case(start_message("Match.3316980891", "x", bundled_rules("tic_tac_toe")))), "READY");
    EXPECT_EQ(answer(port, "( INFO )"), busy);
    EXPECT_EQ(answer(port, "( PLAY MATCH.3316980891 NIL )"), "(MARK 1 1)");
    EXPECT_EQ(answer(port, "( PLAY MATCH.3316980891 ( ( MARK 1 1 ) NOOP ) )"), "NOOP");
    EXPECT_EQ(answer(port, "( PLAY MATCH.3316980891 ( NOOP ( MARK 2 2 ) ) )"), "(MARK 1 2)");
    EXPECT_EQ(answer(port, "( PLAY MATCH.3316980891 ( ( MARK 1 2 ) NOOP ) )"), "NOOP");
    EXPECT_EQ(answer(port, "( PLAY MATCH.3316980891 ( NOOP ( MARK 3 2 ) ) )"), "(MARK 1 3)");
    EXPECT_EQ(answer(port, "( STOP MATCH.3316980891 ( ( MARK 1 3 ) NOOP ) )"), "DONE");
    EXPECT_EQ(answer(port, "( INFO )"), available);
    EXPECT_TRUE(serving.lines.contain("PLAY match.3316980891 (noop (mark 2 2)) -> (MARK 1 2)")) << serving.lines.all();
    EXPECT_TRUE(serving.lines.contain("match.3316980891: turn 1: (mark 1 1)")) << serving.lines.all();
}

TEST(PlayerServer, ReadsBodiesInEveryForm) {
    Serving serving;
    const std::string head = "POST / HTTP/1.1\r\nHost: localhost\r\n";
    const auto body_of = [&](const std::string& request) { return parsed(converse(serving.port(), request)).body; };
    EXPECT_EQ(body_of(head + "Content-Length: 6\r\n\r\n(INFO)"), available);
    EXPECT_EQ(body_of(head + "Content-Length: 6\r\nConnection: keep-alive\r\n\r\n(INFO)"), available);
    EXPECT_EQ(body_of("POST / HTTP/1.0\nContent-length: 6\n\n(INFO)"), available) << "bare line feeds";
    EXPECT_EQ(body_of(head + "Content-Length: 6\r\n\r\n(INFO)\r\n\r\n"), available) << "more than was announced";
    EXPECT_EQ(body_of("POST / HTTP/1.0\r\n\r\n (INFO)"), available) << "no length: the parentheses tell";
    EXPECT_EQ(body_of(head + "Transfer-Encoding: chunked\r\n\r\n3\r\n(IN\r\n3;x=y\r\nFO)\r\n0\r\n\r\n"), available);
    EXPECT_EQ(body_of(head + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 6\r\n\r\n(INFO)"),
              available);
    EXPECT_EQ(body_of(head + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 18\r\n\r\n"
                             "message=%28INFO%29"),
              available);
    const std::string parts = "--b\r\nContent-Disposition: form-data; name=\"m\"\r\n\r\n(INFO)\r\n--b--\r\n";
    EXPECT_EQ(body_of(head + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: " +
                      std::to_string(parts.size()) + "\r\n\r\n" + parts),
              available);
    EXPECT_EQ(body_of(head + "Expect: 100-continue\r\nContent-Length: 6\r\n\r\n(INFO)").substr(0, 13), "HTTP/1.1 200 ");
    EXPECT_EQ(body_of("PUT /x/y HTTP/1.1\r\nContent-Length: 6\r\n\r\n(INFO)"), available);
}

TEST(PlayerServer, ReadsABodyUntilTheOtherSideHasSaidAll) {
    Serving serving;
    RawClient client(serving.port());
    client.say("POST / HTTP/1.0\r\n\r\ninfo");  // no parenthesis would tell the end
    client.half_close();
    EXPECT_EQ(parsed(client.hear()).body, available);
    RawClient broken(serving.port());
    broken.say("POST / HTTP/1.0\r\n\r\n(info");
    broken.half_close();
    EXPECT_EQ(parsed(broken.hear()).status, 400);
}

TEST(PlayerServer, IsOpenToBrowsers) {
    Serving serving;
    const auto get = [&](const std::string& target) {
        return parsed(converse(serving.port(), "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n"));
    };
    EXPECT_EQ(get("/%28INFO%29").body, available);
    EXPECT_EQ(get("/?message=(INFO)").body, available);
    EXPECT_EQ(get("/info").body, available);
    EXPECT_THAT(get("/").body, HasSubstr("player of general games"));
    EXPECT_EQ(get("/favicon.ico").status, 400);
    const RawReply options = parsed(converse(serving.port(), "OPTIONS / HTTP/1.1\r\nOrigin: http://a\r\n\r\n"));
    EXPECT_EQ(options.status, 200);
    for (const RawReply& reply :
         {options, get("/info"), get("/favicon.ico"), send_message(serving.port(), "(PLAY x NIL)")}) {
        EXPECT_THAT(reply.head, HasSubstr("Access-Control-Allow-Origin: *"));
        EXPECT_THAT(reply.head, HasSubstr("Access-Control-Allow-Methods: "));
        EXPECT_THAT(reply.head, HasSubstr("Access-Control-Allow-Headers: "));
        EXPECT_THAT(reply.head, HasSubstr("Access-Control-Max-Age: "));
    }
}

// The framework in Java of 2011 asks so, and then waits.
const std::string get_without_end = "GET /%28+INFO+%29 HTTP/1.0\nAccept: text/delim\nSender: GAMESERVER\nReceiver: A\n";

TEST(PlayerServer, AnswersAGetThatFallsSilentBeforeItsHeadEnds) {
    ServerSettings settings = quick_settings();
    settings.limits.request_time = std::chrono::minutes(10);  // nobody waits for that
    Serving serving(settings);
    EXPECT_EQ(parsed(converse(serving.port(), get_without_end)).body, available);
    EXPECT_EQ(parsed(converse(serving.port(), "GET /info HTTP/1.0\r\n")).body, available);
    // What comes after the silence changes nothing.
    RawClient slow(serving.port());
    slow.say(get_without_end);
    const std::string reply = slow.hear();
    slow.say("Host: x\n\n");
    EXPECT_EQ(parsed(reply).body, available);
}

TEST(PlayerServer, AnswersAGetWhoseSenderClosesBeforeItsHeadEnds) {
    ServerSettings settings = quick_settings();
    settings.limits.request_time = settings.limits.silence_time = std::chrono::minutes(10);
    Serving serving(settings);
    const auto closing = [&](std::string_view request) {
        RawClient client(serving.port());
        client.say(request);
        client.half_close();
        return parsed(client.hear());
    };
    EXPECT_EQ(closing(get_without_end).body, available);
    EXPECT_EQ(closing("GET /info HTTP/1.0\r\nAccept: te").body, available);
    EXPECT_EQ(closing("GET /info HTTP/1.0").body, available) << "not even the end of its line";
    EXPECT_EQ(closing("GET /info HTTP/1.").status, 400) << "nobody knows what would have followed";
    EXPECT_EQ(closing("GET /inf").status, 400);
    EXPECT_EQ(closing("POST / HTTP/1.0\r\nContent-Length: 6\r\n").status, 400) << "its body is missing";
}

TEST(PlayerServer, RefusesWhatMakesNoSense) {
    Serving serving;
    const int port = serving.port();
    EXPECT_EQ(send_message(port, "(PLAY m1 NIL)").status, 404);
    EXPECT_THAT(send_message(port, "(PLAY m1 NIL)").body, HasSubstr("no match m1"));
    EXPECT_EQ(send_message(port, "(STOP m1 NIL)").status, 404);
    EXPECT_EQ(send_message(port, "(ABORT m1)").status, 404);
    EXPECT_EQ(send_message(port, "hello").status, 400);
    EXPECT_EQ(send_message(port, "").status, 400);
    EXPECT_EQ(parsed(converse(port, "\x16\x03\x01\r\n\r\n")).status, 400) << "TLS, or anything else";
    EXPECT_EQ(parsed(converse(port, "BREW / HTTP/1.1\r\n\r\n")).status, 400);
    EXPECT_EQ(answer(port, "(PREVIEW ((role a)) 10)"), "READY");
    EXPECT_EQ(answer(port, "(INFO)"), available);
}

TEST(PlayerServer, RefusesRulesThatAreNotValid) {
    Serving serving;
    const RawReply unsafe = send_message(serving.port(), "(START m1 a ((role a) (<= (p ?x) (not (q ?x)))) 10 10)");
    EXPECT_EQ(unsafe.status, 400);
    EXPECT_THAT(unsafe.body, HasSubstr("these rules are not valid: line 1, column"));
    std::string hopeless = "(role a)";
    for (int i = 0; i < 5000; ++i) hopeless += " (<= (p ?x) (not (q ?x)))";
    const RawReply faults = send_message(serving.port(), start_message("m1", "a", hopeless));
    EXPECT_EQ(faults.status, 400);
    EXPECT_THAT(faults.body, HasSubstr("errors in all"));
    EXPECT_LT(faults.body.size(), 4000U);
    const RawReply stranger = send_message(serving.port(), start_message("m1", "z", bundled_rules("tic_tac_toe")));
    EXPECT_EQ(stranger.status, 400);
    EXPECT_THAT(stranger.body, HasSubstr("no role z"));
    EXPECT_EQ(answer(serving.port(), "(INFO)"), available) << "the place is free again";
}

TEST(PlayerServer, PlaysOneMatchAtATime) {
    Serving serving;
    const int port = serving.port();
    const std::string start = start_message("m1", "x", bundled_rules("tic_tac_toe"));
    EXPECT_EQ(answer(port, start), "READY");
    EXPECT_EQ(answer(port, start_message("m2", "x", bundled_rules("tic_tac_toe"))), "BUSY");
    EXPECT_EQ(answer(port, start), "READY") << "the same message again";
    EXPECT_EQ(answer(port, start_message("m1", "o", bundled_rules("tic_tac_toe"))), "BUSY") << "another message";
    EXPECT_EQ(answer(port, "(PLAY m1 NIL)"), "(mark 1 1)");
    EXPECT_EQ(answer(port, start), "READY");
    EXPECT_EQ(answer(port, "(PLAY m1 ((mark 1 1) noop))"), "noop") << "the match was not harmed";
    EXPECT_EQ(answer(port, "(ABORT m1)"), "ABORTED");
    EXPECT_EQ(answer(port, start_message("m2", "x", bundled_rules("tic_tac_toe"))), "READY");
}

TEST(PlayerServer, PlaysSeveralMatchesIfAsked) {
    ServerSettings settings = quick_settings();
    settings.service.matches = 2;
    Serving serving(settings);
    const int port = serving.port();
    EXPECT_EQ(answer(port, start_message("m1", "x", bundled_rules("tic_tac_toe"))), "READY");
    EXPECT_EQ(answer(port, "(INFO)"), available);
    EXPECT_EQ(answer(port, start_message("m2", "red", bundled_rules("connect_four"))), "READY");
    EXPECT_EQ(answer(port, "(INFO)"), busy);
    EXPECT_EQ(answer(port, start_message("m3", "x", bundled_rules("tic_tac_toe"))), "BUSY");
    EXPECT_EQ(answer(port, "(PLAY m2 NIL)"), "(drop 1)");
    EXPECT_EQ(answer(port, "(PLAY m1 NIL)"), "(mark 1 1)");
}

TEST(PlayerServer, GivesTheSameAnswerToTheSameTurn) {
    Serving serving;
    const int port = serving.port();
    ASSERT_EQ(answer(port, start_message("m1", "x", bundled_rules("tic_tac_toe"))), "READY");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(answer(port, "(PLAY m1 NIL)"), "(mark 1 1)");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(answer(port, "(PLAY m1 ((mark 1 1) noop))"), "noop");
    EXPECT_EQ(answer(port, "(PLAY m1 NIL)"), "noop") << "NIL can only be a repetition";
    EXPECT_EQ(answer(port, "(PLAY m1 (noop (mark 3 3)))"), "(mark 1 2)");
}

TEST(PlayerServer, TakesTheSameMovesAgainWhereTheyCanBeMadeTwice) {
    // Both roles may bid every time.
    const std::string rules =
        "(role a) (role b) (init (step 0)) (<= (legal ?r bid) (role ?r)) (succ 0 1) (succ 1 2) (succ 2 3) "
        "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 3))) (goal a 100) (goal b 0)";
    Serving serving;
    const int port = serving.port();
    ASSERT_EQ(answer(port, start_message("m1", "a", rules)), "READY");
    EXPECT_EQ(answer(port, "(PLAY m1 NIL)"), "bid");
    EXPECT_EQ(answer(port, "(PLAY m1 (bid bid))"), "bid");
    EXPECT_EQ(answer(port, "(PLAY m1 (bid bid))"), "bid");
    EXPECT_TRUE(serving.lines.contain("turn 3: bid")) << serving.lines.all();
    EXPECT_EQ(answer(port, "(STOP m1 (bid bid))"), "DONE");
}

TEST(PlayerServer, RefusesMovesNobodyCouldHaveMade) {
    Serving serving;
    const int port = serving.port();
    ASSERT_EQ(answer(port, start_message("m1", "x", bundled_rules("tic_tac_toe"))), "READY");
    EXPECT_EQ(send_message(port, "(PLAY m1 (noop noop))").status, 400) << "before the first turn";
    EXPECT_EQ(answer(port, "(PLAY m1 NIL)"), "(mark 1 1)");
    for (const char* moves : {"(noop noop)", "((mark 1 1))", "((mark 1 1) noop noop)", "((mark 4 4) noop)",
                              "((fly 1 1) walk)", "((mark 1 1) (mark 2 2))"}) {
        const RawReply play = send_message(port, std::string("(PLAY m1 ") + moves + ")");
        EXPECT_EQ(play.status, 400) << moves;
        EXPECT_THAT(play.body, HasSubstr("cannot be made here"));
        EXPECT_EQ(send_message(port, std::string("(STOP m1 ") + moves + ")").status, 400) << moves;
    }
    EXPECT_EQ(answer(port, "(PLAY m1 ((mark 1 1) noop))"), "noop");
    EXPECT_EQ(answer(port, "(PLAY m1 (noop (mark 2 2)))"), "(mark 1 2)");
    EXPECT_EQ(answer(port, "(STOP m1 ((mark 1 2) noop))"), "DONE");
}

TEST(PlayerServer, FollowsAManagerItDoubtedForLong) {
    // No play clock at all: doubts last three seconds.
    Serving serving;
    const int port = serving.port();
    ASSERT_EQ(answer(port, start_message("m1", "x", bundled_rules("tic_tac_toe"), "60 0")), "READY");
    answer(port, "(PLAY m1 NIL)");
    // The manager went on without us: these moves are of the turn after the next.
    const std::string lost = "(PLAY m1 (noop (mark 2 2)))";
    EXPECT_EQ(send_message(port, lost).status, 400);
    EXPECT_TRUE(eventually([&] { return send_message(port, lost).status == 200; }));
}

TEST(PlayerServer, PlaysWhenItIsToldOnlyWhatItSees) {
    Serving serving;
    const int port = serving.port();
    const std::string rules =
        bundled_rules("tic_tac_toe") + "(<= (sees x ?m) (does o ?m)) (<= (sees o ?m) (does x ?m))";
    ASSERT_EQ(answer(port, start_message("m1", "x", rules)), "READY");
    EXPECT_EQ(answer(port, "(PLAY m1 0 NIL NIL)"), "(mark 1 1)");
    EXPECT_EQ(answer(port, "(PLAY m1 0 NIL NIL)"), "(mark 1 1)");
    EXPECT_EQ(answer(port, "(PLAY m1 1 (mark 1 1) ())"), "noop");
    EXPECT_EQ(answer(port, "(PLAY m1 2 noop ((does o (mark 1 2))))"), "(mark 1 3)");
    EXPECT_EQ(send_message(port, "(PLAY m1 ((mark 1 3) noop))").status, 400) << "another form than before";
    EXPECT_EQ(answer(port, "(STOP m1 3 (mark 1 3) NIL)"), "DONE");
}

TEST(PlayerServer, RefusesReportsOfSightWhereTheRulesKnowNoSight) {
    Serving serving;
    const int port = serving.port();
    ASSERT_EQ(answer(port, start_message("m1", "x", bundled_rules("tic_tac_toe"))), "READY");
    EXPECT_EQ(send_message(port, "(PLAY m1 0 NIL NIL)").status, 400);
    EXPECT_EQ(answer(port, "(PLAY m1 NIL)"), "(mark 1 1)");
    EXPECT_EQ(send_message(port, "(PLAY m1 7 (mark 3 3) ((does o noop)))").status, 400);
    EXPECT_EQ(send_message(port, "(STOP m1 7 (mark 3 3) NIL)").status, 400);
    EXPECT_EQ(answer(port, "(PLAY m1 ((mark 1 1) noop))"), "noop") << "the match was not harmed";
    EXPECT_EQ(answer(port, "(PLAY m1 (noop (mark 3 3)))"), "(mark 1 2)");
}

TEST(PlayerServer, SaysTheSameToASecondStop) {
    Serving serving;
    const int port = serving.port();
    ASSERT_EQ(answer(port, start_message("m1", "x", bundled_rules("tic_tac_toe"))), "READY");
    EXPECT_EQ(answer(port, "(PLAY m1 NIL)"), "(mark 1 1)");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(answer(port, "(STOP m1 ((mark 1 1) noop))"), "DONE");
    EXPECT_EQ(answer(port, "(ABORT m1)"), "ABORTED");
    EXPECT_EQ(send_message(port, "(PLAY m1 ((mark 1 1) noop))").status, 404);
    EXPECT_EQ(answer(port, start_message("m1", "x", bundled_rules("tic_tac_toe"))), "READY") << "the name is free";
    EXPECT_EQ(send_message(port, "(STOP m1 (noop noop))").status, 400) << "this one is still played";
}

TEST(PlayerServer, KeepsClocksNobodyCanKeepOrWaitFor) {
    Serving serving;
    const int port = serving.port();
    ASSERT_EQ(answer(port, start_message("m1", "x", bundled_rules("tic_tac_toe"), "10000000 0")), "READY");
    EXPECT_TRUE(serving.lines.contain("m1: clocks of 10000000 s and 0 s are taken as 3600 s and 0.5 s"))
        << serving.lines.all();
    EXPECT_EQ(answer(port, "(PLAY m1 NIL)"), "(mark 1 1)") << "not nil";
}

// A player whose parts throw when the test says so.
class ThrowingPlayer final : public player::TextPlayer {
  public:
    explicit ThrowingPlayer(std::string where) : where_(std::move(where)) {}

    player::Opening start(const player::TextMatch&, TimePoint) override {
        if (where_ == "start") throw std::bad_alloc();
        return opening();
    }
    player::Opening opening() const override { return {.known = true, .fault = "", .roles = {"x", "o"}}; }
    player::Answer play(std::span<const std::string>, TimePoint) override { throw std::runtime_error("no idea"); }
    void watch(std::span<const std::string>, TimePoint) override {}
    std::optional<bool> fits(std::span<const std::string>, Deadline) override { return std::nullopt; }
    void stop() override {}
    void abort() override {}

  private:
    std::string where_;
};

TEST(PlayerServer, IsFreeAgainAfterAStartThatThrows) {
    std::string where = "start";
    ServerSettings settings = quick_settings();
    settings.service.make_player = [&](const player::Log&) { return std::make_unique<ThrowingPlayer>(where); };
    Serving serving(settings);
    const int port = serving.port();
    const std::string start = start_message("m1", "x", "(role x)");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(send_message(port, start).status, 500);
    EXPECT_EQ(answer(port, "(INFO)"), available);
    where = "play";
    EXPECT_EQ(answer(port, start), "READY");
    EXPECT_EQ(send_message(port, "(PLAY m1 NIL)").status, 500);
    EXPECT_EQ(answer(port, "(ABORT m1)"), "ABORTED");
    EXPECT_EQ(answer(port, "(INFO)"), available);
}

TEST(PlayerServer, AnswersOthersWhileItThinks) {
    const SharedLatch latch;
    Serving serving(quick_settings(latch.recipe()));
    const int port = serving.port();
    ASSERT_EQ(answer(port, start_message("m1", "x", bundled_rules("tic_tac_toe"))), "READY");
    std::string first;
    std::string again;
    std::thread manager([&] { first = answer(port, "(PLAY m1 NIL)"); });
    latch->await(1);
    EXPECT_EQ(answer(port, "(INFO)"), busy);
    EXPECT_EQ(answer(port, start_message("m2", "x", bundled_rules("tic_tac_toe"))), "BUSY");
    EXPECT_EQ(send_message(port, "(PLAY m1 ((mark 1 1) noop))").status, 409);
    EXPECT_EQ(send_message(port, "(STOP m1 ((mark 1 1) noop))").status, 409);
    std::thread repeated([&] { again = answer(port, "(PLAY m1 NIL)"); });
    latch->open();
    manager.join();
    repeated.join();
    EXPECT_EQ(first, "(mark 1 1)");
    EXPECT_EQ(again, "(mark 1 1)");
    EXPECT_EQ(answer(port, "(PLAY m1 ((mark 1 1) noop))"), "noop");
}

TEST(PlayerServer, IsFreeAtOnceAfterAnAbort) {
    const SharedLatch latch;
    Serving serving(quick_settings(latch.recipe()));
    const int port = serving.port();
    // Longer than anybody here waits for an answer: what waits for the end of the clock fails.
    ASSERT_EQ(answer(port, start_message("m1", "x", bundled_rules("tic_tac_toe"), "60 3000")), "READY");
    std::thread manager([&] { answer(port, "(PLAY m1 NIL)"); });
    latch->await(1);
    EXPECT_EQ(answer(port, "(ABORT m1)"), "ABORTED");
    EXPECT_EQ(answer(port, "(INFO)"), available);
    manager.join();  // although the latch is shut
    EXPECT_EQ(answer(port, start_message("m2", "x", bundled_rules("tic_tac_toe"))), "READY");
}

TEST(PlayerServer, GivesUpAMatchNobodySpeaksOf) {
    ServerSettings settings = quick_settings();
    settings.service.idle = Seconds(0.3);
    Serving serving(settings);
    const int port = serving.port();
    ASSERT_EQ(answer(port, start_message("m1", "x", bundled_rules("tic_tac_toe"))), "READY");
    EXPECT_TRUE(eventually([&] { return answer(port, "(INFO)") == available; }));
    EXPECT_TRUE(serving.lines.contain("given up")) << serving.lines.all();
    EXPECT_EQ(send_message(port, "(PLAY m1 NIL)").status, 404);
    EXPECT_EQ(answer(port, start_message("m2", "x", bundled_rules("tic_tac_toe"))), "READY");
}

TEST(PlayerServer, ClosesWhileEverythingIsUnderWay) {
    const SharedLatch latch;
    auto serving = std::make_unique<Serving>(quick_settings(latch.recipe()));
    const int port = serving->port();
    ASSERT_EQ(answer(port, start_message("m1", "x", bundled_rules("tic_tac_toe"), "60 3000")), "READY");
    RawClient silent(port);
    RawClient thinking(port);
    thinking.say(java_request("(PLAY m1 NIL)"));
    latch->await(1);
    const std::future<void> closed = std::async(std::launch::async, [&] { serving.reset(); });
    EXPECT_EQ(closed.wait_for(std::chrono::minutes(2)), std::future_status::ready)
        << "neither latch nor clock is waited for";
    latch->open();
    closed.wait();
    EXPECT_EQ(silent.hear(), "");
    EXPECT_FALSE(RawClient(port).connected());
}

TEST(PlayerServer, TellsWhenItCannotListen) {
    Serving serving;
    ServerSettings settings = quick_settings();
    settings.port = serving.port();
    PlayerServer second(settings);
    EXPECT_THROW(second.open(), std::runtime_error) << "two programs on one port";
    settings.port = 0;
    settings.address = "no.such.address.invalid";
    PlayerServer lost(settings);
    EXPECT_THROW(lost.open(), std::runtime_error);
}

TEST(Limits, LongBodiesAreRefusedBeforeTheyCome) {
    Serving serving;
    // Nothing of the body is sent: the refusal does not wait for it.
    const std::string head = "POST / HTTP/1.1\r\nContent-Length: 100000000\r\n\r\n";
    EXPECT_EQ(parsed(converse(serving.port(), head)).status, 413);
    EXPECT_EQ(
        parsed(converse(serving.port(), "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n")).status,
        400);
}

TEST(Limits, BodiesThatGrowTooLongAreCutOff) {
    ServerSettings settings = quick_settings();
    settings.limits.body_bytes = 100'000;
    Serving serving(settings);
    std::string chunks = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (int i = 0; i < 100; ++i) chunks += "1000\r\n" + std::string(4096, '(') + "\r\n";
    EXPECT_EQ(parsed(converse(serving.port(), chunks + "0\r\n\r\n")).status, 413);
    EXPECT_EQ(parsed(converse(serving.port(), "POST / HTTP/1.0\r\n\r\n" + std::string(300'000, '('))).status, 413);
    // The size of a chunk that never ends.
    const RawReply endless = parsed(
        converse(serving.port(), "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + std::string(300'000, '0')));
    EXPECT_EQ(endless.status, 400);
}

TEST(Limits, LongHeadsAreRefused) {
    Serving serving;
    std::string head = "POST / HTTP/1.1\r\n";
    for (int i = 0; i < 2000; ++i) head += "X-Field-" + std::to_string(i) + ": " + std::string(40, 'x') + "\r\n";
    EXPECT_EQ(parsed(converse(serving.port(), head + "\r\n")).status, 431);
    EXPECT_EQ(parsed(converse(serving.port(), std::string(100'000, 'x'))).status, 431);
    EXPECT_EQ(parsed(converse(serving.port(), "GET /" + std::string(20'000, 'x') + " HTTP/1.1\r\n\r\n")).status, 414);
    EXPECT_EQ(parsed(converse(serving.port(), "GET /" + std::string(15'000, '(') + " HTTP/1.1\r\n\r\n")).status, 400);
}

TEST(Limits, SlowRequestsRunOutOfTime) {
    ServerSettings settings = quick_settings();
    settings.limits.request_time = std::chrono::milliseconds(300);
    Serving serving(settings);
    RawClient silent(serving.port());
    RawClient half(serving.port());
    half.say("POST / HTTP/1.1\r\nContent-Length: 6\r\n\r\n(IN");
    RawClient slow(serving.port());
    for (const char c : std::string_view("POST / HTTP/1.1\r\nContent-Length: 6\r\nA: b")) {
        if (!slow.say({&c, 1})) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_EQ(parsed(slow.hear()).status, 408);
    EXPECT_EQ(parsed(half.hear()).status, 408);
    EXPECT_EQ(parsed(silent.hear()).status, 408);
}

TEST(Limits, SilenceIsNoEndOfWhatIsNotWhole) {
    ServerSettings settings = quick_settings();
    settings.limits.request_time = std::chrono::milliseconds(300);
    settings.limits.silence_time = std::chrono::milliseconds(1);
    Serving serving(settings);
    for (const char* request : {"GET /info HTTP/1.0", "GET /info HTTP/1.0\r\nAccept: te", "GET /inf\r\n", "\r\n",
                                "POST / HTTP/1.0\r\nContent-Length: 6\r\n"}) {
        EXPECT_EQ(parsed(converse(serving.port(), request)).status, 408) << request;
    }
}

TEST(Limits, LinesThatNeverEndAHeadRunOutOfTime) {
    ServerSettings settings = quick_settings();
    settings.limits.request_time = std::chrono::milliseconds(300);
    settings.limits.silence_time = std::chrono::minutes(10);  // no line comes as late as that
    Serving serving(settings);
    RawClient slow(serving.port());
    slow.say("GET /info HTTP/1.0\r\n");
    EXPECT_TRUE(eventually([&] { return !slow.say("A: b\r\n") || slow.has_reply(); }));
    EXPECT_EQ(parsed(slow.hear()).status, 408);
}

TEST(Limits, ACrowdOfIdleConnectionsKeepsNobodyOut) {
    ServerSettings settings = quick_settings();
    settings.limits.connections = 20;
    Serving serving(settings);
    const int port = serving.port();
    std::vector<RawClient> crowd;
    for (int i = 0; i < 100; ++i) {
        crowd.emplace_back(port);
        if (i % 2 == 0) crowd.back().say("POST / HTTP/1.1\r\nContent-Le");
    }
    EXPECT_EQ(answer(port, start_message("m1", "x", bundled_rules("tic_tac_toe"))), "READY");
    for (int i = 0; i < 100; ++i) crowd.emplace_back(port);
    EXPECT_EQ(answer(port, "(PLAY m1 NIL)"), "(mark 1 1)");
    EXPECT_LE(serving.server().connections(), 20U);
}

TEST(Limits, AMoveThatIsThoughtAboutIsNotSentAway) {
    ServerSettings settings = quick_settings();
    const SharedLatch latch;
    settings.service.recipe = latch.recipe();
    settings.limits.connections = 10;
    Serving serving(settings);
    const int port = serving.port();
    ASSERT_EQ(answer(port, start_message("m1", "x", bundled_rules("tic_tac_toe"))), "READY");
    std::string move;
    std::thread manager([&] { move = answer(port, "(PLAY m1 NIL)"); });
    latch->await(1);
    std::vector<RawClient> crowd;
    for (int i = 0; i < 50; ++i) crowd.emplace_back(port);
    EXPECT_EQ(answer(port, "(INFO)"), busy);
    latch->open();
    manager.join();
    EXPECT_EQ(move, "(mark 1 1)");
}

TEST(Limits, RefusalsDoNotFillTheLog) {
    Serving serving;
    for (int i = 0; i < 200; ++i) send_message(serving.port(), "(PLAY nobody NIL)");
    const std::string log = serving.lines.all();
    EXPECT_LT(std::ranges::count(log, '\n'), 60);
    EXPECT_THAT(log, HasSubstr("refused (404): PLAY nobody NIL"));
}

}  // namespace
}  // namespace stratagem::protocol
