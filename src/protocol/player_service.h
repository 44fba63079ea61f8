// The player side of the protocol, message by message: what is said to each of them, and which matches are played.
//
// Knows nothing of HTTP but the numbers of its replies. Used from many threads at a time; the table of matches is
// locked for moments only, so that INFO is answered while others think.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "protocol/served_match.h"

namespace stratagem::protocol {

struct ServiceSettings {
    player::Recipe recipe{"best"};
    player::PlayerSettings player;  // its log is replaced: lines begin with the match
    // Makes the player of each match, which writes to this log. Empty: players of this process, by the recipe.
    std::function<std::unique_ptr<player::TextPlayer>(player::Log)> make_player = {};
    std::string name = "stratagem";
    bool info_as_word = false;  // INFO is answered with the bare word for managers that expect it
    std::size_t matches = 1;    // at a time
    // A match is given up after so long without a message; 0: the start clock and five play clocks, at least 30 s.
    Seconds idle{0};
    player::Log log = {};  // from any thread, one line at a time
};

class PlayerService {
  public:
    explicit PlayerService(ServiceSettings settings);
    // Gives all matches up.
    ~PlayerService();
    PlayerService(const PlayerService&) = delete;
    PlayerService& operator=(const PlayerService&) = delete;

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
    // Ends it, and takes it off the table when nothing of it runs any more: until then its place is not free.
    void forget(const Match& match);
    // A match that was ended a while ago: managers that lost the reply say so again.
    bool was_ended(const std::string& id) const;
    // Looks for matches nobody speaks of any more.
    void tidy();
    void say(std::string_view line);

    const ServiceSettings settings_;
    mutable std::mutex mutex_;
    std::map<std::string, Match> matches_;
    std::deque<std::string> ended_;  // the names of the last ones
    bool closed_ = false;
    std::condition_variable changed_;
    std::mutex log_;
    std::thread tidier_;
};

}  // namespace stratagem::protocol
