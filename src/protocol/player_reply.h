// What players say to their manager, read as tolerantly as they are written: NULs and line ends around an answer,
// blanks in it, any case, quotes around it, a word in parentheses, remarks behind a move.
#pragma once

#include <string>
#include <string_view>

namespace stratagem::protocol {

struct MoveReply {
    std::string move;   // in normal form (kif_text.h); empty when there is none
    std::string fault;  // why not, in words for people
};

// One word or list. Behind it, (explanation "…") and (taunt "…") may follow, as some players want to be understood;
// anything else makes it no move.
MoveReply read_move(std::string_view text);

// To START. `odd` says what else than READY an answer was, for people to know; empty for READY.
struct StartReply {
    bool ready = false;
    bool busy = false;
    std::string odd;
};
StartReply read_start_reply(std::string_view text);

}  // namespace stratagem::protocol
