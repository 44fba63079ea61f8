// A participant, before any match: who it is and how to get it to a seat.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "machine/game.h"
#include "player/agent.h"

namespace stratagem::arena {

// What a match offers to who takes a seat in it.
struct SeatOffer {
    std::uint64_t seed = 1;
    std::shared_ptr<const machine::Game> game;
    player::Log log = {};
};

struct Entrant {
    std::string name;                   // in tables and records
    std::string text;                   // what people wrote: a recipe or an address
    std::string spelled_out;            // a recipe with all its options, or the address
    std::vector<std::string> searches;  // of a recipe: those it chooses among, with all their options
    bool elsewhere = false;
    std::size_t threads = 1;  // that it thinks with here
    bool ponders = false;
    bool has_clock = true;  // false: each move is searched with a number of nodes
    std::function<std::unique_ptr<player::Agent>(const SeatOffer&)> make;
};

// Their names as rows of a table: those of the same name are told apart by a number, "random (1)", "random (2)".
std::vector<std::string> labels_of(std::span<const Entrant> entrants);

// A player of this process. With `prepares` it grounds the rules of each match by itself, as it would in the world.
Entrant local_entrant(std::string name, const player::Recipe& recipe, const player::PlayerSettings& settings,
                      bool prepares);

}  // namespace stratagem::arena
