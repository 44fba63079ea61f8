// One playing agent: from rules, a role and two clocks to moves that are legal and in time.
//
// Three things run beside each other, so that none can make the others late:
//
//   the tracker (tracker.h), in the caller's thread, knows where the match stands and which moves are legal; it starts
//   with the interpreter, so there is a legal move within milliseconds;
//   the main thinker (thinker.h) grounds the rules, builds the circuit, observes the game, makes the search, and then
//   searches; pondering in the others' time;
//   an interim thinker searches with what machines there are as long as the main one is not ready.
//
// With a number of nodes (PlayerSettings::nodes, or the option of a recipe) in the place of a clock, each move is
// searched with just that many, and the same seed gives the same match: nothing is decided by time, neither what is
// prepared nor which of several thinkers answers, nobody ponders, and one thread searches. Where the settings give the
// number, the clocks are not looked at; where the recipe does, they still hold, and a search they end early is named in
// the log.
//
// A move is asked for a margin before the clock ends, learned from how late searches were (margin.h). Whatever fails,
// the answer is the best move reported so far, or any legal one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/random.h"
#include "player/built_game.h"
#include "player/journal.h"
#include "player/margin.h"
#include "player/recipe.h"
#include "player/thinker.h"
#include "player/tracker.h"

namespace stratagem::player {

using Seconds = std::chrono::duration<double>;
using TimePoint = Deadline::Clock::time_point;

struct Clocks {
    Seconds start{10};
    Seconds play{10};
};

struct PlayerSettings {
    search::SearchSettings search;  // what the recipe says goes before
    bool ponder = true;             // likewise
    // For each move, and no clock decides anything; the recipe goes before.
    std::optional<std::uint64_t> nodes = {};
    // Only with `nodes`: nothing takes longer than this, and what would is cut short, which the log calls out.
    Seconds patience{600};
    machine::MachineOptions machine;  // the limit of building counts from the end of the start clock
    // The game is made ready by the player, within its clock, as it would be in the world; otherwise what start() is
    // given is ready: for matches in one process.
    bool prepares = true;
    // For what happens after play() has returned, and for being woken late on a busy computer: at least this, and a
    // twentieth of the play clock up to 0.2 s. Managers far away need more.
    Seconds reply_margin{0.020};
    Seconds search_margin{0.010};           // for searches to return, until it is learned how late they are
    std::chrono::milliseconds grace{2000};  // for threads to end, before they are left behind
    Log log = {};                           // one line for each event, from any thread, one at a time
};

// For machines that are made before the player and outside of it (PlayerSettings::prepares): building them is cut short
// by memory alone.
machine::MachineOptions without_clock(machine::MachineOptions options, const PlayerSettings& settings);

struct Answer {
    enum class Source : std::uint8_t {
        search,
        only_move,  // there was no choice
        report,     // the search was late or failed; the best it had said by then
        fallback,   // any legal move
        nothing,    // no legal move is known; the move is "nil"
    };

    std::string move;  // lower-case prefix KIF
    Source source = Source::nothing;
    search::Choice choice;  // what the search thought, if it did
};
std::string_view to_string(Answer::Source source);

// For one match; used by one thread, but for abort().
class Player {
  public:
    explicit Player(Recipe recipe, PlayerSettings settings = {});
    ~Player();
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    const Recipe& recipe() const { return recipe_; }

    // Before start(): the match will not begin where the rules say, but where these fluents hold.
    void begin_at(std::vector<std::string> fluents) { begin_at_ = std::move(fluents); }

    // Prepares within the start clock, which began when the message was received, and goes on preparing and pondering
    // afterwards. Returns early when there is nothing more to do. False when these rules cannot be run at all.
    // Called once.
    bool start(std::shared_ptr<const machine::Game> game, machine::Role role, Clocks clocks,
               TimePoint received = Deadline::Clock::now());

    // The joint move made last (nothing in the first turn), by names in the order of roles; answers within the play
    // clock.
    Answer play(std::span<const std::string> last, TimePoint received = Deadline::Clock::now());

    // The same where the move is not the player's to choose: nothing is searched, and nothing answered.
    void watch(std::span<const std::string> last, TimePoint received = Deadline::Clock::now());

    // Whether these moves can be made where the match stands, for whoever must tell a report from a forgery before it
    // is played on. True when that cannot be told by the deadline.
    bool fits(std::span<const std::string> moves, Deadline deadline);

    // The match is over. Lets go of everything.
    void stop();

    // From any thread: whatever is under way returns at once, with what it has; nothing new is begun.
    void abort();

  private:
    struct Turn;

    std::shared_ptr<Thinker> make_main(TimePoint received, TimePoint start_deadline);
    // The same search on the machines the tracker has now.
    std::shared_ptr<Thinker> make_interim();
    // Without waiting for what was there before, which is told to stop.
    void replace(std::shared_ptr<Thinker>& place, std::shared_ptr<Thinker> by);
    bool ponders() const { return !nodes() && recipe_.ponder().value_or(settings_.ponder); }
    std::optional<std::uint64_t> nodes() const { return recipe_.nodes() ? recipe_.nodes() : settings_.nodes; }
    bool without_clock() const { return settings_.nodes.has_value(); }
    // Once a match.
    void say_not_repeatable(const std::string& why);
    // Until the main search is made, or has to be used as it is.
    void await_main(TimePoint end);
    void say(const std::string& line) { journal_->write(line); }

    // Takes into use what has become ready: machines for the tracker, the main thinker.
    void catch_up();
    void use_machines(const BuiltGame::Game& game);
    void use_main();

    void take_report(std::span<const std::string> last);
    void follow_reports();
    // Brings the tracker up to date and finds the legal moves.
    void locate(Turn& turn);
    std::shared_ptr<Thinker> thinker_for(const Turn& turn);
    Answer decide(const Turn& turn);
    Answer judge(const Thought& thought);
    Answer any_legal(Answer::Source source);
    void ponder_after(const Answer& answer);

    Recipe recipe_;
    PlayerSettings settings_;
    std::shared_ptr<Journal> journal_;
    std::shared_ptr<const machine::Game> game_;  // as it was given
    machine::Role role_{0};
    Clocks clocks_;
    machine::Random random_;
    std::optional<std::vector<std::string>> begin_at_;
    std::unique_ptr<Tracker> tracker_;
    std::deque<std::vector<std::string>> reports_;  // not yet followed: more than one after a turn with too little time
    std::shared_ptr<BuiltGame> built_;
    std::atomic<bool> aborted_{false};
    std::mutex thinkers_;  // guards the two pointers, for abort()
    std::shared_ptr<Thinker> main_;
    std::shared_ptr<Thinker> interim_;
    std::vector<std::shared_ptr<Thinker>> retired_;  // told to stop; waited for at the end
    bool main_in_use_ = false;
    bool main_failed_ = false;
    bool said_not_repeatable_ = false;
    Margin reply_margin_;
    Margin search_margin_;
    std::string answered_;   // our last move
    std::string only_move_;  // the last one we had to make
    std::size_t turn_ = 0;
};

}  // namespace stratagem::player
