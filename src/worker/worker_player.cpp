#include "worker/worker_player.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace stratagem::worker {

namespace {

using Clock = Deadline::Clock;
using player::Answer;
using player::Seconds;

// Between looks at pings and clocks, when nothing else happens.
constexpr std::chrono::milliseconds look_every{250};
constexpr std::size_t megabyte = std::size_t{1} << 20;

TimePoint later(TimePoint from, Seconds by) { return from + std::chrono::duration_cast<Clock::duration>(by); }

// A player answers its margin before the end of its clock (player.cpp). Whoever waits for it waits for part of that
// margin too, and has the rest to answer with something else.
Seconds waiting_margin(Seconds player_margin, Seconds clock) { return 0.6 * std::min(player_margin, clock / 4); }

// Where nodes are counted, no clock decides anything; the player itself ends what takes for ever.
Seconds patient_time(const player::PlayerSettings& settings) { return settings.patience + Seconds(60); }

// How long a thinker is waited for at the start, and in each turn.
Seconds start_time(const player::PlayerSettings& settings, Seconds clock) {
    if (settings.nodes) return patient_time(settings);
    return clock - waiting_margin(settings.reply_margin + clock * 0.02, clock);
}

Seconds play_time(const player::PlayerSettings& settings, Seconds clock) {
    if (settings.nodes) return patient_time(settings);
    return clock - waiting_margin(std::max(settings.reply_margin, std::min(clock / 20, Seconds(0.2))), clock);
}

}  // namespace

void share_memory(WorkerSettings& settings, std::size_t megabytes) {
    settings.second_megabytes = settings.second ? std::clamp<std::size_t>(megabytes / 8, 64, 512) : 0;
    settings.thinker_megabytes = std::max(megabytes, settings.second_megabytes + 64) - settings.second_megabytes;
    // Running into the limit of a process costs more than staying below it.
    const std::size_t half = settings.thinker_megabytes / 2;
    player::PlayerSettings& player = settings.player;
    player.search.table_megabytes = std::min(player.search.table_megabytes, half);
    player.machine.build_limit_bytes = std::min(player.machine.build_limit_bytes, half * megabyte);
}

// FNV-1a.
std::uint64_t rules_number(std::string_view rules) {
    std::uint64_t number = 14695981039346656037ULL;
    for (const char c : rules) number = (number ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return number;
}

WorkerPlayer::WorkerPlayer(WorkerSettings settings)
    : settings_(std::move(settings)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (wake_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    try {
        thread_ = std::thread([this] { run(); });
    } catch (...) {
        ::close(wake_);
        throw;
    }
}

WorkerPlayer::~WorkerPlayer() {
    stop();
    ::close(wake_);
}

// --- asked from outside

void WorkerPlayer::prepare(const player::TextMatch& match) {
    Lock lock(mutex_);
    to_prepare_ = match;
    wake();
    changed_.wait(lock, [this] { return over_ || thinker_.prepared || thinker_.failed > 0; });
    to_prepare_.reset();
}

player::Opening WorkerPlayer::start(const player::TextMatch& match, TimePoint received) {
    Lock lock(mutex_);
    match_ = match;
    received_ = received;
    thinker_.failed = 0;
    // One that has prepared is there already; others are told when they begin.
    if (thinker_.slot.filled()) thinker_.slot.send(orders_for(thinker_, received));
    wake();
    const TimePoint until = later(received, start_time(settings_.player, match.clocks.start));
    changed_.wait_until(lock, until, [this] {
        if (over_ || !opening_.fault.empty() || thinker_.ready) return true;
        return hopeless(thinker_) && (opening_.known || hopeless(second_));
    });
    started_ = true;
    if (!opening_.known) say("the start clock ends before the rules are read");
    wake();
    return opening_;
}

player::Opening WorkerPlayer::opening() const {
    const std::scoped_lock lock(mutex_);
    return opening_;
}

player::Answer WorkerPlayer::play(std::span<const std::string> last, TimePoint received) {
    Lock lock(mutex_);
    if (turn_.number > 0) history_.push_back(std::move(turn_.last));
    const Seconds clock = match_ ? match_->clocks.play : Seconds(0);
    turn_ = {turn_.number + 1,
             JointMove(last.begin(), last.end()),
             received,
             later(received, play_time(settings_.player, clock)),
             true,
             {},
             {}};
    for (Child* child : {&thinker_, &second_}) {
        child->failed = 0;
        child->next_try = {};
        if (!child->slot.filled()) continue;  // who is put there will be told
        child->asked = turn_.number;
        if (is_thinker(*child) && !child->due) child->due = turn_.until;
        child->slot.send(PlayOrder{turn_.number, turn_.last, received});
    }
    wake();
    changed_.wait_until(lock, turn_.until, [this] { return decided(); });
    // A legal move at the last moment, or a moment late where the clock is short, is better than none.
    if (!decided() && !turn_.legal) {
        const Seconds halfway = (play_time(settings_.player, clock) + clock) / 2;
        const TimePoint end = later(received, std::max(halfway, Seconds(1)));
        changed_.wait_until(lock, end, [this] { return decided() || turn_.legal; });
    }
    return close_turn();
}

bool WorkerPlayer::decided() const {
    const bool thought = turn_.thought && turn_.thought->source != Answer::Source::nothing;
    if (over_ || thought || !opening_.fault.empty()) return true;
    return (turn_.thought || hopeless(thinker_)) && (turn_.legal || hopeless(second_));
}

player::Answer WorkerPlayer::close_turn() {
    turn_.open = false;
    Answer answer{"nil", Answer::Source::nothing, {}};
    const bool thought = turn_.thought && turn_.thought->source != Answer::Source::nothing;
    if (!thought && turn_.legal && turn_.legal->source != Answer::Source::nothing) {
        answer = std::move(*turn_.legal);
        say(fmt::format("turn {}: {} (the second: any legal move)", turn_.number, answer.move));
    } else if (turn_.thought) {
        answer = std::move(*turn_.thought);
    } else if (!over_) {
        say(fmt::format("turn {}: nobody knows a legal move", turn_.number));
    }
    wake();
    return answer;
}

void WorkerPlayer::watch(std::span<const std::string> last, TimePoint received) {
    const std::scoped_lock lock(mutex_);
    if (turn_.number > 0) history_.push_back(std::move(turn_.last));
    turn_ = {turn_.number + 1, JointMove(last.begin(), last.end()), received, {}, false, {}, {}};
    for (Child* child : {&thinker_, &second_}) {
        child->failed = 0;
        child->next_try = {};
        child->slot.send(WatchOrder{turn_.last, received});
    }
    wake();
}

std::optional<bool> WorkerPlayer::fits(std::span<const std::string> moves, Deadline deadline) {
    Lock lock(mutex_);
    question_ = {question_.number + 1, 0, std::nullopt};
    for (Child* child : {&thinker_, &second_}) {
        if (!child->slot.filled() || !child->ready) continue;
        child->slot.send(FitsOrder{question_.number, JointMove(moves.begin(), moves.end()), deadline.when()});
        child->question = question_.number;
        ++question_.open;
    }
    wake();
    changed_.wait_until(lock, deadline.when(), [this] { return over_ || question_.fits || question_.open == 0; });
    return question_.fits;
}

void WorkerPlayer::stop() {
    abort();
    if (thread_.joinable()) thread_.join();
}

void WorkerPlayer::abort() {
    const std::scoped_lock lock(mutex_);
    over_ = true;
    changed_.notify_all();
    wake();
}

std::vector<pid_t> WorkerPlayer::processes() const {
    const std::scoped_lock lock(mutex_);
    return {thinker_.slot.pid(), second_.slot.pid()};
}

std::size_t WorkerPlayer::failures() const {
    const std::scoped_lock lock(mutex_);
    return failures_;
}

std::string WorkerPlayer::last_failure() const {
    const std::scoped_lock lock(mutex_);
    return last_failure_;
}

// --- the thread

void WorkerPlayer::wake() const {
    const std::uint64_t one = 1;
    // Fails only when it has been woken very often already.
    (void)!::write(wake_, &one, sizeof one);
}

int WorkerPlayer::milliseconds_to_wait(TimePoint now) const {
    std::chrono::milliseconds wait = look_every;
    const auto wait_until = [&](TimePoint time) {
        wait = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(time - now), std::chrono::milliseconds(0), wait);
    };
    for (const Child* child : {&thinker_, &second_}) {
        if (child->due) wait_until(later(*child->due, settings_.overtime));
        if (child->next_try > now) wait_until(child->next_try);
    }
    return static_cast<int>(wait.count());
}

void WorkerPlayer::tell(Lock& lock) {
    std::vector<std::string> lines;
    lines.swap(lines_);
    lock.unlock();
    for (const std::string& line : lines) {
        if (settings_.player.log) settings_.player.log(line);
    }
    lock.lock();
}

void WorkerPlayer::run() {
    try {
        supervise();
    } catch (const std::exception& fault) {
        // Memory ran out in this process. The match is lost, and nothing else shall be.
        const std::scoped_lock lock(mutex_);
        over_ = true;
        last_failure_ = fault.what();
        changed_.notify_all();
    }
    Lock lock(mutex_);
    for (Child* child : {&thinker_, &second_}) {
        if (const std::unique_ptr<Process> process = child->slot.vacate()) process->end();
    }
    for (const std::unique_ptr<Process>& process : leaving_) process->end();
    leaving_.clear();
    tell(lock);
}

void WorkerPlayer::supervise() {
    Lock lock(mutex_);
    std::vector<pollfd> awaited;
    while (!over_) {
        const TimePoint now = Clock::now();
        if (opening_.fault.empty()) {
            if (match_ || to_prepare_) look_after(thinker_, now);
            if (match_ && settings_.second) look_after(second_, now);
        }
        std::erase_if(leaving_, [](const std::unique_ptr<Process>& process) { return process->gone(); });
        tell(lock);
        awaited.assign(1, {wake_, POLLIN, 0});
        thinker_.slot.add_to(awaited);
        second_.slot.add_to(awaited);
        const int wait = milliseconds_to_wait(now);
        lock.unlock();
        ::poll(awaited.data(), awaited.size(), wait);
        std::uint64_t woken = 0;
        (void)!::read(wake_, &woken, sizeof woken);
        lock.lock();
    }
}

void WorkerPlayer::look_after(Child& child, TimePoint now) {
    if (!child.slot.filled()) {
        if (hopeless(child) || now < child.next_try) return;
        fill(child, now);
    }
    std::vector<Word> heard;
    std::vector<std::string> printed;
    std::string problem = child.slot.serve(now, heard, printed);
    for (std::string& line : printed) say(fmt::format("the {} says: {}", child.slot.name(), line));
    for (Word& word : heard) hear(child, word);
    if (problem.empty() && child.slot.silent(now, settings_.patience)) problem = "it hangs";
    if (problem.empty() && child.due && now > later(*child.due, settings_.overtime)) problem = "it does not answer";
    if (!problem.empty() && child.slot.filled()) replace(child, problem, problem == ProcessSlot::ended);
}

bool WorkerPlayer::hopeless(const Child& child) const {
    if (!is_thinker(child)) return !settings_.second;
    return !child.slot.filled() && child.failed >= settings_.attempts;
}

// A thinker that begins in the middle of a match has half of what is left of the turn to prepare, or half a turn.
StartOrder WorkerPlayer::orders_for(const Child& child, TimePoint now) const {
    StartOrder order;
    order.settings = settings_.player;
    if (is_thinker(child)) {
        order.recipe = recipe();
        if (simpler_ > 0) order.settings.search.threads = 1;
        if (simpler_ > 0 && simpler_ == settings_.fallback_recipes.size()) {
            order.settings.machine.kind = machine::MachineKind::interpreter;
        }
    }
    order.match = *match_;
    order.received = received_;
    order.history = history_;
    if (turn_.number > 0 && !turn_.open) order.history.push_back(turn_.last);
    if (!started_) return order;
    const Seconds left = turn_.open ? Seconds(turn_.until - now) : match_->clocks.play;
    order.received = now;
    order.match.clocks.start = std::clamp(left / 2, Seconds(0), match_->clocks.start);
    return order;
}

void WorkerPlayer::fill(Child& child, TimePoint now) {
    const std::size_t megabytes = is_thinker(child) ? settings_.thinker_megabytes : settings_.second_megabytes;
    std::unique_ptr<Process> process;
    try {
        process = std::make_unique<Process>(
            settings_.program, std::vector<std::string>{"worker", "--parent", std::to_string(::getpid()), "--memory",
                                                        std::to_string(megabytes)});
    } catch (const std::system_error& fault) {
        count_failure(child);
        last_failure_ = fmt::format("no process for the {}: {}", child.slot.name(), fault.what());
        say(last_failure_);
        changed_.notify_all();
        return;
    }
    child.slot.fill(std::move(process), now);
    child.prepared = false;
    child.ready = false;
    child.due.reset();
    child.question = 0;
    if (!match_) {
        child.slot.send(PrepareOrder{player::without_clock(settings_.player.machine, settings_.player), *to_prepare_});
        return;
    }
    child.slot.send(orders_for(child, now));
    if (!turn_.open) return;
    child.asked = turn_.number;
    if (is_thinker(child)) child.due = turn_.until;
    child.slot.send(PlayOrder{turn_.number, turn_.last, turn_.received});
}

void WorkerPlayer::count_failure(Child& child) {
    constexpr std::chrono::milliseconds shortest{50};
    constexpr std::size_t longest = 7;  // doublings
    ++failures_;
    if (++child.failed == 1) return;  // the next one at once
    child.next_try = Clock::now() + shortest * (1 << std::min(child.failed - 2, longest));
}

void WorkerPlayer::hear(Child& child, Word& word) {
    if (auto* line = std::get_if<LogWord>(&word)) {
        say(std::move(line->line));
    } else if (std::holds_alternative<Prepared>(word)) {
        child.prepared = true;
        changed_.notify_all();
    } else if (auto* opening = std::get_if<player::Opening>(&word)) {
        child.ready = true;
        // What one of them said stays: the other may have had less memory.
        if (!opening_.known) opening_ = std::move(*opening);
        changed_.notify_all();
    } else if (auto* answer = std::get_if<AnswerWord>(&word)) {
        hear_answer(child, *answer);
    } else if (const auto* fit = std::get_if<FitWord>(&word)) {
        if (fit->number == question_.number) hear_fit(child, fit->fits);
    }
}

void WorkerPlayer::hear_fit(Child& child, std::optional<bool> fits) {
    if (child.question != question_.number || question_.open == 0) return;
    child.question = 0;
    --question_.open;
    if (!question_.fits) question_.fits = fits;
    changed_.notify_all();
}

void WorkerPlayer::hear_answer(Child& child, AnswerWord& word) {
    // A search that failed for lack of memory will fail again. One that found a way to do with less may go on.
    const bool thought =
        word.answer.source == Answer::Source::search || word.answer.source == Answer::Source::only_move;
    const bool starved = word.starved && !thought && is_thinker(child);
    if (is_thinker(child) && word.answer.source == Answer::Source::search) failed_in_a_row_ = 0;
    if (child.due) {
        // One behind is alive, and has the present turn to answer.
        if (word.turn == child.asked) {
            child.due.reset();
        } else {
            child.due = turn_.until;
        }
    }
    if (word.turn == turn_.number && turn_.open) {
        if (is_thinker(child)) {
            turn_.thought = std::move(word.answer);
        } else {
            turn_.legal = std::move(word.answer);
        }
        changed_.notify_all();
    }
    if (starved) replace(child, "memory ran out");
}

void WorkerPlayer::replace(Child& child, const std::string& why, bool ended) {
    const pid_t pid = child.slot.pid();
    std::unique_ptr<Process> process = child.slot.vacate();
    std::string what = why;
    if (ended) {
        what = process->end().to_text();
    } else {
        // One with much memory takes a while to go.
        process->kill();
        leaving_.push_back(std::move(process));
    }
    count_failure(child);
    child.ready = false;
    child.due.reset();
    hear_fit(child, std::nullopt);
    last_failure_ = fmt::format("the {} failed: {}", child.slot.name(), what);
    changed_.notify_all();
    // Who fails again and again does so for the same reason.
    constexpr std::size_t often_enough = 3;
    if (child.failed <= often_enough) say(failure_text(child, pid, what));
    if (is_thinker(child)) think_simpler();
}

void WorkerPlayer::think_simpler() {
    constexpr std::size_t too_often = 2;
    if (++failed_in_a_row_ < too_often || simpler_ == settings_.fallback_recipes.size()) return;
    const std::string failed = recipe();
    ++simpler_;
    failed_in_a_row_ = 0;
    say(fmt::format("recipe {} has failed {} times in a row: from now on the thinker plays {}", failed, too_often,
                    recipe()));
}

std::string WorkerPlayer::failure_text(const Child& child, pid_t pid, const std::string& what) const {
    const player::TextMatch& match = match_ ? *match_ : *to_prepare_;
    return fmt::format(
        "the {} (process {}) failed in turn {}: {}; {}. To repeat: recipe {}, seed {}, role {}, clocks {} {}, "
        "rules {:016x} ({} bytes), moves {}",
        child.slot.name(), pid, turn_.number, what,
        hopeless(child) ? "there will be none until the next turn" : "another one takes over", recipe(),
        settings_.player.search.seed, match.role, match.clocks.start.count(), match.clocks.play.count(),
        rules_number(match.rules), match.rules.size(), moves_text());
}

std::string WorkerPlayer::moves_text() const {
    constexpr std::size_t longest = 20'000;
    std::string text;
    const auto add = [&](const JointMove& moves) {
        if (moves.empty()) return;
        text += fmt::format("{}({})", text.empty() ? "" : " ", fmt::join(moves, " "));
    };
    for (const JointMove& moves : history_) add(moves);
    add(turn_.last);
    if (text.size() > longest) text = text.substr(0, longest) + "…";
    return text.empty() ? "none" : text;
}

}  // namespace stratagem::worker
