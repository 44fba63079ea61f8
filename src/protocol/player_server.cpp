#include "protocol/player_server.h"

#include <fmt/format.h>

#include "protocol/kif_text.h"
#include "protocol/message_text.h"
#include "protocol/messages.h"

namespace stratagem::protocol {

namespace {

using Clock = Deadline::Clock;

// What a message is about, without its rules.
std::string about(const Message& message) {
    if (const auto* start = std::get_if<StartMessage>(&message)) {
        return fmt::format("START {} {} ({} bytes of rules) {} {}", one_line(start->match, 40),
                           one_line(start->role, 40), start->rules.size(), start->start_clock, start->play_clock);
    }
    if (const auto* preview = std::get_if<PreviewMessage>(&message)) {
        return fmt::format("PREVIEW ({} bytes of rules) {}", preview->rules.size(), preview->start_clock);
    }
    std::string text = to_text(message);
    return one_line(text.substr(1, text.size() - 2));
}

}  // namespace

PlayerServer::PlayerServer(ServerSettings settings)
    : settings_(std::move(settings)),
      service_([this] {
          ServiceSettings service = settings_.service;
          service.log = [this](std::string_view line) { say(line); };
          return service;
      }()),
      http_(
          settings_.limits, [this](const HttpRequest& request) { return answer(request); },
          [this](const std::string& from, int status, const std::string& why) { refused(from, status, why); }) {}

PlayerServer::~PlayerServer() { close(); }

void PlayerServer::open() { http_.open(settings_.address, settings_.port); }

void PlayerServer::close() {
    // First the matches: who waits for a move would keep the server open.
    service_.close();
    http_.close();
}

HttpReply PlayerServer::answer(const HttpRequest& request) {
    if (request.method == "OPTIONS") return {200, ""};
    const bool has_body = request.method == "POST" || request.method == "PUT";
    const std::string text = has_body ? message_in_body(request.body) : message_in_target(request.target);
    if (!has_body && text.empty()) {
        return {200, fmt::format("{}, a player of general games. Messages of the GGP protocol are sent by POST.\n",
                                 settings_.service.name)};
    }
    HttpReply reply = answer_message(request, text);
    // Errors are read by people.
    if (reply.status != 200) reply.text += '\n';
    return reply;
}

HttpReply PlayerServer::answer_message(const HttpRequest& request, const std::string& text) {
    const MessageResult read = read_message(text);
    if (!read.ok()) {
        HttpReply reply{400, fmt::format("this is no message of the GGP protocol: {} (byte {})", read.fault, read.at)};
        refused(request.from, reply.status, fmt::format("{}: {}", reply.text, one_line(text, 60)));
        return reply;
    }
    HttpReply reply = service_.answer(*read.message, request.received);
    if (reply.status != 200) {
        refused(request.from, reply.status, fmt::format("{}: {}", about(*read.message), reply.text));
        return reply;
    }
    const double seconds = Seconds(Clock::now() - request.received).count();
    const std::string line =
        fmt::format("{} {} -> {} in {:.3f} s", request.from, about(*read.message), one_line(reply.text), seconds);
    const bool of_a_match = !std::holds_alternative<InfoMessage>(*read.message) &&
                            !std::holds_alternative<PreviewMessage>(*read.message) && reply.text != "BUSY";
    of_a_match ? say(line) : say_rarely(line);
    return reply;
}

void PlayerServer::refused(const std::string& from, int status, const std::string& why) {
    say_rarely(fmt::format("{} refused ({}): {}", from, status, one_line(why, 200)));
}

void PlayerServer::say_rarely(std::string_view line) {
    constexpr std::size_t most = 10;
    constexpr std::chrono::seconds period{10};
    std::size_t left_out = 0;
    {
        const std::scoped_lock lock(log_);
        if (Clock::now() - period_since_ > period) {
            left_out = in_period_ > most ? in_period_ - most : 0;
            in_period_ = 0;
            period_since_ = Clock::now();
        }
        if (++in_period_ > most) return;
    }
    if (left_out > 0) say(fmt::format("{} more messages were not of a match", left_out));
    say(line);
}

void PlayerServer::say(std::string_view line) {
    const std::scoped_lock lock(log_);
    if (settings_.service.log) settings_.service.log(line);
}

}  // namespace stratagem::protocol
