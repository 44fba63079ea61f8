// Where results come from: what a reader needs to know to get them again, or to see why not.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arena/contest.h"

namespace stratagem::arena {

struct Provenance {
    std::string version;
    std::string commit;     // empty where it is not known
    std::string date;       // when the run began: "2026-01-31T12:00:00Z"
    std::string processor;  // its model, and how many there are
    std::size_t processors = 1;
    std::optional<double> load;  // of the last minute, when the run began: how many processes wanted a processor
    std::string budget;          // "1000 nodes per move", or "10 s, 1 s per move"
    std::uint64_t seed = 0;

    struct Game {
        std::string name;
        std::string rules;  // gdl::rules_hash
    };
    struct Player {
        std::string name;
        std::string recipe;                 // with all its options, or an address
        std::vector<std::string> searches;  // it chooses among
    };
    std::vector<Game> games;
    std::vector<Player> players;
};

// Of a run that begins now, here.
Provenance provenance_of(const Contest& contest, std::uint64_t seed);

nlohmann::json to_json(const Provenance& provenance);
// Of one match of the run: its game, and its players by seat.
nlohmann::json to_json(const Provenance& provenance, const PlannedMatch& planned);

// Name and value, for people; without games and players.
std::vector<std::pair<std::string, std::string>> lines_of(const Provenance& provenance);

}  // namespace stratagem::arena
