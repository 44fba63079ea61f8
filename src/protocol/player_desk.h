// The player side of the protocol, message by message: what is said to each of them, and which matches are played.
//
// Knows nothing of HTTP but the numbers of its replies. Used from many threads at a time; the table of matches is
// locked for moments only, so that INFO is answered while others think.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "protocol/served_match.h"

namespace stratagem::protocol {

struct DeskSettings {
    player::Recipe recipe{"best"};
    player::PlayerSettings player;  // its log is replaced: lines begin with the match
    std::string name = "stratagem";
    bool info_as_word = false;  // INFO is answered with the bare word for managers that expect it
    std::size_t matches = 1;    // at a time
    // A match is given up after so long without a message; 0: the start clock and five play clocks, at least 30 s.
    Seconds idle{0};
    player::Log log = {};  // from any thread, one line at a time
};

class PlayerDesk {
  public:
    explicit PlayerDesk(DeskSettings settings);
    // Gives all matches up.
    ~PlayerDesk();
    PlayerDesk(const PlayerDesk&) = delete;
    PlayerDesk& operator=(const PlayerDesk&) = delete;

    // Returns when there is something to say: for START and PLAY that may take as long as their clocks.
    HttpReply answer(const Message& message, TimePoint received);

    // Nothing is under way after this, and nothing new begins.
    void close();
    std::size_t matches() const;

  private:
    using Match = std::shared_ptr<ServedMatch>;

    HttpReply on(const InfoMessage& message, TimePoint received);
    HttpReply on(const PreviewMessage& message, TimePoint received);
    HttpReply on(const StartMessage& message, TimePoint received);
    HttpReply on(const PlayMessage& message, TimePoint received);
    HttpReply on(const StopMessage& message, TimePoint received);
    HttpReply on(const AbortMessage& message, TimePoint received);

    Match find(const std::string& id) const;
    Match make(const StartMessage& message);
    // Takes it off the table, if it is still there, and ends it in good time.
    void forget(const Match& match);
    // Looks for matches nobody speaks of any more, and puts away those that ended.
    void tidy();
    void say(std::string_view line);

    const DeskSettings settings_;
    mutable std::mutex mutex_;
    std::map<std::string, Match> matches_;
    std::vector<Match> ended_;  // for the tidying thread: ending their searches may take a moment
    bool closed_ = false;
    std::condition_variable changed_;
    std::mutex reading_;  // rules are read one match at a time: reading takes memory
    std::mutex log_;
    std::thread tidier_;
};

}  // namespace stratagem::protocol
