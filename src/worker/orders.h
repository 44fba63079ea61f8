// What a match and its processes say to each other, as values and as JSON.
//
//   to a process:  prepare, start, play, watch, fits, ping
//   from it:       prepared, opening, answer, fit, log, pong
//
// Reading throws FrameError for whatever is not one of these: a process that writes such a thing is not trusted again.
// Points in time are those of the steady clock, which all processes of a computer share.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "player/text_player.h"

namespace stratagem::worker {

using player::TimePoint;
using JointMove = std::vector<std::string>;

struct StartOrder {
    std::string recipe;               // empty: only follow the match, and name legal moves
    player::PlayerSettings settings;  // without what cannot be sent: its log and prepared machines
    player::TextMatch match;
    TimePoint received;
    std::vector<JointMove> history;  // reports of turns that are over
};

// Builds the machines of a game before any clock runs; the start that follows is of a match of this game.
struct PrepareOrder {
    machine::MachineOptions machine;
    player::TextMatch match;
};

struct PlayOrder {
    std::uint64_t turn = 0;
    JointMove last;
    TimePoint received;
};

struct WatchOrder {
    JointMove last;
    TimePoint received;
};

struct FitsOrder {
    std::uint64_t number = 0;
    JointMove moves;
    TimePoint until;
};

// Answered at once, whatever else is under way.
struct Ping {};

using Order = std::variant<PrepareOrder, StartOrder, PlayOrder, WatchOrder, FitsOrder, Ping>;

nlohmann::json to_json(const Order& order);
Order read_order(const nlohmann::json& message);

// The order to prepare was carried out, as far as it could be.
struct Prepared {};

struct AnswerWord {
    std::uint64_t turn = 0;
    player::Answer answer;  // moves by name only: numbers mean nothing in another process
    bool starved = false;   // memory ran out since the answer before
};

struct FitWord {
    std::uint64_t number = 0;
    std::optional<bool> fits;
};

struct LogWord {
    std::string line;
};

struct Pong {};

using Word = std::variant<Prepared, player::Opening, AnswerWord, FitWord, LogWord, Pong>;

nlohmann::json to_json(const Word& word);
Word read_word(const nlohmann::json& message);

}  // namespace stratagem::worker
