// What a search must know about a game before it may search it its way. Observed in random play for now: a search
// checks what it relies on where it is cheap, and the analysis room will prove it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/game.h"
#include "machine/stop.h"

namespace stratagem::search {

struct GameFacts {
    std::size_t roles = 0;
    std::size_t players = 0;                 // roles that ever had a choice, without one named `random`
    std::vector<bool> is_chance;             // by role: named `random`, moves uniformly at random
    bool turn_taking = false;                // no state was seen in which two roles had a choice
    bool constant_sum = false;               // goal values of terminal states always added up to the same
    int least_sum = 0, most_sum = 0;         // of goal values in terminal states, over all roles but chance
    bool two_player_zero_sum = false;        // two players, turn-taking or not, constant sum
    std::vector<std::uint32_t> team;         // by role: equal numbers had equal goal values in every terminal state
                                             // seen, not always the same one
    std::vector<int> least_goal, most_goal;  // by role, from the rules; none or several goals at once are worth 0
    double branching = 0;                    // mean number of joint moves
    double length = 0;                       // mean number of moves of a random game
    std::size_t longest = 0;                 // of these games
    std::size_t games = 0;                   // random games these observations come from
};

// Plays random games until `stop` or enough are seen.
GameFacts observe(const machine::Game& game, const machine::Stop& stop, std::uint64_t seed = 1);

}  // namespace stratagem::search
