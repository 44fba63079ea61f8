#include "protocol/remote_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "gdl/read.h"
#include "gdl/scramble.h"
#include "protocol/kif_text.h"
#include "protocol/player_reply.h"

namespace stratagem::protocol {

using player::Reply;
using player::Seconds;

namespace {

bool is_success(int status) { return status >= 200 && status < 300; }

// Of an answer that is none: what to say of it. Kind::move for one that can be read.
Reply judged(const CallResult& result) {
    Reply reply;
    switch (result.kind) {
        case CallResult::Kind::late:
            reply.kind = Reply::Kind::late;
            reply.problem = result.problem;
            break;
        case CallResult::Kind::failed:
        case CallResult::Kind::aborted:
            reply.problem = result.problem;
            break;
        case CallResult::Kind::answered:
            if (is_success(result.status) || result.status == 0) {
                reply.kind = Reply::Kind::move;
            } else {
                reply.problem = fmt::format("refused (status {}): {}", result.status, one_line(result.text));
            }
            break;
    }
    return reply;
}

}  // namespace

RemoteAgent::RemoteAgent(std::string url, RemoteSettings settings)
    : url_(std::move(url)), settings_(std::move(settings)) {
    const std::optional<PlayerAddress> address = read_address(url_);
    if (!address)
        throw std::invalid_argument(fmt::format("'{}' is no address of a player; write http://host:port", url_));
    address_ = *address;
}

RemoteAgent::~RemoteAgent() = default;

// A call that abort() can reach, for as long as it lasts.
class RemoteAgent::Reachable {
  public:
    explicit Reachable(RemoteAgent& agent, HttpCall& call) : agent_(agent) {
        const std::scoped_lock lock(agent_.mutex_);
        agent_.call_ = &call;
        if (agent_.aborted_.load()) call.abort();
    }
    ~Reachable() {
        const std::scoped_lock lock(agent_.mutex_);
        agent_.call_ = nullptr;
    }
    Reachable(const Reachable&) = delete;
    Reachable& operator=(const Reachable&) = delete;

  private:
    RemoteAgent& agent_;
};

CallResult RemoteAgent::send(const Message& message, Seconds patience) {
    HttpCall call;
    const Reachable reachable(*this, call);
    CallResult result = exchange(call, message, sides_.role, patience);
    if (!aborted_.load()) return result;
    return {CallResult::Kind::aborted, 0, {}, "aborted", false};
}

CallResult RemoteAgent::exchange(HttpCall& call, const Message& message, const std::string& receiver,
                                 Seconds patience) {
    // "Expect:" with nothing keeps the library from waiting for leave to send long rules, which nobody gives.
    const std::vector<std::string> fields{"Accept: text/delim",
                                          fmt::format("Sender: {}", settings_.sender),
                                          fmt::format("Receiver: {}", receiver.empty() ? "PLAYER" : receiver),
                                          "Content-Type: text/acl",
                                          "Connection: close",
                                          "Expect:"};
    return call.post(address_, fields, to_text(message), patience, settings_.connect);
}

Reply RemoteAgent::start(const player::MatchStart& match) {
    StartMessage message;
    message.match = lower_case(match.match_id);
    clocks_ = match.clocks;
    message.start_clock = clocks_.start.count();
    message.play_clock = clocks_.play.count();
    std::optional<std::string> rules = match.game->rules();
    if (!rules) {
        Reply reply;
        reply.problem = "a game without rules in words cannot be sent";
        return reply;
    }
    const std::string role = match.game->roles()[ground::index(match.role)];
    {
        const std::scoped_lock lock(mutex_);
        sides_ = {message.match, role};
    }
    if (settings_.scramble) {
        gdl::Scrambled scrambled =
            gdl::scramble(gdl::read(match.game->name(), *rules).description, *settings_.scramble);
        outward_ = Translation(std::move(scrambled.names));
        inward_ = outward_.inverse();
        message.rules = std::move(scrambled.text);
    } else {
        while (rules->ends_with('\n')) rules->pop_back();
        std::ranges::replace(*rules, '\n', ' ');
        message.rules = std::move(*rules);
    }
    message.role = outward_(role);
    const CallResult result = send(message, clocks_.start + settings_.grace);
    Reply reply = judged(result);
    unheard_.reset();
    if (result.unheard) unheard_ = reply.problem += " (not asked again in this match)";
    if (reply.kind != Reply::Kind::move) return reply;
    const StartReply said = read_start_reply(result.text);
    reply.problem = said.odd;
    if (said.busy) {
        reply.kind = Reply::Kind::unreachable;
        reply.problem = "busy with another match";
    } else if (result.status == 0 && !said.ready) {
        // Players say other things than READY, but with a head. This is something else that listens there.
        reply.kind = Reply::Kind::unreachable;
        reply.problem = fmt::format("no player: it {} and without HTTP", said.odd);
    }
    return reply;
}

std::vector<std::string> RemoteAgent::translated(std::span<const std::string> moves) const {
    std::vector<std::string> result;
    result.reserve(moves.size());
    for (const std::string& move : moves) result.push_back(outward_(move));
    return result;
}

Reply RemoteAgent::play(std::span<const std::string> last) {
    if (unheard_) {
        Reply reply;
        reply.problem = *unheard_;
        return reply;
    }
    const CallResult result = send(PlayMessage{sides_.match, {translated(last), {}}}, clocks_.play + settings_.grace);
    Reply reply = judged(result);
    if (reply.kind != Reply::Kind::move) return reply;
    MoveReply said = read_move(result.text);
    reply.problem = std::move(said.fault);
    if (!said.move.empty()) reply.move = inward_(said.move);
    // Should these be no moves of the game, then this is what they mean.
    if (reply.move == "busy") reply.problem = "busy: it does not know of this match";
    if (reply.move == "nil") reply.problem = "nil: it found no move";
    return reply;
}

void RemoteAgent::stop(std::span<const std::string> last) {
    if (!unheard_) send(StopMessage{sides_.match, {translated(last), {}}}, settings_.connect);
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
    HttpCall call;
    exchange(call, AbortMessage{sides.match}, sides.role, patience);
}

std::optional<PlayerInfo> RemoteAgent::info(Seconds patience) {
    const CallResult result = send(InfoMessage{}, patience);
    if (judged(result).kind != Reply::Kind::move) return {};
    return read_info_reply(trimmed(result.text));
}

}  // namespace stratagem::protocol
