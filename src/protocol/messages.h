// The messages of the GGP protocol: what a game manager says to a player.
//
// Reading is tolerant of case, white space and comments, and never throws: what is no message comes back as a fault
// with its place. Words that belong to the game (match, role, moves) are folded to lower case like everything inside;
// rules stay text, which the language room reads.
//
//   Love, Hinrichs, Haley, Schkufza, Genesereth, "General Game Playing: Game Description Language Specification"
//   (2008), appendix B; for GDL-II: Thielscher, "A General Game Description Language for Incomplete Information Games"
//   (2010).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace stratagem::protocol {

struct InfoMessage {
    bool operator==(const InfoMessage&) const = default;
};

struct PreviewMessage {
    std::string rules;
    double start_clock = 0;

    bool operator==(const PreviewMessage&) const = default;
};

struct StartMessage {
    std::string match;
    std::string role;
    std::string rules;  // without the parentheses around all of them
    double start_clock = 0;
    double play_clock = 0;

    bool operator==(const StartMessage&) const = default;
};

// GDL-II: a player hears of its own move and of what it sees, not of the moves of others.
struct Sight {
    std::uint64_t turn = 0;
    std::string own_move;  // empty: none was made
    std::vector<std::string> percepts;

    bool operator==(const Sight&) const = default;
};

// What happened since the last message.
struct TurnReport {
    std::vector<std::string> moves;  // in the order of roles; empty in the first turn (NIL)
    std::optional<Sight> sight;      // instead of moves

    bool operator==(const TurnReport&) const = default;
};

struct PlayMessage {
    std::string match;
    TurnReport report;

    bool operator==(const PlayMessage&) const = default;
};

struct StopMessage {
    std::string match;
    TurnReport report;

    bool operator==(const StopMessage&) const = default;
};

struct AbortMessage {
    std::string match;

    bool operator==(const AbortMessage&) const = default;
};

using Message = std::variant<InfoMessage, PreviewMessage, StartMessage, PlayMessage, StopMessage, AbortMessage>;

struct MessageResult {
    std::optional<Message> message;
    std::string fault;  // why there is none
    std::size_t at = 0;

    bool ok() const { return message.has_value(); }
};

// All kinds but those with rules are refused above this length.
inline constexpr std::size_t max_short_message = std::size_t{1} << 20;

MessageResult read_message(std::string_view text);

// As it goes over the wire. read_message() gives the same message again.
std::string to_text(const Message& message);

// START, PLAY, …
std::string_view kind_name(const Message& message);

// (name stratagem) of ((name stratagem) (status available)), in lower case; a bare word is the status.
struct PlayerInfo {
    std::string name;
    std::string status;
};
PlayerInfo read_info_reply(std::string_view text);

}  // namespace stratagem::protocol
