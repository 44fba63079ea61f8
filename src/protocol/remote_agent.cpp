#include "protocol/remote_agent.h"

#include <fmt/format.h>
#include <httplib.h>

#include <charconv>
#include <condition_variable>
#include <stdexcept>
#include <thread>

#include "gdl/print.h"
#include "gdl/scramble.h"
#include "protocol/kif_text.h"
#include "protocol/player_server.h"

namespace stratagem::protocol {

using player::Reply;
using player::Seconds;

namespace {

using Clock = Deadline::Clock;

// A move, with room to spare.
constexpr std::size_t longest_reply = std::size_t{1} << 20;

std::pair<time_t, time_t> split(Seconds time) {
    const auto all = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
    return {static_cast<time_t>(all / 1'000'000), static_cast<time_t>(all % 1'000'000)};
}

std::string rules_text(const gdl::Description& description) {
    std::string text;
    for (const gdl::Rule& rule : description.rules) {
        if (!text.empty()) text += ' ';
        text += gdl::to_kif(description.terms, rule);
    }
    return text;
}

Reply aborted() {
    Reply reply;
    reply.problem = "aborted";
    return reply;
}

}  // namespace

std::optional<PlayerAddress> read_address(std::string_view url) {
    constexpr std::string_view scheme = "http://";
    if (lower_case(url.substr(0, scheme.size())) == scheme) url.remove_prefix(scheme.size());
    while (url.ends_with('/')) url.remove_suffix(1);
    PlayerAddress address;
    address.port = default_port;
    std::size_t colon = url.rfind(':');
    if (url.starts_with('[')) {  // [::1]:9147
        const std::size_t end = url.find(']');
        if (end == std::string_view::npos) return {};
        address.host = std::string(url.substr(1, end - 1));
        colon = end + 1 < url.size() ? end + 1 : std::string_view::npos;
        if (colon != std::string_view::npos && url[colon] != ':') return {};
    } else {
        address.host = std::string(url.substr(0, colon));
    }
    if (colon != std::string_view::npos) {
        const std::string_view port = url.substr(colon + 1);
        const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
        const bool whole = error == std::errc{} && end == port.data() + port.size();
        if (!whole || address.port < 1 || address.port > 65535) return {};
    }
    const bool plain = address.host.find_first_of("/?#@ \t\r\n()") == std::string::npos;
    if (address.host.empty() || !plain) return {};
    return address;
}

// One request, and somebody who ends it in time. The library's timeouts are for single reads; here one thread waits for
// the deadline, an abort, or the end of the request, and shuts the connection in the first two cases.
struct RemoteAgent::Call {
    Call(const PlayerAddress& address, Deadline until) : client(address.host, address.port), deadline(until) {
        guard = std::thread([this] {
            std::unique_lock lock(mutex);
            const auto ended = [this] { return over || aborted; };
            if (!changed.wait_until(lock, deadline.when(), ended)) late = true;
            // Again and again: a connection that is only being made cannot be shut yet.
            while (!over) {
                client.stop();
                changed.wait_for(lock, std::chrono::milliseconds(20), [this] { return over; });
            }
        });
    }
    ~Call() {
        {
            const std::scoped_lock lock(mutex);
            over = true;
        }
        changed.notify_all();
        guard.join();
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    void abort() {
        const std::scoped_lock lock(mutex);
        aborted = true;
        changed.notify_all();
    }
    bool is_late() {
        const std::scoped_lock lock(mutex);
        return late;
    }

    httplib::Client client;
    const Deadline deadline;
    std::mutex mutex;
    std::condition_variable changed;
    bool over = false;
    bool aborted = false;
    bool late = false;
    std::thread guard;
};

RemoteAgent::RemoteAgent(std::string url, RemoteSettings settings)
    : url_(std::move(url)), settings_(std::move(settings)) {
    const std::optional<PlayerAddress> address = read_address(url_);
    if (!address)
        throw std::invalid_argument(fmt::format("'{}' is no address of a player; write http://host:port", url_));
    address_ = *address;
}

RemoteAgent::~RemoteAgent() = default;

Reply RemoteAgent::send(const Message& message, Seconds patience) {
    Call call(address_, Deadline::after(patience));
    std::string receiver;
    {
        const std::scoped_lock lock(mutex_);
        if (aborted_.load()) return aborted();
        call_ = &call;
        receiver = sides_.role;
    }
    Reply reply = exchange(call, message, receiver, patience);
    const std::scoped_lock lock(mutex_);
    call_ = nullptr;
    return aborted_.load() ? aborted() : reply;
}

Reply RemoteAgent::exchange(Call& call, const Message& message, const std::string& receiver, Seconds patience) {
    Reply reply;
    const auto [connect_s, connect_us] = split(std::min(patience, settings_.connect));
    const auto [wait_s, wait_us] = split(patience);
    call.client.set_connection_timeout(connect_s, connect_us);
    call.client.set_read_timeout(wait_s, wait_us);
    call.client.set_write_timeout(wait_s, wait_us);
    call.client.set_tcp_nodelay(true);
    httplib::Request request;
    request.method = "POST";
    request.path = "/";
    request.headers = {{"Accept", "text/delim"},
                       {"Sender", settings_.sender},
                       {"Receiver", receiver.empty() ? "PLAYER" : receiver},
                       {"Content-Type", "text/acl"}};
    request.body = to_text(message);
    std::string text;
    request.content_receiver = [&](const char* data, std::size_t size, std::uint64_t, std::uint64_t) {
        if (text.size() + size > longest_reply) return false;
        text.append(data, size);
        return true;
    };
    const httplib::Result result = call.client.send(request);
    if (call.is_late()) {
        reply.kind = Reply::Kind::late;
        reply.problem = fmt::format("no reply within {:.1f} s", patience.count());
    } else if (!result) {
        const bool timed_out = call.deadline.remaining() < std::chrono::milliseconds(5);
        reply.kind = timed_out ? Reply::Kind::late : Reply::Kind::unreachable;
        reply.problem = fmt::format("{}: {}", url_, httplib::to_string(result.error()));
    } else if (result->status != 200) {
        reply.problem = fmt::format("status {}: {}", result->status, one_line(text));
    } else {
        reply.kind = Reply::Kind::move;
        reply.move = std::move(text);
    }
    return reply;
}

Reply RemoteAgent::start(const player::MatchStart& match) {
    StartMessage message;
    message.match = lower_case(match.match_id);
    clocks_ = match.clocks;
    message.start_clock = clocks_.start.count();
    message.play_clock = clocks_.play.count();
    const gdl::Description& description = *match.description;
    const std::string role = gdl::to_kif(description.terms, description.roles()[ground::index(match.role)]);
    {
        const std::scoped_lock lock(mutex_);
        sides_ = {message.match, role};
    }
    if (settings_.scramble) {
        gdl::Scrambled scrambled = gdl::scramble(description, *settings_.scramble);
        outward_ = Translation(std::move(scrambled.names));
        inward_ = outward_.inverse();
        message.rules = std::move(scrambled.text);
    } else {
        message.rules = rules_text(description);
    }
    message.role = outward_(role);
    Reply reply = send(message, clocks_.start + settings_.grace);
    if (reply.kind == Reply::Kind::move && lower_case(reply.move).starts_with("busy")) {
        reply.kind = Reply::Kind::unreachable;
        reply.problem = "busy with another match";
    }
    reply.move.clear();
    return reply;
}

std::vector<std::string> RemoteAgent::translated(std::span<const std::string> moves) const {
    std::vector<std::string> result;
    result.reserve(moves.size());
    for (const std::string& move : moves) result.push_back(outward_(move));
    return result;
}

Reply RemoteAgent::play(std::span<const std::string> last) {
    Reply reply = send(PlayMessage{sides_.match, {translated(last), {}}}, clocks_.play + settings_.grace);
    if (reply.kind == Reply::Kind::move) reply.move = inward_(reply.move);
    return reply;
}

void RemoteAgent::stop(std::span<const std::string> last) {
    send(StopMessage{sides_.match, {translated(last), {}}}, settings_.connect);
}

void RemoteAgent::abort() {
    Sides sides;
    {
        const std::scoped_lock lock(mutex_);
        if (aborted_.exchange(true)) return;
        if (call_ != nullptr) call_->abort();
        sides = sides_;
    }
    if (sides.match.empty()) return;
    // Only a courtesy: nobody waits for it long.
    constexpr Seconds patience{1};
    Call call(address_, Deadline::after(patience));
    exchange(call, AbortMessage{sides.match}, sides.role, patience);
}

std::optional<PlayerInfo> RemoteAgent::info(Seconds patience) {
    const Reply reply = send(InfoMessage{}, patience);
    if (reply.kind != Reply::Kind::move) return {};
    return read_info_reply(reply.move);
}

}  // namespace stratagem::protocol
