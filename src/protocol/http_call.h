// One message to a player elsewhere, and what it answers, held to a deadline.
//
// Players are written by hand more often than not, their servers included: header lines end in bare line feeds, lengths
// are missing or wrong, a newline follows the answer. libcurl forgives most of that, and what can be understood is
// taken. Two things it leaves to us: how long the head of an answer may be, and lengths announced too short.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "player/player.h"
#include "protocol/player_address.h"
#include "util/deadline.h"

namespace stratagem::protocol {

// Of an answer. A move is a line; these leave room for the oddest player and none for one that never ends.
inline constexpr std::size_t longest_answer_head = std::size_t{64} << 10;
inline constexpr std::size_t longest_answer = std::size_t{1} << 20;

struct CallResult {
    enum class Kind {
        answered,  // with whatever status
        late,      // somebody is there, but the answer was not complete in time
        failed,    // nobody is there, or what came is no answer
        aborted,
    };

    Kind kind = Kind::failed;
    int status = 0;  // of an answer: 0 when it came without a head, as in HTTP/0.9
    std::string text;
    std::string problem;   // unless answered: what happened, in words for people
    bool unheard = false;  // the message cannot have got there, as no connection came about
};

class HttpCall {
  public:
    HttpCall();
    ~HttpCall();
    HttpCall(const HttpCall&) = delete;
    HttpCall& operator=(const HttpCall&) = delete;

    // Returns when there is an answer, and at the latest after `patience`: looking the name up, connecting (for which
    // `connect` is the limit), sending and reading all count.
    // Pre: called once.
    CallResult post(const PlayerAddress& address, const std::vector<std::string>& fields, const std::string& message,
                    player::Seconds patience, player::Seconds connect);

    // From any thread, at any time: post() returns at once.
    void abort();

  private:
    class Transfer;
    std::unique_ptr<Transfer> transfer_;
};

}  // namespace stratagem::protocol
