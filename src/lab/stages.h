// Whether a stage plays better than the one before: matches between pairs of recipes, by game and in all.
//
// A game may have any number of seats. The two of a pair take every other seat, and change over from match to match; a
// match gives each of them the mean of its seats. In a game for one, each plays alone, and the two results are compared
// as if they were one match.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/contest.h"
#include "arena/statistics.h"

namespace stratagem::lab {

struct StagePair {
    std::string first;
    std::string second;

    friend bool operator==(const StagePair&, const StagePair&) = default;
};

// "A:B,C:D" with names of recipes; a recipe with options, which have colons and commas, is written "A vs B; C vs D".
// Throws std::invalid_argument saying what is wrong.
std::vector<StagePair> read_pairs(std::string_view text);

// What the two of a pair got.
struct Duel {
    arena::Sample first, second;
    arena::Sample lead{arena::Range{-100, 100}};  // of the first, in points
    std::size_t wins = 0, draws = 0, losses = 0;  // of the first
    std::size_t errors = 0;                       // moves that were illegal, late or did not come
    std::size_t incomplete = 0;                   // matches that had no end
    bool alike = false;                           // both would play the same: not played

    std::size_t matches() const { return lead.count(); }
    void add(double first_points, double second_points);
    // The part of the first in all points.
    std::optional<double> win_rate() const;
};

class Stages {
  public:
    using Alike = std::function<bool(const StagePair&, const arena::ContestGame&)>;

    // The contest gets the players of the pairs, by `make`, each once; it has its games already. An odd number of
    // matches is raised by one, so that both of a pair have had the same seats. Where `alike` says so
    // a pair does not play a game; it is asked game by game, and may be empty.
    Stages(arena::Contest& contest, std::vector<StagePair> pairs, std::size_t matches, std::uint64_t seed,
           const std::function<arena::Entrant(const std::string&)>& make, const Alike& alike = {});

    // By rounds, so that what is stopped early has played everything about equally often.
    const std::vector<arena::PlannedMatch>& plan() const { return plan_; }
    void take(const arena::PlannedMatch& planned, const arena::MatchResult& result);

    const std::vector<StagePair>& pairs() const { return pairs_; }
    std::size_t pair_of(const arena::PlannedMatch& planned) const { return pair_[planned.number]; }
    const Duel& in_game(std::size_t pair, std::size_t game) const { return by_game_[pair][game]; }
    const Duel& overall(std::size_t pair) const { return overall_[pair]; }

  private:
    void plan_round(const arena::Contest& contest, std::size_t round, std::size_t matches, std::uint64_t seed);
    void plan_match(arena::PlannedMatch planned, std::size_t pair, std::size_t seats, std::size_t turn);
    void count(std::size_t pair, std::size_t game, double first, double second);

    std::vector<StagePair> pairs_;
    std::vector<arena::PlannedMatch> plan_;
    std::vector<std::size_t> pair_;            // by planned match
    std::vector<std::size_t> first_, second_;  // by pair: the entrant
    std::vector<std::vector<Duel>> by_game_;
    std::vector<Duel> overall_;
    std::map<std::size_t, double> alone_;  // by planned match for one: what was got, until the other played too
};

}  // namespace stratagem::lab
