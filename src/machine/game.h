// Something that can be played. One of the six nouns of the house, and the one that is passed around: everything right
// of this room takes a Game.
//
// A Game owns what it came from and says by itself what it can do: whether there are ground rules, whether its answers
// are quick, whether its numbers mean the same in another process, whether its rules can be put into words. What it was
// written in is known to its maker alone (gdl_game.h for rules in GDL, program_game.h for a ground program made in
// code). Immutable to those who hold it, and shared by all threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/fingerprint.h"
#include "machine/machine.h"
#include "machine/machine_kind.h"
#include "machine/playouts.h"

namespace stratagem::machine {

class Circuit;

class Game {
  public:
    Game() = default;
    virtual ~Game() = default;
    Game(const Game&) = delete;
    Game& operator=(const Game&) = delete;

    // What to call it before people: a file, or whatever its maker said.
    virtual const std::string& name() const = 0;
    // By role, as machines write them.
    virtual const std::vector<std::string>& roles() const = 0;

    // A machine for one thread. All machines of a game number fluents and moves alike: they understand each other's
    // states and moves. May be called from several threads at once. Throws LimitExceeded when not even the initial
    // state can be found.
    virtual std::unique_ptr<Machine> make() const = 0;
    // The fastest random games there are, for one thread; each takes a stream of its own. The first call may compile
    // the game for that, until the flag is set. With `statistics` such as can collect them, if there are any. As above
    // for threads.
    virtual std::unique_ptr<Playouts> make_playouts(std::uint64_t seed, std::uint64_t stream = 0,
                                                    bool statistics = false,
                                                    const std::atomic<bool>* interrupt = nullptr) const;

    // The ground rules; null where there are none: too large to write down, or never grounded.
    virtual std::shared_ptr<const ground::Program> program() const { return nullptr; }
    // They as gates, for those who run circuits themselves. There is one where there is a program.
    virtual std::shared_ptr<const Circuit> circuit() const { return nullptr; }

    // What machines are made, how large everything is, and how long it took.
    virtual MachineKind kind() const = 0;
    virtual const MachineStatistics& statistics() const = 0;
    // Why it is run otherwise than was asked for, and whether a limit of time or memory was the reason.
    virtual const std::string& note() const;
    virtual bool limit_hit() const { return false; }

    // A question takes microseconds: thousands of random games can be had in the time for a thought.
    virtual bool is_quick() const = 0;
    // Fluents and moves have the same numbers in every run and every process, whatever was asked before: states and
    // moves may be sent as numbers, and several threads find them in no particular order.
    virtual bool has_fixed_numbers() const = 0;
    // Over roles, fluents, moves and rules: processes that compare equal here may exchange numbers, and what was found
    // out about one game holds for the other. Nothing without fixed numbers.
    virtual std::optional<Fingerprint> fingerprint() const { return std::nullopt; }
    // A state from its words (State::words), as they come from another process; nothing for words that are no state of
    // this game. Pre: fixed numbers.
    std::optional<State> read_state(std::span<const std::uint64_t> words) const;

    // The rules in GDL, one to a line (gdl::rules_text), for protocols and records; nothing for a game without words.
    virtual std::optional<std::string> rules() const { return std::nullopt; }

    // The same game made ready as these options say; the game itself where it cannot be made otherwise. May take long.
    // Never null.
    virtual std::shared_ptr<const Game> remade(const MachineOptions& options) const = 0;
    // The same game run by an interpreter, which is there at once and can also make moves that are not legal; null
    // where there is none. Its numbers are its own.
    virtual std::shared_ptr<const Game> interpreted() const { return nullptr; }
};

// The roles that players take: all but those named `random`, which is chance.
bool is_chance(const Game& game, Role role);
std::size_t seat_count(const Game& game);

}  // namespace stratagem::machine
