// What a search thought, in sentences.
#pragma once

#include <string>

#include "cli/play_game.h"
#include "search/search.h"

namespace stratagem::view {

// One thought: who, where, what came of it.
struct ThoughtOf {
    std::string thinker;  // its recipe
    Role role{0};
    State state;
    search::Choice choice;
    bool is_hint = false;
};

// "about 62.5 of 100", "exactly 100 of 100, proved".
std::string value_text(const search::Choice& choice);
// "1,234 states, depth 9, 0.30 s".
std::string effort_text(const search::Choice& choice);
// The expected moves from a state on, one entry for each step, those of roles without a choice left out; at most so
// many steps.
std::vector<std::string> line_steps(PlayGame& game, const State& state, const std::vector<std::vector<Move>>& line,
                                    std::size_t longest = 12);
// All of that, in lines no longer than `width`.
std::string explain(PlayGame& game, const ThoughtOf& thought, std::size_t width);

}  // namespace stratagem::view
