// One match of the player side: a player, and which messages it gets to hear.
//
// Over the wire anything may come at any time: a message twice, one of a turn that is over, moves nobody could have
// made. What the player hears cannot be taken back, so it hears only what can be true: joint moves that fit where the
// match stands. The rest is refused, and the match goes on. Should nothing fit for long, then it is we who are mistaken
// (a message got lost), and the report is followed after all.
#pragma once

#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "player/text_player.h"
#include "protocol/http_server.h"
#include "protocol/messages.h"
#include "protocol/translation.h"

namespace stratagem::protocol {

using player::Seconds;
using player::TimePoint;

class ServedMatch {
  public:
    // `message` is what it was started by; `idle` the longest silence, or 0 for one that follows from the clocks.
    ServedMatch(StartMessage message, std::unique_ptr<player::TextPlayer> player, Seconds idle);

    const std::string& id() const { return message_.match; }
    bool started_by(const StartMessage& message) const { return message_ == message; }
    // The clocks that are kept, where they are not those of the message: a line for the log, or nothing.
    std::string about_clocks() const;

    // Prepares within the start clock. READY, or why the match cannot be played. Never throws.
    // Pre: called once, before the others get to know this match but for wait_until_started() and abort().
    HttpReply start(TimePoint received);
    // For a message that came again: READY when the first one is through.
    HttpReply wait_until_started();
    // The move, in the spelling of the rules.
    HttpReply play(const TurnReport& report, TimePoint received);
    // DONE, after which the match is to be forgotten, or why not.
    HttpReply stop(const TurnReport& report);
    // From any thread: what is under way returns at once.
    void abort();
    // After abort() or stop(): returns when nothing of this match runs any more. From any thread.
    void end();

    // Nobody has been heard of for too long.
    bool abandoned(TimePoint now) const;

  private:
    enum class Phase { starting, waiting, thinking, over };
    using Lock = std::unique_lock<std::mutex>;

    HttpReply prepare(TimePoint received);
    // What is known of the rules by now.
    const player::Opening& opening();
    // Why a report in this form cannot be of this match; empty when it can.
    std::string wrong_form(const TurnReport& report);
    // As a joint move; what a player of GDL-II is not told is left open.
    std::vector<std::string> joint_move(const TurnReport& report);
    // How long may be spent on finding out whether moves fit.
    Deadline moment() const;
    bool is_repetition(const TurnReport& report, const std::vector<std::string>& moves);
    HttpReply answered() const { return {200, spelling_.get()(answered_)}; }
    // Whether moves may be passed on to the player; keeps account of doubts.
    bool believable(const std::vector<std::string>& moves, TimePoint now);
    HttpReply think(Lock& lock, const TurnReport& report, std::vector<std::string> moves, TimePoint received);
    // Waits until nothing is under way. Refuses, with a text, when that is not to be waited for.
    std::string wait_for_turn(Lock& lock);
    void heard(TimePoint now);

    const StartMessage message_;
    const player::Clocks clocks_;
    std::unique_ptr<player::TextPlayer> player_;
    Seconds longest_silence_;
    // Found while the player prepares: in rules of megabytes it takes a while.
    std::shared_future<Translation> spelling_;
    player::Opening opening_;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    Phase phase_ = Phase::starting;
    std::size_t waiters_ = 0;
    bool inside_ = false;             // the player is starting or thinking
    bool ended_ = false;              // somebody lets go of the player
    bool gone_ = false;               // and has done so
    HttpReply started_;               // the reply to START
    TurnReport report_;               // the one answered last, or being answered
    std::vector<std::string> moves_;  // the same as a joint move
    std::size_t turns_ = 0;
    std::string answered_;  // lower case
    TimePoint due_;         // when the answer under way must be there
    TimePoint last_heard_;
    TimePoint doubt_since_;  // the first message refused since; max for none
    TimePoint stopped_at_;   // a STOP that was not believed; max for none
};

}  // namespace stratagem::protocol
