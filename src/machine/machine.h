// A game that can be run. One of the six nouns of the house.
//
// Five questions: initial, legal, next, terminal, goal. Everything is integers; names exist only at the border (the
// functions with text). A Machine is used by one thread at a time; make one for each thread.
//
// Questions are cheapest when they follow the game: a machine keeps its inner state near the last state it was asked
// about, and what a question costs depends on how different the state is from that one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/state.h"
#include "util/deadline.h"

namespace stratagem::machine {

class Machine {
  public:
    virtual ~Machine() = default;

    virtual std::size_t role_count() const = 0;
    virtual const State& initial() const = 0;
    virtual bool terminal(const State& state) = 0;
    // Ascending; overwrites `moves`. Empty where the rules give the role no move.
    virtual void legal(const State& state, Role role, std::vector<Move>& moves) = 0;
    // One move for each role, in the order of roles. Overwrites `result`, which may not be `state`.
    virtual void next(const State& state, std::span<const Move> joint, State& result) = 0;
    // Nothing unless exactly one value holds. May be asked in any state.
    virtual std::optional<int> goal(const State& state, Role role) = 0;

    // Questions from now on end with LimitExceeded (limits.h) once the deadline has passed. Only machines that may take
    // long over a question look at it. Returns the deadline so far.
    virtual Deadline set_deadline(const Deadline&) { return Deadline::never(); }

    // The border: lower-case prefix KIF with single spaces, fluents without the wrapping `true`.
    virtual std::string role_name(Role role) const = 0;
    virtual std::string fluent_name(Fluent fluent) const = 0;
    virtual std::string move_name(Move move) const = 0;
    // By name as above; nothing when this machine knows no such fluent or move.
    virtual std::optional<Fluent> find_fluent(std::string_view name) = 0;
    virtual std::optional<Move> find_move(Role role, std::string_view name) = 0;
};

}  // namespace stratagem::machine
