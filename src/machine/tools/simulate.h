// What only playing can show: random games watched for the conditions a good game keeps in every state.
//
// The specification asks that every role always has a move until the end, that at the end every role has exactly one
// goal value from 0 to 100, that the game ends, and that it can be won. None of this can be read off the rules; faults
// are reported as found, with the moves that lead there, and finding none proves nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/description.h"
#include "gdl/diagnostic.h"
#include "machine/machine.h"
#include "machine/stop.h"

namespace stratagem::machine {

struct SimulationOptions {
    std::size_t games = 100;
    std::uint64_t seed = 1;
    std::size_t max_steps = 5000;  // games longer than this count as not ending
    Stop stop;
    std::function<void(std::size_t games)> on_game = {};  // after each game: how many were played
};

// Kept once for each code and role: the shortest game in which it was found.
struct SimulationFinding {
    std::string_view code;  // E801 to W805, see docs/diagnostics.md
    std::string role;       // empty where the whole game is meant
    std::string message;
    std::size_t games = 0;                        // in which it was found
    std::size_t steps = 0;                        // joint moves from the initial state to there
    std::vector<std::vector<std::string>> moves;  // these; empty for games that did not end
};

struct SimulatedRole {
    std::string name;
    std::size_t wins = 0;  // games that ended with 100
    int worst = -1;        // goal values seen at the end; -1: none
    int best = -1;
};

struct Simulation {
    std::size_t games = 0;  // played, whatever came of them
    std::size_t ended = 0;
    std::size_t steps = 0;
    std::size_t longest = 0;
    bool stopped = false;  // before all games were played
    std::vector<SimulatedRole> roles;
    std::vector<SimulationFinding> findings;

    // Some role other than `random` was seen to win.
    bool win_found() const;
};

// Pre: `machine` runs `description` (its roles are compared). May throw LimitExceeded as the machine does.
Simulation simulate(const gdl::Description& description, Machine& machine, const SimulationOptions& options);

// The findings as diagnostics, placed at the role or the rule they concern.
void add_diagnostics(const gdl::Description& description, const Simulation& simulation, gdl::Diagnostics& diagnostics);

}  // namespace stratagem::machine
