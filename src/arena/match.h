// One match between players in this process, with a referee who trusts none of them.
//
// The referee keeps the state on a machine of its own. Players are asked one after the other, each with its own clock,
// so that those who think at the same time in the game do not share the processor; with pondering the others may search
// meanwhile. A move that is illegal or late is counted and replaced by a random legal one, as game managers do. A role
// named `random` is chance: it has no player, and the referee throws the dice.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gdl/description.h"
#include "machine/make_machine.h"
#include "machine/stop.h"
#include "player/player.h"

namespace stratagem::arena {

struct MatchSettings {
    player::Clocks clocks;
    player::PlayerSettings player;  // of every player; the seed is drawn from `seed` for each
    bool players_prepare = false;   // each grounds the rules by itself, as it would in the world
    std::uint64_t seed = 1;
    std::size_t max_steps = 10'000;  // a match that goes on longer is ended without scores
    machine::Stop stop;              // ends the match at once, without scores
    // Lines of a player's log; the number of the seat.
    std::function<void(std::size_t seat, std::string_view line)> log = {};
    // After each step: the joint move.
    std::function<void(std::span<const std::string> moves)> on_step = {};
};

// What one player did.
struct SeatResult {
    std::string player;  // its recipe
    std::string role;
    int score = 0;  // no goal value counts as 0
    std::size_t illegal = 0;
    std::size_t late = 0;
    std::size_t fallbacks = 0;  // legal and in time, but not by a search that returned
    std::size_t searches = 0;   // moves it searched for
    std::uint64_t states = 0;   // nodes, or playouts where there are more
    double seconds = 0;         // spent searching
    double slowest = 0;         // the longest reply, in seconds

    std::size_t errors() const { return illegal + late; }
};

struct MatchResult {
    bool complete = false;  // came to an end by the rules, or where a role has no move
    std::size_t steps = 0;
    double seconds = 0;
    std::vector<SeatResult> seats;
    std::vector<std::vector<std::string>> moves;  // joint moves
};

// The roles that need a player: all but those named `random`.
std::vector<machine::Role> seats_of(const machine::Machine& machine);

// One recipe for each seat. The players get the referee's factory unless `players_prepare`. Throws what machines throw
// when the referee cannot run the game.
MatchResult play_match(const std::shared_ptr<const gdl::Description>& description,
                       const std::shared_ptr<const machine::MachineFactory>& factory,
                       std::span<const player::Recipe> recipes, const MatchSettings& settings);

}  // namespace stratagem::arena
