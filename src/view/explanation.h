// What a search thought, as data and in sentences.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <vector>

#include "machine/machine.h"
#include "search/search.h"

namespace stratagem::view {

using machine::Move;
using machine::Role;
using machine::State;

// One thought: who, where, what came of it.
struct Thought {
    std::string thinker;  // its recipe
    Role role{0};
    State state;
    search::Choice choice;
    bool is_hint = false;
};

// The same in words of the game.
struct Explanation {
    std::string thinker;
    std::string role;
    std::string move;  // empty: there was none
    bool is_hint = false;
    bool judged = false;  // somebody holds the value
    bool proved = false;  // it is exact
    double value = 0;     // of 100
    std::uint64_t nodes = 0;
    std::uint64_t playouts = 0;
    std::uint32_t depth = 0;
    double seconds = 0;
    std::string note;               // what decided, in a few words
    std::vector<std::string> line;  // the steps expected from there on, each as describe() says it
    bool line_goes_on = false;      // further than it is told
};

Explanation explain(machine::Machine& machine, const Thought& thought);
nlohmann::json to_json(const Explanation& told);
// In lines no longer than `width`.
std::string to_text(const Explanation& told, std::size_t width);

// "about 62.5 of 100", "exactly 100 of 100, proved".
std::string value_text(const search::Choice& choice);

// What was done in a state, in words: roles without a choice are left out unless nobody has one.
std::string describe(machine::Machine& machine, const State& state, std::span<const Move> joint);

}  // namespace stratagem::view
