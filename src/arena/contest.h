// Many matches: what is to be played, in which order, and how many at a time.
//
// Matches that run beside each other must not disturb each other's clocks. The referee lets the players of a match
// think one after the other, so a match needs as many processors as its most demanding player has threads, or those of
// all its players together when they ponder; so many matches are played at a time as fit. A player elsewhere is asked
// by one match at a time.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arena/entrant.h"
#include "arena/match.h"
#include "arena/schedule.h"

namespace stratagem::arena {

// A game of a contest; prepared when its first match begins, and then shared by all.
class ContestGame {
  public:
    ContestGame(std::string name, std::shared_ptr<const machine::Game> unprepared, machine::MachineOptions options);

    const std::string& name() const { return name_; }
    // As it was given: what it is called, its roles and its rules are known at once.
    const machine::Game& unprepared() const { return *unprepared_; }
    std::size_t seats() const { return seats_; }
    // From any thread; others wait while it is prepared. Throws what Game::remade throws.
    std::shared_ptr<const machine::Game> game() const;
    // The same for one match that is to be the same whatever else is played. Interpreters of one game number
    // moves in the order in which any of them meets them, so these have one of their own.
    std::shared_ptr<const machine::Game> game_for_match() const;

  private:
    std::string name_;
    std::shared_ptr<const machine::Game> unprepared_;
    machine::MachineOptions options_;
    std::size_t seats_ = 0;
    mutable std::mutex preparing_;
    mutable std::shared_ptr<const machine::Game> prepared_;
};

struct Contest {
    std::vector<Entrant> entrants;
    std::vector<std::shared_ptr<const ContestGame>> games;
    MatchSettings match;  // of every match, but for id, seeds, stop and callbacks
};

struct PlannedMatch {
    std::size_t number = 0;
    std::size_t game = 0;
    Seating seating;
    std::uint64_t seed = 0;
    std::uint64_t opening_seed = 0;  // the same until every player of a group has had each seat

    friend bool operator==(const PlannedMatch&, const PlannedMatch&) = default;
};

// Every group of players in every game, `matches` times (schedule.h); with `swap` as many more as it takes for each
// player to have each seat of a game equally often. In rounds, so that what is stopped early has played everything
// about equally often. A number stands for the same match whatever `matches` is: where games have different numbers of
// rounds, there are gaps. The seeds of openings are made from `seed` too, unless another is given for them. Pre: no
// game has more seats than there are players.
std::vector<PlannedMatch> plan(const Contest& contest, std::size_t matches, bool swap, std::uint64_t seed,
                               std::optional<std::uint64_t> opening_seed = std::nullopt);
// Null where no match of the plan has this number.
const PlannedMatch* find_planned(std::span<const PlannedMatch> plan, std::size_t number);

// The seed of a match of a contest: that of the contest itself for the first, so that any match can be played again as
// the first of another. Below 2^53, which every reader of JSON can hold, if the contest's is.
std::uint64_t match_seed(std::uint64_t contest_seed, std::size_t number);

// Whether any of them is given time, and not a number of nodes.
bool any_clock(std::span<const Entrant> entrants);

// At least 1.
std::size_t matches_at_once(const Contest& contest, std::size_t processors);

struct ContestRun {
    std::size_t at_once = 1;
    machine::Stop stop;
    // Called one at a time. Matches that were stopped are not told of.
    std::function<void(const PlannedMatch&)> on_begin = {};
    std::function<void(const PlannedMatch&, MatchResult&)> on_end = {};    // at once, for who keeps them
    std::function<void(const PlannedMatch&, MatchResult&)> on_match = {};  // in the order of the plan, for who tells
    std::function<void(const PlannedMatch&, std::size_t steps)> on_step = {};
    // What a match threw, after which the others are played; without it, the run ends with that.
    std::function<void(const PlannedMatch&, const std::exception& fault)> on_failure = {};
    // What the referee has to say of a player, and with player_logs what the players say; one at a time, from any
    // thread.
    std::function<void(const PlannedMatch&, std::size_t seat, std::string_view line)> log = {};
    bool player_logs = false;
};

// Begins them in this order. Whatever a callback throws, or a match without on_failure, ends the run, after the matches
// under way; so does an error of a player with MatchSettings::abort_on_error.
void run_matches(const Contest& contest, std::span<const PlannedMatch> matches, const ContestRun& run);

}  // namespace stratagem::arena
