// One match, with a referee who trusts no player.
//
// The referee keeps the state on a machine of its own. Players of this process are asked one after the other, each with
// its own clock, so that those who think at the same time in the game do not share the processor; with pondering the
// others may search meanwhile. Players elsewhere are asked at the same time, a thread for each, while those here think.
// What is late, illegal or does not come is marked and replaced by a random legal move, as game managers do. A role
// named `random` is chance: it has no player, and the referee throws the dice.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/game.h"
#include "machine/stop.h"
#include "player/agent.h"
#include "player/player.h"

namespace stratagem::arena {

// What was wrong with an answer. Late goes before illegal: a late answer is not looked at.
enum class Fault : std::uint8_t { none, illegal, late, unreachable };
// As match records have it: "", "IL", "TO", "CE".
std::string_view to_string(Fault fault);

struct MatchSettings {
    std::string id;  // empty: made from the seed
    player::Clocks clocks;
    player::Seconds grace{1};       // on top of the play clock, for the way to players elsewhere and back
    player::PlayerSettings player;  // of players made from recipes; the seed is agent_seed() of each
    bool players_prepare = false;   // each grounds the rules by itself, as it would in the world
    std::uint64_t seed = 1;
    // So many random moves of all roles come first, so that players who always choose the same do not play one match
    // again and again. Fewer where the game would end. Matches with the same opening seed have the same opening.
    std::size_t opening = 0;
    std::uint64_t opening_seed = 1;
    // Where the match begins: after these joint moves, by role, before any random ones; or where these fluents hold,
    // which needs players that can be told so (Agent::begins_anywhere).
    std::vector<std::vector<std::string>> first_moves = {};
    std::optional<std::vector<std::string>> state = {};
    bool abort_on_error = false;     // the first illegal, late or missing answer ends the match, without scores
    std::size_t max_steps = 10'000;  // a match that goes on longer is ended without scores
    machine::Stop stop;              // ends the match at once, without scores
    bool keep_states = false;        // in the result, for records
    // Lines of a player's log and what the referee has to say of it; the number of the seat. From any thread.
    std::function<void(std::size_t seat, std::string_view line)> log = {};
    // After each step: the joint move.
    std::function<void(std::span<const std::string> moves)> on_step = {};
};

// What one player did.
struct SeatResult {
    std::string player;  // its name: a recipe, an address, or as people called it
    std::string role;
    int score = 0;  // no goal value counts as 0
    std::size_t illegal = 0;
    std::size_t late = 0;
    std::size_t unreachable = 0;
    Fault start = Fault::none;  // it was not ready when the start clock ended; among the counts if that ended the match
    std::size_t fallbacks = 0;  // legal and in time, but not by a search that returned
    std::size_t searches = 0;   // moves it searched for
    std::uint64_t states = 0;   // nodes, or playouts where there are more
    double seconds = 0;         // spent searching
    double slowest = 0;         // the longest reply, in seconds
    // The next two are not kept in stores.
    std::size_t answers = 0;   // that came, whatever they were worth, "ready" included; none: it was never there
    std::string problem = {};  // the last reason why none came

    std::size_t errors() const { return illegal + late + unreachable; }
    friend bool operator==(const SeatResult&, const SeatResult&) = default;
};

// What a player of this program thought when it chose a move.
struct Thought {
    std::string source = "search";  // where the move came from, as player::Answer has it
    double value = 50;              // for its role, in [0, 100]
    bool proved = false;
    std::uint64_t depth = 0;
    std::uint64_t nodes = 0;
    std::uint64_t playouts = 0;
    double seconds = 0;
    std::string note;  // what decided, in a few words

    friend bool operator==(const Thought&, const Thought&) = default;
};

struct MatchResult {
    std::string id;
    std::uint64_t seed = 0;
    std::int64_t started = 0;  // milliseconds of the time of day
    bool complete = false;     // came to an end by the rules, or where a role has no move
    bool cut_short = false;    // ended after `max_steps`, as was asked for
    bool error_ended = false;  // ended at the first error of a player, as was asked for
    std::string problem;       // why it is not complete, unless it was stopped
    std::string rules_fault;   // what its end shows to be wrong with the rules: no move, no goal value; mostly empty
    bool own_start = false;    // did not begin where the rules say
    std::size_t steps = 0;
    double seconds = 0;
    std::vector<std::string> roles;  // chance included
    std::vector<SeatResult> seats;
    std::vector<int> goals;  // by role, in the last state; empty unless complete
    // One for each step, by role.
    std::vector<std::vector<std::string>> moves;
    std::vector<std::vector<Fault>> faults;
    std::vector<std::vector<std::string>> fault_notes;  // where there was a fault: what was answered, or what happened
    std::vector<std::vector<double>> reply_seconds;
    std::vector<std::vector<std::optional<Thought>>> thoughts;  // nothing where that is not known
    std::vector<std::vector<std::uint32_t>> legal_counts;       // how many moves there were to choose from
    // One for each state, the first and the last included: when it was reached, in milliseconds of the time of day, and
    // with keep_states the fluents that hold, "(cell 1 1 b) (control x)".
    std::vector<std::int64_t> state_times;
    std::vector<std::string> states;
};

// The roles that need a player: all but those named `random`.
std::vector<machine::Role> seats_of(const machine::Machine& machine);

// The seed of the player in this seat of the match with this seed; does not depend on who has the other seats.
std::uint64_t agent_seed(std::uint64_t match_seed, std::size_t seat);

// One agent for each seat, new for this match. Throws what machines throw when the referee cannot run the game, and
// std::invalid_argument where it cannot begin as the settings say.
MatchResult play_match(const std::shared_ptr<const machine::Game>& game,
                       std::span<const std::unique_ptr<player::Agent>> agents, const MatchSettings& settings);

// The same between players of this process, which get the game of the referee unless `players_prepare`.
MatchResult play_match(const std::shared_ptr<const machine::Game>& game, std::span<const player::Recipe> recipes,
                       const MatchSettings& settings);

}  // namespace stratagem::arena
