// Choosing a move with a machine, an evaluator and a deadline.
//
// A Search is one way of doing so: alpha-beta, MaxN, UCT, … Each registers under a name with its typed options
// (registry.h); players know them by name only. A Search belongs to one match: it keeps its table or tree between moves
// and is told what happened.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "machine/state.h"
#include "machine/stop.h"

namespace stratagem::search {

using machine::Move;
using machine::Role;
using machine::State;
using machine::Stop;

// When to end a search: the clock or an interruption, whichever is first. The counts are for runs that must be the same
// every time: with one thread, no deadline and a number of nodes, a search depends on nothing but its seed.
struct Budget {
    Stop stop;
    std::uint64_t max_nodes = UINT64_MAX;  // states reached, or playouts
    std::uint32_t max_depth = UINT32_MAX;
    bool pondering = false;  // in the others' time, no answer is needed: search on even where there is only one move
};

// What a search thinks of a state.
struct Choice {
    std::optional<Move> move;  // nothing only where the role has no legal move
    double value = 50;         // for the role, in [0, 100]
    bool judged = false;       // somebody holds that value: an end was seen, a game played out, an evaluator asked
    // The value is exact: no play of the others lowers it, and they can hold the role to it. Never rests on anything
    // that was only observed of the game.
    bool proved = false;
    std::uint32_t depth = 0;  // completed iterations, or the deepest line
    std::uint64_t nodes = 0;  // states reached, each time one is
    std::uint64_t playouts = 0;
    double seconds = 0;
    std::vector<std::vector<Move>> line;  // expected joint moves from here
    std::string note;                     // one line for people: what decided
};

class Search {
  public:
    virtual ~Search() = default;

    // Pre: not terminal. Always gives a legal move if there is one, however short the time.
    // `report`, if given, hears of each better answer as it is found, from the calling thread.
    virtual Choice choose(const State& state, Role role, const Budget& budget,
                          const std::function<void(const Choice&)>& report = {}) = 0;
    // The match went on to this state: what cannot come up any more may be forgotten.
    virtual void advance(const State&) {}
};

}  // namespace stratagem::search
