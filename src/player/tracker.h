// Where the match stands, by what the manager reports.
//
// Kept apart from the search, on a machine of its own, so that a legal move can be named whatever the search does. The
// report of the manager is the truth: where it does not fit, the tracker says so and goes along as well as it can.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/game.h"
#include "machine/machine.h"
#include "util/deadline.h"

namespace stratagem::player {

class Tracker {
  public:
    // Starts with the interpreter of the game, which is ready at once, or with the game itself where it has none.
    // Throws what machines throw.
    explicit Tracker(std::shared_ptr<const machine::Game> game);

    const machine::State& state() const { return state_; }
    machine::Machine& machine() { return *machine_; }
    std::size_t role_count() const { return machine_->role_count(); }
    // The game whose machines understand states of the tracker now.
    const std::shared_ptr<const machine::Game>& game() const { return game_; }

    // What follows gives up with LimitExceeded at this time, where the machine can.
    void set_deadline(Deadline deadline);
    bool terminal() { return machine_->terminal(state_); }
    // As the machine in use numbers them. Good until the tracker follows moves or goes on with another machine, which
    // drops them: moves of one machine mean others, or nothing, to the next.
    const std::vector<machine::Move>& legal(machine::Role role);
    // The same without any work, so that it cannot fail: nothing unless they were asked for here before.
    std::span<const machine::Move> known_legal(machine::Role role) const;

    // The match stands where these hold and nothing else does. Returns those that are no fluents.
    std::vector<std::string> stand_at(std::span<const std::string> fluents);

    // Goes on with a machine of this game, in the same state. Returns the fluents it does not know.
    std::vector<std::string> use(std::shared_ptr<const machine::Game> game);

    // Whether these are one legal move for each role. Looked up among the legal moves' names, so that names nobody ever
    // used leave nothing behind.
    bool fits(std::span<const std::string> moves);

    // One move for each role has been made. Returns what is strange about that, one line each.
    std::vector<std::string> follow(std::span<const std::string> moves);

  private:
    void move_to(machine::State state);
    // The report as moves of this machine, filled up where it makes no sense; complains into `problems`.
    std::vector<machine::Move> understand(std::span<const std::string> moves, std::vector<std::string>& problems);
    // Makes moves that are not legal: only interpreters are defined for them.
    void force(std::span<const machine::Move> joint, std::vector<std::string>& problems);

    std::shared_ptr<const machine::Game> forgiving_;  // takes moves that are not legal; null where none does
    std::shared_ptr<const machine::Game> game_;
    std::unique_ptr<machine::Machine> machine_;
    machine::State state_;
    std::vector<std::string> last_;  // the report followed last
    std::optional<machine::Role> legal_of_;
    std::vector<machine::Move> legal_;  // of that role, here
};

}  // namespace stratagem::player
