// Both sides of the protocol against each other, and the manager's side against players with bad manners.
#include "protocol/remote_agent.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <thread>

#include "protocol/raw_listener.h"
#include "protocol/referee.h"
#include "protocol/serving.h"

namespace stratagem::protocol {
namespace {

using machine::testing::bundled;
using player::Reply;
using player::testing::shared;
using ::testing::HasSubstr;
using testing::Listener;
using testing::play;
using testing::Played;
using testing::quick_settings;
using testing::Serving;
using Kind = player::Reply::Kind;

const std::vector<std::string> nothing;

TEST(Address, IsReadWithAndWithoutItsParts) {
    const auto text = [](std::string_view url) {
        const std::optional<PlayerAddress> address = read_address(url);
        return address ? address->host + " " + std::to_string(address->port) : "none";
    };
    EXPECT_EQ(text("http://localhost:4000"), "localhost 4000");
    EXPECT_EQ(text("HTTP://localhost:4000/"), "localhost 4000");
    EXPECT_EQ(text("http://rook.example"), "rook.example 9147");
    EXPECT_EQ(text("10.0.0.1:80"), "10.0.0.1 80");
    EXPECT_EQ(text("http://[::1]:4000"), "::1 4000");
    for (const char* wrong : {"", "http://", "http://a:b", "http://a:0", "http://a:70000", "http://a/b", "ftp://a",
                              "(a)", "http://[::1", "http://[::1]x", "http://u@a"}) {
        EXPECT_EQ(text(wrong), "none") << wrong;
    }
    EXPECT_THROW(RemoteAgent("http://a:b"), std::invalid_argument);
}

// A match of each game, every role played by a server of its own.
void play_over_the_wire(const std::string& name, std::optional<std::uint64_t> scramble) {
    SCOPED_TRACE(name + (scramble ? " scrambled" : ""));
    const auto game = shared(bundled(name));
    std::vector<std::unique_ptr<Serving>> servers;
    std::vector<std::unique_ptr<RemoteAgent>> agents;
    std::vector<player::Agent*> seats;
    for (std::size_t r = 0; r < game->roles().size(); ++r) {
        ServerSettings settings = quick_settings(player::Recipe("random"));
        settings.service.player.search.seed = r;
        servers.push_back(std::make_unique<Serving>(settings));
        RemoteSettings remote;
        // Each player sees the game under names of its own.
        if (scramble) remote.scramble = *scramble + r;
        agents.push_back(std::make_unique<RemoteAgent>(servers.back()->url(), remote));
        seats.push_back(agents.back().get());
    }
    const Played played = play(game, seats, "Match." + name);
    EXPECT_EQ(played.problem, "");
    EXPECT_TRUE(played.complete);
    for (const auto& one : servers) {
        EXPECT_EQ(one->server().matches(), 0U) << "STOP has freed it";
        EXPECT_FALSE(one->lines.contain("refused")) << one->lines.all();
        EXPECT_FALSE(one->lines.contain("was not taken")) << one->lines.all();
        EXPECT_FALSE(one->lines.contain("not legal")) << one->lines.all();
    }
    // Names that nobody should have heard.
    if (scramble) {
        EXPECT_FALSE(servers[0]->lines.contain("noop")) << servers[0]->lines.all();
    }
}

TEST(Interoperability, TwentyMatchesOfTenGames) {
    std::uint64_t seed = 1;
    for (const char* game :
         {"tic_tac_toe", "connect_four", "bidding_tic_tac_toe", "three_player_tic_tac_toe", "breakthrough_6x6", "nim",
          "lights_out", "rock_paper_scissors", "eight_puzzle", "othello"}) {
        play_over_the_wire(game, {});
        play_over_the_wire(game, seed);
        seed += 10;
    }
}

TEST(RemoteAgent, AsksWhoIsThere) {
    Serving serving;
    RemoteAgent agent(serving.url());
    const std::optional<PlayerInfo> info = agent.info();
    ASSERT_TRUE(info);
    EXPECT_EQ(info->name, "stratagem");
    EXPECT_EQ(info->status, "available");
    EXPECT_EQ(agent.name(), serving.url());
    EXPECT_TRUE(agent.elsewhere());
}

TEST(RemoteAgent, TellsThatNobodyIsThere) {
    int port = 0;
    {
        const Serving gone;
        port = gone.port();
    }
    RemoteAgent agent("http://127.0.0.1:" + std::to_string(port));
    EXPECT_FALSE(agent.info());
    const Reply reply = agent.start({"m1", shared(bundled("tic_tac_toe")), machine::Role{0}, {}});
    EXPECT_EQ(reply.kind, Kind::unreachable);
    EXPECT_FALSE(reply.problem.empty());
    EXPECT_THAT(reply.problem, HasSubstr("not asked again"));
    // Who comes later knows nothing of the match, and is not asked.
    Listener later([](int) { ADD_FAILURE() << "asked"; }, port);
    EXPECT_EQ(agent.play(nothing).kind, Kind::unreachable);
    agent.stop(nothing);
}

TEST(RemoteAgent, TakesABusyPlayerForUnreachable) {
    Serving serving;
    const auto game = shared(bundled("tic_tac_toe"));
    RemoteAgent first(serving.url());
    RemoteAgent second(serving.url());
    EXPECT_EQ(first.start({"m1", game, machine::Role{0}, {}}).kind, Kind::move);
    const Reply reply = second.start({"m2", game, machine::Role{0}, {}});
    EXPECT_EQ(reply.kind, Kind::unreachable);
    EXPECT_THAT(reply.problem, HasSubstr("busy"));
    // It was never started there.
    const Reply lost = second.play(nothing);
    EXPECT_EQ(lost.kind, Kind::unreachable);
    EXPECT_THAT(lost.problem, HasSubstr("404"));
    EXPECT_EQ(first.play(nothing).kind, Kind::move);
}

// Says so many bytes of this again and again, until the other side has enough.
void chatter(int socket, std::string_view text, std::chrono::milliseconds pause) {
    while (::send(socket, text.data(), text.size(), MSG_NOSIGNAL) > 0) std::this_thread::sleep_for(pause);
}

RemoteSettings impatient() {
    RemoteSettings settings;
    settings.grace = player::Seconds(0.1);
    return settings;
}
const player::Clocks hasty{player::Seconds(0.2), player::Seconds(0.2)};

TEST(RemoteAgent, TakesWhoeverNeverFinishesForLate) {
    const auto game = shared(bundled("tic_tac_toe"));
    const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n";
    Listener silent([](int socket) {
        std::array<char, 4096> buffer{};
        while (::recv(socket, buffer.data(), buffer.size(), 0) > 0) {
        }
    });
    Listener dripping([&](int socket) {
        ::send(socket, head.data(), head.size(), MSG_NOSIGNAL);
        chatter(socket, "x", std::chrono::milliseconds(10));
    });
    Listener dripping_head([](int socket) { chatter(socket, "H", std::chrono::milliseconds(10)); });
    for (const Listener* one : {&silent, &dripping, &dripping_head}) {
        RemoteAgent agent(one->url(), impatient());
        const Reply start = agent.start({"m1", game, machine::Role{0}, hasty});
        EXPECT_EQ(start.kind, Kind::late) << start.problem;
        const Reply reply = agent.play(nothing);
        EXPECT_EQ(reply.kind, Kind::late) << reply.problem;
    }
}

TEST(RemoteAgent, SaysWhatTheProtocolWants) {
    std::mutex mutex;
    std::vector<std::string> heard;
    Listener listener([&](int socket) {
        const std::string text = testing::hear_request(socket);
        const std::scoped_lock lock(mutex);
        heard.push_back(text);
        const std::string_view reply = "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nREADY";
        ::send(socket, reply.data(), reply.size(), MSG_NOSIGNAL);
    });
    const auto game = shared(machine::testing::described(
        "(role A) ; comment\n(role b) (<= (legal ?r (Go 1)) (role ?r)) (init x) (<= terminal (true y)) (next y) "
        "(goal a 1) (goal b 1)"));
    RemoteAgent agent(listener.url());
    ASSERT_EQ(agent.start({"Match.1", game, machine::Role{1}, {player::Seconds(30), player::Seconds(0.5)}}).kind,
              Kind::move);
    agent.play(nothing);
    agent.play(std::vector<std::string>{"(go 1)", "(go 1)"});
    agent.stop(std::vector<std::string>{"(go 1)", "(go 1)"});
    agent.abort();
    const std::scoped_lock lock(mutex);
    ASSERT_EQ(heard.size(), 5U);
    for (const std::string& one : heard) {
        EXPECT_THAT(one, ::testing::StartsWith("POST / HTTP/1.0\r\n"));
        for (const char* field : {"Content-Type: text/acl\r\n", "Accept: text/delim\r\n", "Sender: STRATAGEM\r\n",
                                  "Receiver: b\r\n", "Content-Length: "}) {
            EXPECT_THAT(one, HasSubstr(field));
        }
    }
    EXPECT_THAT(heard[0],
                ::testing::EndsWith("\r\n\r\n(START match.1 b ((role a) (role b) (<= (legal ?r (go 1)) (role ?r)) "
                                    "(init x) (<= terminal (true y)) (next y) (goal a 1) (goal b 1)) 30 0.5)"));
    EXPECT_THAT(heard[1], ::testing::EndsWith("\r\n\r\n(PLAY match.1 NIL)"));
    EXPECT_THAT(heard[2], ::testing::EndsWith("\r\n\r\n(PLAY match.1 ((go 1) (go 1)))"));
    EXPECT_THAT(heard[3], ::testing::EndsWith("\r\n\r\n(STOP match.1 ((go 1) (go 1)))"));
    EXPECT_THAT(heard[4], ::testing::EndsWith("\r\n\r\n(ABORT match.1)"));
}

TEST(RemoteAgent, ReturnsWhenItIsAborted) {
    const testing::SharedLatch latch;
    Serving serving(quick_settings(latch.recipe()));
    RemoteAgent agent(serving.url());
    const player::Clocks long_clocks{player::Seconds(60), player::Seconds(600)};
    ASSERT_EQ(agent.start({"m1", shared(bundled("tic_tac_toe")), machine::Role{0}, long_clocks}).kind, Kind::move);
    Reply reply;
    std::thread referee([&] { reply = agent.play(nothing); });
    latch->await(1);
    agent.abort();
    referee.join();
    EXPECT_EQ(reply.kind, Kind::unreachable);
    EXPECT_EQ(reply.problem, "aborted");
    EXPECT_TRUE(testing::eventually([&] { return serving.server().matches() == 0; })) << "the player was told";
    EXPECT_EQ(agent.play(nothing).problem, "aborted");
}

}  // namespace
}  // namespace stratagem::protocol
