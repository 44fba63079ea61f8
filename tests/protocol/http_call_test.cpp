// The manager's side of one exchange where the other side is missing, silent or endless.
#include "protocol/http_call.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <netdb.h>

#include <future>

#include "player/fake_search.h"
#include "protocol/raw_listener.h"

namespace stratagem::protocol {
namespace {

using player::Seconds;
using ::testing::HasSubstr;
using testing::Listener;
using Kind = CallResult::Kind;

// Names that end in .slow are looked up behind this latch; each run of a test has its own, as lookups may outlive it.
std::shared_ptr<player::testing::Latch>& lookups() {
    static std::shared_ptr<player::testing::Latch> latch;
    return latch;
}

}  // namespace
}  // namespace stratagem::protocol

// The system's own, but for two kinds of names: no network is needed to find out that a name does not exist, or to wait
// for servers that never answer.
extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** result) {
    const std::string_view text = name != nullptr ? name : "";
    if (text.ends_with(".invalid")) return EAI_NONAME;
    if (text.ends_with(".slow")) {
        const auto latch = stratagem::protocol::lookups();
        latch->pass();
        return EAI_AGAIN;
    }
    using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
    static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
    return real(name, service, hints, result);
}

namespace stratagem::protocol {
namespace {

CallResult post(const PlayerAddress& address, Seconds patience = Seconds(60), Seconds connect = Seconds(60)) {
    HttpCall call;
    return call.post(address, {}, "(INFO)", patience, connect);
}

PlayerAddress address_of(const Listener& listener) { return *read_address(listener.url()); }

TEST(HttpCall, TellsThatNobodyListens) {
    PlayerAddress address;
    {
        const Listener gone([](int) {});
        address = address_of(gone);
    }
    const CallResult result = post(address);
    EXPECT_EQ(result.kind, Kind::failed);
    EXPECT_EQ(result.problem, "connection refused: nobody listens at " + address.text());
}

TEST(HttpCall, TellsThatANameIsUnknown) {
    const CallResult result = post({"no.such.name.invalid", 9147});
    EXPECT_EQ(result.kind, Kind::failed);
    EXPECT_EQ(result.problem, "the name no.such.name.invalid cannot be resolved");
}

TEST(HttpCall, LooksNamesUpNoLongerThanThereIsTime) {
    lookups() = std::make_shared<player::testing::Latch>();
    const CallResult result = post({"name.slow", 9147}, Seconds(0.1));
    EXPECT_EQ(result.kind, Kind::failed);
    EXPECT_EQ(result.problem, "the name name.slow could not be looked up within 0.1 s");
    const CallResult sooner = post({"name.slow", 9147}, Seconds(60), Seconds(0.2));
    EXPECT_EQ(sooner.problem, "the name name.slow could not be looked up within 0.2 s");
    // From another thread, while it is looked up.
    HttpCall call;
    std::future<CallResult> aborted = std::async(std::launch::async, [&] {
        return call.post({"other.slow", 9147}, {}, "(INFO)", Seconds(600), Seconds(600));
    });
    lookups()->await(3);
    call.abort();
    EXPECT_EQ(aborted.get().kind, Kind::aborted);
    lookups()->open();
}

// A port whose queue is full: the system answers nobody until there is room.
TEST(HttpCall, ConnectsNoLongerThanThereIsTime) {
    const int crowded = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(::bind(crowded, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(::listen(crowded, 0), 0);
    socklen_t length = sizeof address;
    ::getsockname(crowded, reinterpret_cast<sockaddr*>(&address), &length);
    std::vector<int> crowd;
    for (int i = 0; i < 8; ++i) {
        crowd.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        ::connect(crowd.back(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
    const CallResult result = post({"127.0.0.1", ntohs(address.sin_port)}, Seconds(60), Seconds(0.2));
    EXPECT_EQ(result.kind, Kind::failed);
    EXPECT_THAT(result.problem, HasSubstr("no connection to 127.0.0.1:"));
    EXPECT_THAT(result.problem, HasSubstr(" within 0.2 s"));
    for (const int one : crowd) ::close(one);
    ::close(crowded);
}

TEST(HttpCall, SaysHowMuchCameInTime) {
    const Listener silent([](int socket) { testing::await_hanging_up(socket); });
    const CallResult nothing = post(address_of(silent), Seconds(0.1));
    EXPECT_EQ(nothing.kind, Kind::late);
    EXPECT_EQ(nothing.problem, "no answer within 0.1 s");
    const Listener slow([](int socket) {
        testing::hear_request(socket);
        testing::say_piece(socket, "HTTP/1.0 200 OK\nContent-length: 20\n\n( mark ");
        testing::await_hanging_up(socket);
    });
    // However long a busy computer takes for those.
    std::string problem;
    for (Seconds patience(1); problem.find("7 bytes of 20") == std::string::npos && patience < Seconds(60);
         patience *= 2) {
        const CallResult some = post(address_of(slow), patience);
        EXPECT_EQ(some.kind, Kind::late);
        problem = some.problem;
    }
    EXPECT_THAT(problem, ::testing::MatchesRegex("no complete answer within .* s: 7 bytes of 20"));
}

std::string repeated(std::string_view text) {
    std::string result;
    for (int i = 0; i < 1000; ++i) result += text;
    return result;
}

// Says this again and again, until the other side has enough, and counts what it could say.
class Endless {
  public:
    Endless(std::string begin, std::string again)
        : listener_([this, begin = std::move(begin), again = std::move(again)](int socket) {
              testing::hear_request(socket);
              testing::say_piece(socket, begin);
              while (testing::say_piece(socket, again)) said_ += again.size();
          }) {}
    std::string problem() {
        const CallResult result = post(address_of(listener_));
        EXPECT_EQ(result.kind, Kind::failed);
        return result.problem;
    }
    std::size_t said() const { return said_.load(); }

  private:
    std::atomic<std::size_t> said_{0};
    Listener listener_;
};

TEST(HttpCall, HasEnoughOfAnswersWithoutEnd) {
    // What may be said besides what is read: what fits between two sockets.
    constexpr std::size_t between = std::size_t{32} << 20;
    Endless lines("HTTP/1.0 200 OK\r\n", repeated("X-Nothing: x\r\n"));
    EXPECT_EQ(lines.problem(), "the head of its answer is longer than 64 KB");
    Endless line("HTTP/1.0 200 OK\r\nX-Nothing: ", std::string(8000, 'x'));
    EXPECT_EQ(line.problem(), "the head of its answer has a line without end");
    Endless heads("", repeated("HTTP/1.1 100 Continue\r\n\r\n"));
    EXPECT_EQ(heads.problem(), "the head of its answer is longer than 64 KB");
    Endless body("HTTP/1.0 200 OK\r\n\r\n", std::string(8000, 'x'));
    EXPECT_EQ(body.problem(), "its answer is longer than 1024 KB");
    Endless chunks("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", repeated("5\r\n(mark\r\n"));
    EXPECT_EQ(chunks.problem(), "its answer is longer than 1024 KB");
    Endless list("HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\n", repeated("((((("));
    EXPECT_EQ(list.problem(), "its answer is longer than 1024 KB");
    for (const Endless* one : {&lines, &line, &heads, &body, &chunks, &list}) EXPECT_LT(one->said(), between);
}

TEST(HttpCall, EndsWhenItIsAborted) {
    std::promise<void> asked;
    const Listener silent([&](int socket) {
        testing::hear_request(socket);
        asked.set_value();
        testing::await_hanging_up(socket);
    });
    HttpCall call;
    std::future<CallResult> result = std::async(
        std::launch::async, [&] { return call.post(address_of(silent), {}, "(INFO)", Seconds(600), Seconds(600)); });
    asked.get_future().wait();
    call.abort();
    EXPECT_EQ(result.get().kind, Kind::aborted);
    HttpCall before;
    before.abort();
    EXPECT_EQ(before.post(address_of(silent), {}, "(INFO)", Seconds(600), Seconds(600)).kind, Kind::aborted);
}

// Long rules are sent without asking for leave, and proxies of the environment are not asked to pass them on.
TEST(HttpCall, SendsLongMessagesAtOnceAndItself) {
    ::setenv("http_proxy", "http://127.0.0.1:1", 1);
    ::setenv("all_proxy", "http://127.0.0.1:1", 1);
    std::string heard;
    const Listener listener([&](int socket) {
        heard = testing::hear_request(socket);
        testing::say_piece(socket, "HTTP/1.0 200 OK\n\nREADY");
    });
    const std::string message = "(START " + std::string(3'000'000, 'x') + ")";
    HttpCall call;
    const CallResult result = call.post(address_of(listener), {"Expect:"}, message, Seconds(60), Seconds(60));
    ::unsetenv("http_proxy");
    ::unsetenv("all_proxy");
    EXPECT_EQ(result.kind, Kind::answered) << result.problem;
    EXPECT_EQ(result.text, "READY");
    EXPECT_TRUE(testing::body_of(heard) == message);
    EXPECT_EQ(heard.find("Expect"), std::string::npos);
}

}  // namespace
}  // namespace stratagem::protocol
