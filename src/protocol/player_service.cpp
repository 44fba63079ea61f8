#include "protocol/player_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "protocol/kif_text.h"

namespace stratagem::protocol {

namespace {

using Clock = Deadline::Clock;

HttpReply unknown(const std::string& match) {
    return {404, fmt::format("no match {} is played here", one_line(match, 60))};
}

}  // namespace

PlayerService::PlayerService(ServiceSettings settings) : settings_(std::move(settings)), tidier_([this] { tidy(); }) {}

PlayerService::~PlayerService() { close(); }

HttpReply PlayerService::answer(const Message& message, TimePoint received) {
    return std::visit([&](const auto& one) { return on(one, received); }, message);
}

HttpReply PlayerService::on(const InfoMessage&, TimePoint) {
    const std::string_view status = matches() < settings_.matches ? "available" : "busy";
    if (settings_.info_as_word) return {200, std::string(status)};
    return {200, fmt::format("((name {}) (status {}))", settings_.name, status)};
}

// A look ahead at rules that will be played some time; there is nothing worth doing with them yet.
HttpReply PlayerService::on(const PreviewMessage&, TimePoint) { return {200, "READY"}; }

PlayerService::Match PlayerService::make(const StartMessage& message) {
    const player::Log log = [this, id = one_line(message.match, 40)](std::string_view line) {
        say(fmt::format("{}: {}", id, line));
    };
    std::unique_ptr<player::TextPlayer> player;
    if (settings_.make_player) {
        player = settings_.make_player(log);
    } else {
        player::PlayerSettings settings = settings_.player;
        settings.log = log;
        player = std::make_unique<player::LocalTextPlayer>(settings_.recipe, std::move(settings));
    }
    auto match = std::make_shared<ServedMatch>(message, std::move(player), settings_.idle);
    if (const std::string line = match->about_clocks(); !line.empty()) log(line);
    return match;
}

HttpReply PlayerService::on(const StartMessage& message, TimePoint received) {
    Match match;
    {
        const std::scoped_lock lock(mutex_);
        if (closed_) return {503, "closing"};
        const auto known = matches_.find(message.match);
        if (known != matches_.end()) {
            match = known->second;
        } else if (matches_.size() >= settings_.matches) {
            return {200, "BUSY"};
        } else {
            matches_.emplace(message.match, make(message));
        }
    }
    if (match) return match->started_by(message) ? match->wait_until_started() : HttpReply{200, "BUSY"};
    match = find(message.match);
    if (!match) return {409, "the match was aborted"};
    HttpReply reply = match->start(received);
    if (reply.status != 200) forget(match);
    return reply;
}

HttpReply PlayerService::on(const PlayMessage& message, TimePoint received) {
    const Match match = find(message.match);
    return match ? match->play(message.report, received) : unknown(message.match);
}

HttpReply PlayerService::on(const StopMessage& message, TimePoint) {
    const Match match = find(message.match);
    if (!match) return was_ended(message.match) ? HttpReply{200, "DONE"} : unknown(message.match);
    HttpReply reply = match->stop(message.report);
    if (reply.status == 200) forget(match);
    return reply;
}

HttpReply PlayerService::on(const AbortMessage& message, TimePoint) {
    const Match match = find(message.match);
    if (!match) return was_ended(message.match) ? HttpReply{200, "ABORTED"} : unknown(message.match);
    forget(match);
    return {200, "ABORTED"};
}

PlayerService::Match PlayerService::find(const std::string& id) const {
    const std::scoped_lock lock(mutex_);
    const auto found = matches_.find(id);
    return found == matches_.end() ? nullptr : found->second;
}

bool PlayerService::was_ended(const std::string& id) const {
    const std::scoped_lock lock(mutex_);
    return std::ranges::find(ended_, id) != ended_.end();
}

void PlayerService::forget(const Match& match) {
    match->abort();
    match->end();
    constexpr std::size_t remembered = 100;
    const std::scoped_lock lock(mutex_);
    const auto found = matches_.find(match->id());
    if (found == matches_.end() || found->second != match) return;
    matches_.erase(found);
    ended_.push_back(match->id());
    if (ended_.size() > remembered) ended_.pop_front();
}

void PlayerService::tidy() {
    std::unique_lock lock(mutex_);
    while (!closed_) {
        std::vector<Match> abandoned;
        for (const auto& [id, match] : matches_) {
            if (match->abandoned(Clock::now())) abandoned.push_back(match);
        }
        lock.unlock();
        for (const Match& match : abandoned) {
            say(fmt::format("{}: nobody has been heard of for too long; given up", one_line(match->id(), 40)));
            forget(match);
        }
        abandoned.clear();
        lock.lock();
        if (!closed_) changed_.wait_for(lock, std::chrono::milliseconds(200));
    }
}

void PlayerService::close() {
    std::vector<Match> open;
    {
        const std::scoped_lock lock(mutex_);
        if (closed_ && !tidier_.joinable()) return;
        closed_ = true;
        for (const auto& [id, match] : matches_) open.push_back(match);
        changed_.notify_all();
    }
    for (const Match& match : open) match->abort();
    for (const Match& match : open) forget(match);
    if (tidier_.joinable()) tidier_.join();
}

std::size_t PlayerService::matches() const {
    const std::scoped_lock lock(mutex_);
    return matches_.size();
}

void PlayerService::say(std::string_view line) {
    const std::scoped_lock lock(log_);
    if (settings_.log) settings_.log(line);
}

}  // namespace stratagem::protocol
