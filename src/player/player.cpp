#include "player/player.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace stratagem::player {

using machine::Move;

namespace {

double seconds_between(TimePoint from, TimePoint to) { return Seconds(to - from).count(); }

TimePoint later(TimePoint from, Seconds by) { return from + std::chrono::duration_cast<Deadline::Clock::duration>(by); }

// Of the time that is left, no more than a part may be spent on being careful.
Seconds capped(Seconds margin, Seconds clock) { return std::min(margin, clock / 4); }

// What there is to say of a search, for people.
std::string summary(const search::Choice& choice) {
    std::string text =
        choice.judged ? fmt::format("value {:.1f}{}", choice.value, choice.proved ? " proved" : "") : "no opinion yet";
    if (choice.depth > 0) text += fmt::format(", depth {}", choice.depth);
    constexpr double measurable = 0.001;  // a speed over less time than this means nothing
    if (choice.seconds >= measurable) {
        const bool plays_out = choice.playouts > 0;
        const auto count = static_cast<double>(plays_out ? choice.playouts : choice.nodes);
        text += fmt::format(", {:.0f} {}/s", count / choice.seconds, plays_out ? "playouts" : "nodes");
    }
    text += fmt::format(", {:.3f} s", choice.seconds);
    if (!choice.note.empty()) text += ", " + choice.note;
    return text;
}

std::shared_ptr<const machine::Game> build(const machine::Game& given, const machine::MachineOptions& options,
                                           Journal& journal) {
    std::shared_ptr<const machine::Game> game = given.remade(options);
    if (!game->note().empty()) journal.write(game->note());
    const machine::MachineStatistics& built = game->statistics();
    journal.write(fmt::format("{} built in {:.3f} s: {} fluents, {} moves, {} gates", machine::to_string(game->kind()),
                              built.build_seconds, built.fluents, built.moves, built.gates));
    return game;
}

}  // namespace

// What is known of the turn under way.
struct Player::Turn {
    TimePoint received;
    Deadline search_until;  // the search is asked to return
    Deadline wait_until;    // it is waited for
    bool over = false;
};

std::string_view to_string(Answer::Source source) {
    switch (source) {
        case Answer::Source::search:
            return "search";
        case Answer::Source::only_move:
            return "only move";
        case Answer::Source::report:
            return "best so far";
        case Answer::Source::fallback:
            return "any legal move";
        case Answer::Source::nothing:
            return "nothing";
    }
    return "nothing";
}

machine::MachineOptions without_clock(machine::MachineOptions options, const PlayerSettings& settings) {
    if (settings.nodes) options.build_limit_seconds = settings.patience.count();
    return options;
}

Player::Player(Recipe recipe, PlayerSettings settings)
    : recipe_(std::move(recipe)),
      settings_(std::move(settings)),
      journal_(std::make_shared<Journal>(settings_.log)),
      random_(settings_.search.seed, 1),
      reply_margin_(settings_.reply_margin),
      search_margin_(settings_.search_margin) {}

Player::~Player() {
    stop();
    journal_->close();
}

std::shared_ptr<Thinker> Player::make_main(TimePoint received, TimePoint start_deadline) {
    // By value: the thread may outlive the player.
    PlayerSettings patient = settings_;
    patient.machine.build_limit_seconds += clocks_.start.count();
    patient.machine = player::without_clock(patient.machine, settings_);
    auto make = [recipe = recipe_, settings = patient, given = game_, role = role_, received, start_deadline,
                 nodes = nodes(), journal = journal_, built = built_](const std::atomic<bool>& abort) {
        machine::MachineOptions building = settings.machine;
        building.interrupt = &abort;
        StartClock clock = nodes ? StartClock::without_end() : StartClock(received, start_deadline);
        if (settings.prepares) clock.begin("grounding", unlimited);
        const BuiltGame::Game game = settings.prepares ? build(*given, building, *journal) : given;
        clock.end(machine::to_string(game->kind()));
        built->publish(game);
        EngineSettings engine_settings;
        engine_settings.search = settings.search;
        engine_settings.clock = &clock;
        engine_settings.nodes = nodes;
        engine_settings.role = role;
        engine_settings.abort = &abort;
        engine_settings.log = [journal](std::string_view line) { journal->write(line); };
        return make_engine(recipe, game, engine_settings);
    };
    return std::make_shared<Thinker>(std::move(make), settings_.grace);
}

std::shared_ptr<Thinker> Player::make_interim() {
    auto make = [recipe = recipe_, settings = settings_, role = role_, nodes = nodes(), game = tracker_->game(),
                 play = clocks_.play](const std::atomic<bool>& abort) {
        EngineSettings engine_settings;
        engine_settings.search = settings.search;
        engine_settings.search.table_megabytes = std::min<std::size_t>(settings.search.table_megabytes, 64);
        engine_settings.start_seconds = play.count() / 2;  // the rest is for a first move
        engine_settings.shares.solving = exactly(0);
        engine_settings.nodes = nodes;
        engine_settings.role = role;
        engine_settings.abort = &abort;
        return make_engine(recipe, game, engine_settings);
    };
    return std::make_shared<Thinker>(std::move(make), settings_.grace);
}

void Player::say_not_repeatable(const std::string& why) {
    if (!std::exchange(said_not_repeatable_, true)) say("NOT REPEATABLE: " + why);
}

void Player::await_main(TimePoint end) {
    if (main_->wait_until_made(Deadline{end}) != Thinker::Phase::making || !nodes() || aborted_.load()) return;
    say_not_repeatable("the time for preparing is over, and the search has to do with what there is");
    main_->hurry();
    constexpr std::chrono::seconds to_come_to_an_end(30);
    if (without_clock()) main_->wait_until_made(Deadline::after(to_come_to_an_end));
}

void Player::replace(std::shared_ptr<Thinker>& place, std::shared_ptr<Thinker> by) {
    const std::scoped_lock lock(thinkers_);
    std::swap(place, by);
    if (aborted_.load() && place) place->abort();
    if (!by) return;
    by->abort();
    retired_.push_back(std::move(by));
}

bool Player::start(std::shared_ptr<const machine::Game> game, machine::Role role, Clocks clocks, TimePoint received) {
    game_ = std::move(game);
    role_ = role;
    // More than this nobody waits for, and points in time stay within what the clock can tell.
    constexpr Seconds longest{1e7};
    clocks = {std::clamp(clocks.start, Seconds(0), longest), std::clamp(clocks.play, Seconds(0), longest)};
    clocks_ = clocks;
    reply_margin_ = Margin(std::max(settings_.reply_margin, std::min(clocks.play / 20, Seconds(0.2))));
    {
        const std::scoped_lock lock(thinkers_);
        built_ = std::make_shared<BuiltGame>();
        if (aborted_.load()) built_->close();
    }
    TimePoint end = later(received, clocks.start - capped(settings_.reply_margin + clocks.start * 0.02, clocks.start));
    if (without_clock()) end = later(received, settings_.patience);
    replace(main_, make_main(received, end));
    try {
        tracker_ = std::make_unique<Tracker>(game_);
        if (begin_at_) {
            for (const std::string& name : tracker_->stand_at(*begin_at_)) say(fmt::format("no fluent: {}", name));
        }
    } catch (const std::exception& fault) {
        say(fmt::format("these rules cannot be run: {}", fault.what()));
        return false;
    }
    say(fmt::format("{} plays {}; legal moves can be told after {:.1f} ms", recipe_.text(),
                    tracker_->machine().role_name(role_), 1000 * seconds_between(received, Deadline::Clock::now())));

    if (nodes()) {
        say(fmt::format("{} nodes a move{}", *nodes(), without_clock() ? ", and no clock" : ", within the clock"));
    }
    await_main(end);
    catch_up();
    if (!main_in_use_ && !main_failed_) say("the start clock ends before the search is ready");
    if (main_in_use_ && ponders() && !main_->engine()->solved && !tracker_->terminal()) {
        main_->begin({tracker_->state(), role_, Deadline{end}, true});
        const Thought thought = main_->wait(Deadline{end});
        if (thought.choice) say(fmt::format("start clock: {}", summary(*thought.choice)));
    }
    return true;
}

void Player::catch_up() {
    if (main_in_use_ || main_failed_) return;
    if (const BuiltGame::Game game = built_->get()) use_machines(game);
    switch (main_->wait_until_made(Deadline{Deadline::Clock::now()})) {
        case Thinker::Phase::making:
            break;
        case Thinker::Phase::ready:
            use_main();
            break;
        case Thinker::Phase::failed:
            main_failed_ = true;
            say(fmt::format("the search could not be made: {}", main_->fault()));
            break;
    }
}

void Player::use_machines(const BuiltGame::Game& game) {
    if (tracker_->game() == game) return;
    const std::vector<std::string> lost = tracker_->use(game);
    if (!lost.empty()) {
        say(fmt::format("unknown to the {}: {}", machine::to_string(game->kind()), fmt::join(lost, " ")));
    }
    replace(interim_, nullptr);  // it knows other machines
}

void Player::use_main() {
    const Engine* engine = main_->engine();
    use_machines(engine->problem.game);
    say(fmt::format("search: {}", engine->search_name));
    main_in_use_ = true;
    replace(interim_, nullptr);
}

void Player::take_report(std::span<const std::string> last) {
    if (last.empty()) {
        if (turn_ > 1) say("no moves were reported; the state is taken to be the same as before");
        return;
    }
    const std::size_t own = ground::index(role_);
    if (!answered_.empty() && own < last.size() && last[own] != answered_) {
        say(fmt::format("our move {} was not taken; {} was made instead", answered_, last[own]));
    }
    reports_.emplace_back(last.begin(), last.end());
}

void Player::follow_reports() {
    while (!reports_.empty()) {
        for (const std::string& problem : tracker_->follow(reports_.front())) say(problem);
        reports_.pop_front();
    }
}

void Player::locate(Turn& turn) {
    const auto look = [&] {
        follow_reports();
        tracker_->legal(role_);
        turn.over = tracker_->terminal();
    };
    // In a large game the interpreter may need longer than there is. If most of the time did not suffice, the rest
    // would not either, but the circuit may be there by then.
    const Seconds all = turn.wait_until.when() - turn.received;
    tracker_->set_deadline(Deadline{later(turn.received, all * 0.75)});
    try {
        look();
    } catch (const machine::LimitExceeded&) {
        const BuiltGame::Game game = built_->wait(Deadline::earlier(turn.search_until, turn.wait_until));
        if (!game || game == tracker_->game()) throw;
        use_machines(game);
        tracker_->set_deadline(turn.wait_until);
        look();
    }
}

Answer Player::any_legal(Answer::Source source) {
    Answer answer;
    answer.source = source;
    const std::vector<machine::Move>& legal = tracker_->legal(role_);
    const machine::Move move = legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
    answer.move = tracker_->machine().move_name(move);
    answer.choice.move = move;
    return answer;
}

Answer Player::judge(const Thought& thought) {
    if (!thought.fault.empty()) say(fmt::format("the search failed: {}", thought.fault));
    if (!thought.finished) say("the search is late and is no longer waited for");
    if (!thought.choice || !thought.choice->move) return any_legal(Answer::Source::fallback);
    if (!std::ranges::binary_search(tracker_->legal(role_), *thought.choice->move)) {
        say("the search chose a move that is not legal");
        return any_legal(Answer::Source::fallback);
    }
    Answer answer;
    answer.source = thought.finished && thought.fault.empty() ? Answer::Source::search : Answer::Source::report;
    answer.choice = *thought.choice;
    answer.move = tracker_->machine().move_name(*answer.choice.move);
    return answer;
}

std::shared_ptr<Thinker> Player::thinker_for(const Turn& turn) {
    if (!main_in_use_ && !main_failed_ && (built_->get() || without_clock())) {
        // The long part of preparing is over; the search itself should be there soon.
        main_->wait_until_made(without_clock() ? turn.wait_until : Deadline{later(turn.received, clocks_.play / 2)});
        catch_up();
    }
    if (main_in_use_) return main_;
    if (!interim_) replace(interim_, make_interim());
    return interim_;
}

Answer Player::decide(const Turn& turn) {
    const std::size_t choices = tracker_->legal(role_).size();
    if (choices == 0) return {"nil", Answer::Source::nothing, {}};
    if (choices == 1) return any_legal(Answer::Source::only_move);
    if (aborted_.load()) return any_legal(Answer::Source::fallback);
    const std::shared_ptr<Thinker> thinker = thinker_for(turn);
    thinker->begin({tracker_->state(), role_, turn.search_until, false, nodes()});
    Thought thought = thinker->wait(turn.wait_until);
    // A search that never returned was at least this late.
    const TimePoint ended = thought.finished ? thought.finished_at : Deadline::Clock::now();
    if (!without_clock() && !aborted_.load()) search_margin_.learn(ended - turn.search_until.when());
    const TimePoint enough = without_clock() ? turn.wait_until.when() : turn.search_until.when();
    if (nodes() && ended >= enough && !aborted_.load()) {
        say_not_repeatable(
            fmt::format("the search of turn {} ended by the clock and not by its {} nodes", turn_, *nodes()));
    }
    if (without_clock() && !thought.finished) {
        thinker->cancel();
        thought = thinker->wait(Deadline::after(settings_.grace));
    }
    return judge(thought);
}

Answer Player::play(std::span<const std::string> last, TimePoint received) {
    ++turn_;
    Turn turn;
    turn.received = received;
    const TimePoint end = later(
        received, without_clock() ? settings_.patience : clocks_.play - capped(reply_margin_.value(), clocks_.play));
    turn.wait_until = Deadline{end};
    turn.search_until =
        without_clock() ? Deadline::never() : Deadline{later(end, -capped(search_margin_.value(), clocks_.play))};
    Answer answer{"nil", Answer::Source::nothing, {}};
    if (!tracker_) return answer;
    const std::shared_ptr<Thinker>& busy = main_in_use_ ? main_ : interim_;
    if (busy) busy->cancel();
    take_report(last);
    try {
        if (!aborted_.load()) catch_up();
        locate(turn);
        if (!turn.over) {
            answer = decide(turn);
        } else if (!tracker_->legal(role_).empty()) {
            say("a move is asked for although the game is over");
            answer = any_legal(Answer::Source::fallback);
        }
    } catch (const std::exception& fault) {
        // The interpreter had too little time, or memory ran out: something that was a move before is better than none.
        say(fmt::format("where the match stands is not known: {}", fault.what()));
        if (!tracker_->known_legal(role_).empty()) {
            answer = any_legal(Answer::Source::fallback);
        } else if (!only_move_.empty()) {
            answer.move = only_move_;
        }
    }
    if (answer.source == Answer::Source::only_move) only_move_ = answer.move;
    answered_ = answer.move;
    const TimePoint now = Deadline::Clock::now();
    reply_margin_.learn(now - end);
    const bool thought = answer.source == Answer::Source::search || answer.source == Answer::Source::report;
    say(fmt::format("turn {}: {} ({}{}) after {:.3f} s", turn_, answer.move, to_string(answer.source),
                    thought ? ": " + summary(answer.choice) : "", seconds_between(received, now)));
    ponder_after(answer);
    return answer;
}

void Player::watch(std::span<const std::string> last, TimePoint received) {
    ++turn_;
    if (!tracker_) return;
    take_report(last);
    answered_.clear();
    try {
        // At once, so that many of them do not use up the clock of the first move that is the player's own.
        tracker_->set_deadline(Deadline{later(received, clocks_.play)});
        follow_reports();
    } catch (const std::exception&) {
        // What could not be followed by now is followed later.
    }
}

bool Player::fits(std::span<const std::string> moves, Deadline deadline) {
    if (!tracker_ || !reports_.empty()) return true;
    try {
        if (!aborted_.load()) catch_up();
        tracker_->set_deadline(deadline);
        return tracker_->fits(moves);
    } catch (const std::exception&) {
        return true;
    }
}

void Player::ponder_after(const Answer& answer) {
    if (!ponders() || !main_in_use_ || aborted_.load() || answer.source == Answer::Source::nothing) return;
    if (answer.choice.proved || main_->engine()->solved) return;
    main_->begin({tracker_->state(), role_, Deadline::never(), true});
}

void Player::stop() {
    replace(interim_, nullptr);
    replace(main_, nullptr);
    main_in_use_ = false;
    retired_.clear();
    tracker_.reset();
}

void Player::abort() {
    aborted_.store(true);
    const std::scoped_lock lock(thinkers_);
    if (built_) built_->close();
    if (main_) main_->abort();
    if (interim_) interim_->abort();
}

}  // namespace stratagem::player
