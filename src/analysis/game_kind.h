// What kind of game it is: who plays, by turns or at once, for a shared sum or not, with whom, how long.
//
// Observed in random play, which is all there is for games that only an interpreter can run; where proofs were tried
// (analysis.h) their verdicts stand here instead. Everybody who decides by the kind of a game asks this: a search that
// calls a value proved must rest on what is proved here, or check what is only observed as it goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/verdict.h"
#include "machine/game.h"
#include "machine/stop.h"

namespace stratagem::analysis {

struct GoalSum;

struct GameKind {
    std::size_t roles = 0;
    std::size_t players = 0;                 // roles that were seen to have a choice, without one named `random`
    std::vector<bool> is_chance;             // by role: named `random`, moves uniformly at random
    Verdict turn_taking = Verdict::unknown;  // in no state do two roles have a choice
    // Goal values add up to the same at every end, over all roles but chance. No goal value, or several at once, counts
    // as 0 here; a proof shows as well that there is always one.
    Verdict constant_sum = Verdict::unknown;
    int least_sum = 0, most_sum = 0;  // seen
    // The same over two players, and nobody else plays.
    Verdict two_player_zero_sum = Verdict::unknown;
    std::vector<std::uint32_t> team;  // by role: equal numbers had equal goal values at every end seen, not always
                                      // the same one; never proved
    std::vector<int> least_goal, most_goal;  // by role, from the rules; none or several goals at once are worth 0
    double branching = 0;                    // mean number of joint moves of a state
    double length = 0;                       // mean number of moves of a random game
    std::size_t longest = 0;                 // of these games
    std::size_t games = 0;                   // random games all that is observed comes from
    std::size_t states = 0;                  // in which moves were made
    bool complete = false;                   // false: time was up before enough were seen

    bool has_chance() const;

    // What was proved, or refuted in more games than were seen here.
    void add_turn_taking(Verdict verdict);
    void add_goal_sum(const GoalSum& sum);
};

// What is known before any game was played: roles, chance, and what the rules say of goals; every list has its length.
GameKind unobserved(const machine::Game& game);
// Plays random games until `stop` or enough are seen.
GameKind observe(const machine::Game& game, const machine::Stop& stop, std::uint64_t seed = 1);

// "2 of 2 roles choose, in turns, zero-sum, 7.0 joint moves a state, 22 moves a game (seen in 300 games)".
std::string to_text(const GameKind& kind);

}  // namespace stratagem::analysis
