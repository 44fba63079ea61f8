#include "protocol/served_match.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/kif_text.h"
#include "util/contract.h"

namespace stratagem::protocol {

namespace {

using Clock = Deadline::Clock;

constexpr TimePoint never = TimePoint::max();
// How many may wait for the same answer: a manager that asks again, not a crowd.
constexpr std::size_t most_waiters = 4;
// Above the clocks: messages on their way, and managers that wait a moment longer than they must.
constexpr Seconds leeway{3};

// More than this nobody waits for; without a bound, strangers could keep a player at work for months.
constexpr Seconds longest_clock{3600};
// A play clock of nothing: nobody can keep it, but a legal move that comes late may still count, and "nil" cannot.
constexpr Seconds no_clock{0.5};

player::Clocks kept_clocks(const StartMessage& message) {
    const Seconds play = message.play_clock > 0 ? Seconds(message.play_clock) : no_clock;
    return {std::min(Seconds(message.start_clock), longest_clock), std::min(play, longest_clock)};
}

TimePoint later(TimePoint from, Seconds by) { return from + std::chrono::duration_cast<Clock::duration>(by); }

std::string impossible(const std::vector<std::string>& moves) {
    return fmt::format("these moves cannot be made here: {}", one_line(fmt::format("{}", fmt::join(moves, " "))));
}

}  // namespace

ServedMatch::ServedMatch(StartMessage message, std::unique_ptr<player::TextPlayer> player, Seconds idle)
    : message_(std::move(message)),
      clocks_(kept_clocks(message_)),
      player_(std::move(player)),
      longest_silence_(idle),
      due_(later(Clock::now(), clocks_.start)),
      last_heard_(Clock::now()),
      doubt_since_(never),
      stopped_at_(never) {
    if (idle > Seconds(0)) return;
    constexpr Seconds shortest{30};
    longest_silence_ = std::max(shortest, clocks_.start + 5 * clocks_.play);
}

std::string ServedMatch::about_clocks() const {
    if (clocks_.start.count() == message_.start_clock && clocks_.play.count() == message_.play_clock) return {};
    return fmt::format("clocks of {} s and {} s are taken as {} s and {} s", message_.start_clock, message_.play_clock,
                       clocks_.start.count(), clocks_.play.count());
}

HttpReply ServedMatch::start(TimePoint received) {
    {
        const std::scoped_lock lock(mutex_);
        if (phase_ == Phase::over) return {409, "the match was aborted"};
        STRATAGEM_EXPECTS(phase_ == Phase::starting && !inside_);
        inside_ = true;
    }
    HttpReply reply;
    try {
        reply = prepare(received);
    } catch (const std::exception& fault) {
        reply = {500, fmt::format("the match cannot be started: {}", fault.what())};
    }
    const std::scoped_lock lock(mutex_);
    inside_ = false;
    if (phase_ == Phase::over) {
        reply = {409, "the match was aborted"};
    } else {
        phase_ = reply.status == 200 ? Phase::waiting : Phase::over;
    }
    started_ = reply;
    last_heard_ = Clock::now();
    changed_.notify_all();
    return reply;
}

HttpReply ServedMatch::prepare(TimePoint received) {
    spelling_ = std::async(std::launch::async, [this] { return spelling_of(message_.rules); });
    const player::Opening opening = player_->start({.name = fmt::format("match {}", one_line(id(), 40)),
                                                    .rules = message_.rules,
                                                    .role = message_.role,
                                                    .clocks = clocks_},
                                                   received);
    if (!opening.fault.empty()) return {400, opening.fault};
    const std::scoped_lock lock(mutex_);
    opening_ = opening;
    return {200, "READY"};
}

const player::Opening& ServedMatch::opening() {
    if (!opening_.known) opening_ = player_->opening();
    return opening_;
}

HttpReply ServedMatch::wait_until_started() {
    Lock lock(mutex_);
    if (phase_ == Phase::starting) {
        if (waiters_ == most_waiters) return {200, "BUSY"};
        ++waiters_;
        changed_.wait(lock, [this] { return phase_ != Phase::starting; });
        --waiters_;
        return started_;
    }
    return phase_ == Phase::over ? HttpReply{409, "the match is over"} : HttpReply{200, "READY"};
}

std::string ServedMatch::wrong_form(const TurnReport& report) {
    if (report.sight && !opening().sees) {
        return "these rules say nothing of what players see: all moves must be reported, (move …)";
    }
    if (turns_ > 0 && report.sight.has_value() != report_.sight.has_value()) {
        return "the other turns of this match were reported in another form";
    }
    return {};
}

std::vector<std::string> ServedMatch::joint_move(const TurnReport& report) {
    if (!report.sight || report.sight->own_move.empty()) return report.moves;
    const std::vector<std::string>& roles = opening().roles;
    // "nil" is no move of any game: the player puts a legal one there.
    std::vector<std::string> moves(roles.size(), "nil");
    moves[opening_.own] = report.sight->own_move;
    for (const std::string& percept : report.sight->percepts) {
        const KifParts parts = split_list(percept, 3);
        if (!parts.ok() || parts.parts.size() != 3 || parts.parts[0].text != "does") continue;
        const auto role = std::ranges::find(roles, normal_form(parts.parts[1].text));
        if (role != roles.end()) moves[static_cast<std::size_t>(role - roles.begin())] = parts.parts[2].text;
    }
    return moves;
}

// In a large game that is not prepared yet, finding out what is legal may take longer than there is.
Deadline ServedMatch::moment() const { return Deadline::after(std::min(clocks_.play / 10, Seconds(0.5))); }

bool ServedMatch::is_repetition(const TurnReport& report, const std::vector<std::string>& moves) {
    if (turns_ == 0) return false;
    if (report.sight && report_.sight) return report.sight->turn == report_.sight->turn;
    if (moves.empty()) return true;
    if (moves != moves_) return false;
    // The same moves may be made twice in a row, but not where they are impossible, nor when ours was another one.
    return moves[std::min(opening().own, moves.size() - 1)] != answered_ ||
           !player_->fits(moves, moment()).value_or(true);
}

bool ServedMatch::believable(const std::vector<std::string>& moves, TimePoint now) {
    if (moves.empty() || player_->fits(moves, moment()).value_or(true)) return true;
    if (doubt_since_ == never) doubt_since_ = now;
    return now > later(doubt_since_, 2 * clocks_.play + leeway);
}

void ServedMatch::heard(TimePoint now) {
    last_heard_ = now;
    doubt_since_ = never;
    stopped_at_ = never;
}

std::string ServedMatch::wait_for_turn(Lock& lock) {
    const auto busy = [this] { return phase_ == Phase::starting || phase_ == Phase::thinking; };
    if (!busy()) return {};
    // A manager says nothing more before the clock has ended.
    if (Clock::now() < due_)
        return phase_ == Phase::starting ? "the start clock is running" : "a move is thought about";
    if (waiters_ == most_waiters) return "too many messages of this match are waiting";
    ++waiters_;
    changed_.wait(lock, [&] { return !busy(); });
    --waiters_;
    return {};
}

HttpReply ServedMatch::play(const TurnReport& report, TimePoint received) {
    Lock lock(mutex_);
    if (phase_ == Phase::thinking && report == report_ && waiters_ < most_waiters) {
        const std::size_t turn = turns_;
        ++waiters_;
        changed_.wait(lock, [&] { return phase_ != Phase::thinking || turns_ != turn; });
        --waiters_;
        return answered();
    }
    if (std::string refusal = wait_for_turn(lock); !refusal.empty()) return {409, std::move(refusal)};
    if (phase_ == Phase::over) return {409, "the match is over"};
    if (std::string fault = wrong_form(report); !fault.empty()) return {400, std::move(fault)};
    std::vector<std::string> moves = joint_move(report);
    if (is_repetition(report, moves)) {
        last_heard_ = Clock::now();
        return answered();
    }
    const bool all_told = !report.sight;
    if (all_told && !believable(moves, received)) return {400, impossible(moves)};
    return think(lock, report, std::move(moves), received);
}

HttpReply ServedMatch::think(Lock& lock, const TurnReport& report, std::vector<std::string> moves, TimePoint received) {
    phase_ = Phase::thinking;
    ++turns_;
    report_ = report;
    moves_ = moves;
    due_ = later(received, clocks_.play);
    heard(Clock::now());
    inside_ = true;
    lock.unlock();
    std::string fault;
    player::Answer answer;
    try {
        answer = player_->play(moves, received);
    } catch (const std::exception& thrown) {
        fault = thrown.what();
    }
    lock.lock();
    inside_ = false;
    if (phase_ == Phase::thinking) phase_ = Phase::waiting;
    answered_ = std::move(answer.move);
    last_heard_ = Clock::now();
    changed_.notify_all();
    if (!fault.empty()) return {500, fmt::format("no move was found: {}", fault)};
    return answered();
}

HttpReply ServedMatch::stop(const TurnReport& report) {
    Lock lock(mutex_);
    const TimePoint now = Clock::now();
    if (std::string refusal = wait_for_turn(lock); !refusal.empty()) {
        if (stopped_at_ == never) stopped_at_ = now;
        return {409, std::move(refusal)};
    }
    if (phase_ == Phase::over) return {409, "the match is over"};
    if (std::string fault = wrong_form(report); !fault.empty()) return {400, std::move(fault)};
    const std::vector<std::string> moves = joint_move(report);
    if (!report.sight && moves != moves_ && !believable(moves, now)) {
        // If it was the manager all the same, nothing that fits will come any more.
        if (stopped_at_ == never) stopped_at_ = now;
        return {400, impossible(moves)};
    }
    phase_ = Phase::over;
    changed_.notify_all();
    return {200, "DONE"};
}

void ServedMatch::abort() {
    player_->abort();
    const std::scoped_lock lock(mutex_);
    phase_ = Phase::over;
    changed_.notify_all();
}

void ServedMatch::end() {
    Lock lock(mutex_);
    if (ended_) {
        changed_.wait(lock, [this] { return gone_; });
        return;
    }
    ended_ = true;
    changed_.wait(lock, [this] { return !inside_; });
    lock.unlock();
    player_->stop();
    lock.lock();
    gone_ = true;
    changed_.notify_all();
}

bool ServedMatch::abandoned(TimePoint now) const {
    const std::scoped_lock lock(mutex_);
    if (phase_ == Phase::over) return false;
    // What is under way ends by itself; only something that went badly wrong does not.
    if (phase_ != Phase::waiting) return now > later(due_, longest_silence_);
    if (waiters_ > 0) return false;
    if (now > later(last_heard_, longest_silence_)) return true;
    return stopped_at_ != never && now > later(stopped_at_, clocks_.play + leeway);
}

}  // namespace stratagem::protocol
