// What came of many matches: for each player, for each game, and for each pair of players.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arena/elo.h"
#include "arena/statistics.h"
#include "arena/store.h"

namespace stratagem::arena {

// What one player did in some matches. Matches that did not come to an end have no scores; their errors count.
class Tally {
  public:
    void add(const StoredMatch& match, std::size_t seat);

    const Sample& points() const { return points_; }
    // Matches with more points than everybody else, with the most but not alone, and others. Nobody wins alone.
    std::size_t wins() const { return wins_; }
    std::size_t draws() const { return draws_; }
    std::size_t losses() const { return losses_; }
    // Its points as a part of all points made in its matches; nothing where nobody made any. In matches between the
    // same players this is t(a) / sum of t over all a, added up first and divided last.
    std::optional<double> win_rate() const;
    double states_per_second() const { return seconds_ > 0 ? static_cast<double>(states_) / seconds_ : 0; }
    std::size_t errors() const { return illegal_ + late_ + unreachable_; }
    std::size_t illegal() const { return illegal_; }
    std::size_t late() const { return late_; }
    std::size_t unreachable() const { return unreachable_; }
    std::size_t start_faults() const { return start_faults_; }
    std::size_t fallbacks() const { return fallbacks_; }
    std::size_t searches() const { return searches_; }
    std::size_t moves() const { return moves_; }
    double slowest() const { return slowest_; }

  private:
    Sample points_;
    std::size_t wins_ = 0, draws_ = 0, losses_ = 0;
    double own_points_ = 0, all_points_ = 0;
    std::size_t illegal_ = 0, late_ = 0, unreachable_ = 0, start_faults_ = 0, fallbacks_ = 0;
    std::size_t searches_ = 0, moves_ = 0;
    std::uint64_t states_ = 0;
    double seconds_ = 0, slowest_ = 0;
};

// What the matches of a pair were for the first of them.
struct Pairing {
    Sample points;
    Sample lead{Range{-100, 100}};                // its points less those of the other
    std::size_t wins = 0, draws = 0, losses = 0;  // by their points alone, whoever else played
    double own_points = 0, both_points = 0;
    std::optional<double> win_rate() const {
        return both_points > 0 ? std::optional(own_points / both_points) : std::nullopt;
    }
};

class Standings {
  public:
    // Games in the order they are to be shown in.
    Standings(std::size_t players, std::vector<std::string> games, std::span<const StoredMatch> matches);

    std::size_t players() const { return overall_.size(); }
    const std::vector<std::string>& games() const { return games_; }
    std::size_t matches() const { return matches_; }
    std::size_t incomplete() const { return incomplete_; }
    const Tally& overall(std::size_t player) const { return overall_[player]; }
    const Tally& in_game(std::size_t game, std::size_t player) const { return by_game_[game][player]; }
    const Pairing& pairing(std::size_t player, std::size_t other) const { return pairings_[player][other]; }
    // From all pairs of all matches with several players; in a match of n each pair weighs 1 / (n - 1), so that every
    // player has one game's worth of it.
    const std::vector<std::optional<Rating>>& ratings() const { return ratings_; }
    // Players from best to worst by mean points.
    std::vector<std::size_t> ranking() const;

  private:
    void add(const StoredMatch& match, std::vector<Comparison>& comparisons);

    std::vector<std::string> games_;
    std::size_t matches_ = 0;
    std::size_t incomplete_ = 0;
    std::vector<Tally> overall_;
    std::vector<std::vector<Tally>> by_game_;
    std::vector<std::vector<Pairing>> pairings_;
    std::vector<std::optional<Rating>> ratings_;
};

}  // namespace stratagem::arena
