#include "protocol/served_match.h"

#include <fmt/format.h>

#include <algorithm>

#include "gdl/print.h"
#include "gdl/read.h"
#include "protocol/kif_text.h"

namespace stratagem::protocol {

namespace {

using Clock = Deadline::Clock;

constexpr TimePoint never = TimePoint::max();
// How many may wait for the same answer: a manager that asks again, not a crowd.
constexpr std::size_t most_waiters = 4;
// Above the clocks: messages on their way, and managers that wait a moment longer than they must.
constexpr Seconds leeway{3};

Seconds clamped(double seconds) { return Seconds(std::min(seconds, 1e7)); }

TimePoint later(TimePoint from, Seconds by) { return from + std::chrono::duration_cast<Clock::duration>(by); }

// The first error is what its author can mend first.
std::string first_error(const gdl::ReadResult& result) {
    for (const gdl::Diagnostic& diagnostic : result.diagnostics.all()) {
        if (diagnostic.severity != gdl::Severity::error) continue;
        const gdl::Position place = result.description.source->position(diagnostic.span.begin);
        return fmt::format("line {}, column {}: {} ({})", place.line, place.column, diagnostic.message,
                           diagnostic.code);
    }
    return "no rules";
}

}  // namespace

ServedMatch::ServedMatch(StartMessage message, player::Recipe recipe, player::PlayerSettings settings, Seconds idle)
    : message_(std::move(message)),
      player_(std::move(recipe), std::move(settings)),
      longest_silence_(idle),
      due_(later(Clock::now(), clamped(message_.start_clock))),
      last_heard_(Clock::now()),
      doubt_since_(never),
      stopped_at_(never) {
    if (idle > Seconds(0)) return;
    constexpr Seconds shortest{30};
    longest_silence_ = std::max(shortest, clamped(message_.start_clock) + 5 * clamped(message_.play_clock));
}

HttpReply ServedMatch::start(TimePoint received, std::mutex& reading) {
    HttpReply reply = prepare(received, reading);
    const std::scoped_lock lock(mutex_);
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

HttpReply ServedMatch::prepare(TimePoint received, std::mutex& reading) {
    std::unique_lock reader(reading);
    auto result = std::make_shared<gdl::ReadResult>(
        gdl::read_and_check(fmt::format("match {}", one_line(id(), 40)), message_.rules, gdl::Notation::kif));
    reader.unlock();
    if (!result->ok()) return {400, fmt::format("these rules are not valid: {}", first_error(*result))};
    const gdl::Description& description = result->description;
    for (const gdl::Term role : description.roles()) roles_.push_back(gdl::to_kif(description.terms, role));
    const auto own = std::ranges::find(roles_, message_.role);
    if (own == roles_.end()) {
        return {400, fmt::format("these rules have no role {}", one_line(message_.role, 60))};
    }
    own_ = static_cast<std::size_t>(own - roles_.begin());
    spelling_ = spelling_of(message_.rules);
    const player::Clocks clocks{clamped(message_.start_clock), clamped(message_.play_clock)};
    const machine::Role role{static_cast<std::uint32_t>(own_)};
    if (!player_.start({result, &result->description}, role, clocks, received)) {
        return {400, "these rules cannot be run"};
    }
    return {200, "READY"};
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

std::vector<std::string> ServedMatch::joint_move(const TurnReport& report) const {
    if (!report.sight || report.sight->own_move.empty()) return report.moves;
    // "nil" is no move of any game: the player puts a legal one there.
    std::vector<std::string> moves(roles_.size(), "nil");
    moves[own_] = report.sight->own_move;
    for (const std::string& percept : report.sight->percepts) {
        const KifParts parts = split_list(percept, 3);
        if (!parts.ok() || parts.parts.size() != 3 || parts.parts[0].text != "does") continue;
        const auto role = std::ranges::find(roles_, normal_form(parts.parts[1].text));
        if (role != roles_.end()) moves[static_cast<std::size_t>(role - roles_.begin())] = parts.parts[2].text;
    }
    return moves;
}

// In a large game that is not prepared yet, finding out what is legal may take longer than there is.
Deadline ServedMatch::moment() const {
    return Deadline::after(std::min(clamped(message_.play_clock) / 10, Seconds(0.5)));
}

bool ServedMatch::is_repetition(const TurnReport& report, const std::vector<std::string>& moves) {
    if (turns_ == 0) return false;
    if (report.sight && report_.sight) return report.sight->turn == report_.sight->turn;
    if (moves.empty()) return true;
    if (moves != moves_) return false;
    // The same moves may be made twice in a row, but not where they are impossible, nor when ours was another one.
    return moves[std::min(own_, moves.size() - 1)] != answered_ || !player_.fits(moves, moment());
}

bool ServedMatch::believable(const std::vector<std::string>& moves, TimePoint now) {
    if (moves.empty() || player_.fits(moves, moment())) return true;
    if (doubt_since_ == never) doubt_since_ = now;
    return now > later(doubt_since_, 2 * clamped(message_.play_clock) + leeway);
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
        return {200, spelling_(answered_)};
    }
    if (std::string refusal = wait_for_turn(lock); !refusal.empty()) return {409, std::move(refusal)};
    if (phase_ == Phase::over) return {409, "the match is over"};
    std::vector<std::string> moves = joint_move(report);
    if (is_repetition(report, moves)) {
        last_heard_ = Clock::now();
        return {200, spelling_(answered_)};
    }
    const bool all_told = !report.sight;
    if (all_told && !believable(moves, received)) {
        return {400,
                fmt::format("these moves cannot be made here: {}", one_line(fmt::format("{}", fmt::join(moves, " "))))};
    }
    return think(lock, report, std::move(moves), received);
}

HttpReply ServedMatch::think(Lock& lock, const TurnReport& report, std::vector<std::string> moves, TimePoint received) {
    phase_ = Phase::thinking;
    ++turns_;
    report_ = report;
    moves_ = moves;
    due_ = later(received, clamped(message_.play_clock));
    heard(Clock::now());
    lock.unlock();
    player::Answer answer = player_.play(moves, received);
    lock.lock();
    if (phase_ == Phase::thinking) phase_ = Phase::waiting;
    answered_ = std::move(answer.move);
    last_heard_ = Clock::now();
    changed_.notify_all();
    return {200, spelling_(answered_)};
}

HttpReply ServedMatch::stop(const TurnReport& report) {
    Lock lock(mutex_);
    const TimePoint now = Clock::now();
    if (std::string refusal = wait_for_turn(lock); !refusal.empty()) {
        if (stopped_at_ == never) stopped_at_ = now;
        return {409, std::move(refusal)};
    }
    if (phase_ == Phase::over) return {409, "the match is over"};
    const std::vector<std::string> moves = joint_move(report);
    if (!report.sight && moves != moves_ && !believable(moves, now)) {
        // If it was the manager all the same, nothing that fits will come any more.
        if (stopped_at_ == never) stopped_at_ = now;
        return {400,
                fmt::format("these moves cannot be made here: {}", one_line(fmt::format("{}", fmt::join(moves, " "))))};
    }
    phase_ = Phase::over;
    changed_.notify_all();
    return {200, "DONE"};
}

void ServedMatch::abort() {
    player_.abort();
    const std::scoped_lock lock(mutex_);
    phase_ = Phase::over;
    changed_.notify_all();
}

bool ServedMatch::abandoned(TimePoint now) const {
    const std::scoped_lock lock(mutex_);
    if (phase_ != Phase::waiting || waiters_ > 0) return false;
    if (now > later(last_heard_, longest_silence_)) return true;
    return stopped_at_ != never && now > later(stopped_at_, clamped(message_.play_clock) + leeway);
}

}  // namespace stratagem::protocol
