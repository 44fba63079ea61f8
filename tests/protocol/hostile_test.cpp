// Thousands of requests nobody should send, from several sides, while a match is played: the match must go as if
// nothing had happened, and the server may neither fall over nor grow.
//
// bench/protocol/hostile runs this with 100,000 of them (STRATAGEM_HOSTILE says how many). Loopback only.
#include <gmock/gmock.h>

#include <atomic>
#include <deque>
#include <fstream>
#include <thread>

#include "machine/random.h"
#include "protocol/referee.h"
#include "protocol/remote_agent.h"
#include "protocol/serving.h"
#include "test_size.h"

namespace stratagem::protocol {
namespace {

using machine::Random;
using testing::bundled_rules;
using testing::java_request;
using testing::parsed;
using testing::play;
using testing::Played;
using testing::quick_settings;
using testing::RawClient;
using testing::Serving;
using testing::start_message;

constexpr bool memory_is_ours = !sanitized;  // sanitizers keep what was freed

std::size_t wanted_requests() {
    const char* number = std::getenv("STRATAGEM_HOSTILE");
    if (number != nullptr) return std::stoul(number);
    return full_tests() ? 20'000 : 3'000;
}

// VmRSS, VmHWM, in megabytes.
double memory(const std::string& field) {
    std::ifstream status("/proc/self/status");
    std::string name;
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(field + ":")) return std::stod(line.substr(field.size() + 1)) / 1024.0;
    }
    return 0;
}

// One of those who mean harm.
class Attacker {
  public:
    Attacker(int port, std::string match, std::uint64_t seed)
        : port_(port), match_(std::move(match)), rules_(bundled_rules("connect_four")), random_(seed, 1) {}

    // Returns the status of the reply, 0 where there was none.
    int attack() {
        switch (random_.below(20)) {
            case 0:
                return ask(noise(1 + random_.below(2000)) + "\r\n\r\n");
            case 1:
                return ask(java_request(noise(random_.below(2000))));
            case 2:
                return ask(java_request("(PLAY nobody (noop noop))"));
            case 3:
                return ask(java_request("(PLAY " + match_ + " " + impossible() + ")"));
            case 4:
                return ask(java_request(start_message("other", "red", rules_)));
            case 5:
                return ask(java_request("(STOP " + match_ + " " + impossible() + ")"));
            case 6:  // less than was announced, and gone
                RawClient(port_).say("POST / HTTP/1.1\r\nContent-Length: 500\r\n\r\n(PLAY ");
                return 0;
            case 7:
                linger("");
                return 0;
            case 8:
                linger("POST / HTTP/1.1\r\nContent-Le");
                drip();
                return 0;
            case 9:
                return ask("POST / HTTP/1.1\r\nContent-Length: 100000000\r\n\r\n" + noise(10'000));
            case 10:
                return ask("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + noise(5'000));
            case 11:
                return ask("POST / HTTP/1.1\r\nX: " + std::string(50'000, 'x') + "\r\n\r\n");
            case 12:
                return ask(java_request("(PLAY " + match_ + " " + std::string(100'000, '(')));
            case 13:
                return ask("GET /" + std::string(random_.below(20'000), '(') + " HTTP/1.1\r\n\r\n");
            case 14:
                return ask(java_request("(PLAY other NIL)"));
            case 15:
                return ask("POST / HTTP/1.1\r\nContent-Length: -7\r\nRange: bytes=0-0,0-0,0-0\r\n\r\n");
            case 16:  // another match under the same name
                return ask(java_request(start_message(match_, "red", "(role red) (role yellow)")));
            case 17:
                return ask("POST / HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 200\r\n\r\n" + noise(200));
            case 18:
                return ask(java_request("(START " + match_ + " red"));
            default:
                return random_.below(50) == 0 ? flood() : ask(java_request("(ABORT nobody)"));
        }
    }

  private:
    std::string noise(std::size_t size) {
        std::string text(size, ' ');
        for (char& c : text) c = static_cast<char>(random_.below(256));
        return text;
    }
    // Moves of connect four, and of no game, that fit nowhere in it.
    std::string impossible() {
        static constexpr std::array<const char*, 6> moves{
            "(noop noop)", "((drop 1) (drop 2))", "((drop 99) noop)", "((drop 1) noop noop)",
            "(fly)",       "((drop) (drop))"};
        return moves[random_.below(moves.size())];
    }
    int ask(const std::string& request) {
        RawClient client(port_);
        client.say(request);
        client.half_close();
        return parsed(client.hear()).status;
    }
    // Connections that are only there.
    void linger(std::string_view text) {
        if (idle_.size() >= 60) idle_.pop_front();
        idle_.emplace_back(port_);
        idle_.back().say(text);
    }
    void drip() {
        for (RawClient& one : idle_) one.say("x");
    }
    // A hundred megabytes, really sent.
    int flood() {
        RawClient client(port_);
        client.say("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
        const std::string chunk = "10000\r\n" + std::string(65'536, '(') + "\r\n";
        for (int i = 0; i < 1600 && client.say(chunk); ++i) {
        }
        client.half_close();
        return parsed(client.hear()).status;
    }

    int port_;
    std::string match_;
    std::string rules_;
    Random random_;
    std::deque<RawClient> idle_;
};

TEST(Hostile, RequestsDoNotDisturbAMatch) {
    const std::size_t wanted = wanted_requests();
    const auto game = player::testing::shared(machine::testing::bundled("connect_four"));
    Serving red;  // under attack
    Serving yellow;
    const auto one_match = [&](const std::function<void()>& between) {
        RemoteAgent first(red.url());
        RemoteAgent second(yellow.url());
        const std::array<player::Agent*, 2> seats{&first, &second};
        return play(game, seats, "target", {player::Seconds(600), player::Seconds(600)}, between);
    };
    const Played undisturbed = one_match({});
    ASSERT_TRUE(undisturbed.complete) << undisturbed.problem;

    const double before = memory("VmRSS");
    std::atomic<std::size_t> sent{0};
    std::array<std::atomic<std::size_t>, 600> statuses{};
    std::vector<std::thread> attackers;
    const auto begin_attack = [&] {
        constexpr std::size_t sides = 4;
        for (std::size_t side = 0; side < sides; ++side) {
            attackers.emplace_back([&, side] {
                Attacker attacker(red.port(), "target", side);
                while (sent.fetch_add(1) < wanted) {
                    const int status = attacker.attack();
                    ++statuses[static_cast<std::size_t>(std::clamp(status, 0, 599))];
                }
            });
        }
    };
    // The attack begins after the start of the match and ends before its last turn.
    std::size_t turn = 0;
    const std::size_t turns = undisturbed.moves.size();
    const Played played = one_match([&] {
        if (turn == 0) begin_attack();
        ++turn;
        EXPECT_TRUE(testing::eventually([&] { return sent.load() >= wanted * turn / turns; }));
        if (turn != turns) return;
        for (std::thread& one : attackers) one.join();
        attackers.clear();
    });
    for (std::thread& one : attackers) one.join();
    EXPECT_TRUE(played.complete) << played.problem << "\n" << red.lines.all().substr(0, 5000);
    EXPECT_EQ(played.moves, undisturbed.moves);
    EXPECT_EQ(played.goals, undisturbed.goals);
    const double grown = memory("VmHWM") - before;
    const double after = memory("VmRSS") - before;

    EXPECT_EQ(statuses[500], 0U) << "something threw";
    EXPECT_GT(statuses[400], 0U);
    EXPECT_GT(statuses[404], 0U);
    EXPECT_GT(statuses[413], 0U);
    EXPECT_GT(statuses[431], 0U);
    if (memory_is_ours) {
        EXPECT_LT(grown, 200) << "megabytes";
    }
    EXPECT_EQ(testing::answer(red.port(), "(INFO)"), "((name stratagem) (status available))");
    RecordProperty("requests", static_cast<int>(wanted));
    std::string counts;
    for (std::size_t status = 0; status < statuses.size(); ++status) {
        if (statuses[status] > 0) counts += " " + std::to_string(status) + ":" + std::to_string(statuses[status]);
    }
    std::printf("%zu requests in %zu turns, %.0f MB more memory at most, %.0f at the end; replies%s\n", wanted, turns,
                grown, after, counts.c_str());
}

}  // namespace
}  // namespace stratagem::protocol
