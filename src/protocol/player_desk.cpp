#include "protocol/player_desk.h"

#include <fmt/format.h>

#include "protocol/kif_text.h"

namespace stratagem::protocol {

namespace {

using Clock = Deadline::Clock;

HttpReply unknown(const std::string& match) {
    return {404, fmt::format("no match {} is played here", one_line(match, 60))};
}

}  // namespace

PlayerDesk::PlayerDesk(DeskSettings settings) : settings_(std::move(settings)), tidier_([this] { tidy(); }) {}

PlayerDesk::~PlayerDesk() { close(); }

HttpReply PlayerDesk::answer(const Message& message, TimePoint received) {
    return std::visit([&](const auto& one) { return on(one, received); }, message);
}

HttpReply PlayerDesk::on(const InfoMessage&, TimePoint) {
    const std::string_view status = matches() < settings_.matches ? "available" : "busy";
    if (settings_.info_as_word) return {200, std::string(status)};
    return {200, fmt::format("((name {}) (status {}))", settings_.name, status)};
}

// A look ahead at rules that will be played some time; there is nothing worth doing with them yet.
HttpReply PlayerDesk::on(const PreviewMessage&, TimePoint) { return {200, "READY"}; }

PlayerDesk::Match PlayerDesk::make(const StartMessage& message) {
    player::PlayerSettings settings = settings_.player;
    settings.log = [this, id = one_line(message.match, 40)](std::string_view line) {
        say(fmt::format("{}: {}", id, line));
    };
    return std::make_shared<ServedMatch>(message, settings_.recipe, std::move(settings), settings_.idle);
}

HttpReply PlayerDesk::on(const StartMessage& message, TimePoint received) {
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
    const HttpReply reply = match->start(received, reading_);
    if (reply.status != 200) forget(match);
    return reply;
}

HttpReply PlayerDesk::on(const PlayMessage& message, TimePoint received) {
    const Match match = find(message.match);
    return match ? match->play(message.report, received) : unknown(message.match);
}

HttpReply PlayerDesk::on(const StopMessage& message, TimePoint) {
    const Match match = find(message.match);
    if (!match) return unknown(message.match);
    const HttpReply reply = match->stop(message.report);
    if (reply.status == 200) forget(match);
    return reply;
}

HttpReply PlayerDesk::on(const AbortMessage& message, TimePoint) {
    const Match match = find(message.match);
    if (!match) return unknown(message.match);
    forget(match);
    return {200, "ABORTED"};
}

PlayerDesk::Match PlayerDesk::find(const std::string& id) const {
    const std::scoped_lock lock(mutex_);
    const auto found = matches_.find(id);
    return found == matches_.end() ? nullptr : found->second;
}

void PlayerDesk::forget(const Match& match) {
    match->abort();
    const std::scoped_lock lock(mutex_);
    const auto found = matches_.find(match->id());
    if (found == matches_.end() || found->second != match) return;
    matches_.erase(found);
    ended_.push_back(match);
    changed_.notify_all();
}

void PlayerDesk::tidy() {
    std::unique_lock lock(mutex_);
    while (!closed_ || !ended_.empty()) {
        std::vector<Match> gone;
        gone.swap(ended_);
        for (auto it = matches_.begin(); it != matches_.end();) {
            if (!it->second->abandoned(Clock::now())) {
                ++it;
                continue;
            }
            say(fmt::format("{}: nobody has been heard of for too long; given up", one_line(it->first, 40)));
            it->second->abort();
            gone.push_back(std::move(it->second));
            it = matches_.erase(it);
        }
        lock.unlock();
        gone.clear();
        lock.lock();
        if (closed_ || !ended_.empty()) continue;
        changed_.wait_for(lock, std::chrono::milliseconds(200));
    }
}

void PlayerDesk::close() {
    {
        const std::scoped_lock lock(mutex_);
        if (closed_ && !tidier_.joinable()) return;
        closed_ = true;
        for (auto& [id, match] : matches_) {
            match->abort();
            ended_.push_back(std::move(match));
        }
        matches_.clear();
        changed_.notify_all();
    }
    if (tidier_.joinable()) tidier_.join();
}

std::size_t PlayerDesk::matches() const {
    const std::scoped_lock lock(mutex_);
    return matches_.size();
}

void PlayerDesk::say(std::string_view line) {
    const std::scoped_lock lock(log_);
    if (settings_.log) settings_.log(line);
}

}  // namespace stratagem::protocol
