#include "arena/standings.h"

#include <algorithm>
#include <numeric>

namespace stratagem::arena {

void Tally::add(const StoredMatch& match, std::size_t seat) {
    const SeatResult& own = match.seats[seat];
    illegal_ += own.illegal;
    late_ += own.late;
    unreachable_ += own.unreachable;
    start_faults_ += own.start == Fault::none ? 0 : 1;
    fallbacks_ += own.fallbacks;
    searches_ += own.searches;
    moves_ += match.steps;
    states_ += own.states;
    seconds_ += own.seconds;
    slowest_ = std::max(slowest_, own.slowest);
    if (!match.complete) return;
    points_.add(own.score);
    own_points_ += own.score;
    std::size_t better = 0;
    std::size_t equal = 0;
    for (const SeatResult& one : match.seats) {
        all_points_ += one.score;
        better += one.score > own.score ? 1 : 0;
        equal += one.score == own.score ? 1 : 0;
    }
    if (match.seats.size() < 2) return;
    ++(better > 0 ? losses_ : equal > 1 ? draws_ : wins_);
}

std::optional<double> Tally::win_rate() const {
    return all_points_ > 0 ? std::optional(own_points_ / all_points_) : std::nullopt;
}

Standings::Standings(std::size_t players, std::vector<std::string> games, std::span<const StoredMatch> matches)
    : games_(std::move(games)),
      overall_(players),
      by_game_(games_.size(), std::vector<Tally>(players)),
      pairings_(players, std::vector<Pairing>(players)) {
    std::vector<Comparison> comparisons;
    for (const StoredMatch& match : matches) add(match, comparisons);
    ratings_ = elo_ratings(players, comparisons);
}

void Standings::add(const StoredMatch& match, std::vector<Comparison>& comparisons) {
    ++matches_;
    const auto game = std::ranges::find(games_, match.game) - games_.begin();
    const std::size_t seats = match.seats.size();
    for (std::size_t seat = 0; seat < seats; ++seat) {
        overall_.at(match.seating[seat]).add(match, seat);
        if (static_cast<std::size_t>(game) < games_.size()) {
            by_game_[static_cast<std::size_t>(game)][match.seating[seat]].add(match, seat);
        }
    }
    if (!match.complete) {
        ++incomplete_;
        return;
    }
    for (std::size_t a = 0; a < seats; ++a) {
        for (std::size_t b = 0; b < seats; ++b) {
            if (match.seating[a] == match.seating[b]) continue;
            const int own = match.seats[a].score;
            const int other = match.seats[b].score;
            Pairing& pairing = pairings_[match.seating[a]][match.seating[b]];
            pairing.points.add(own);
            pairing.lead.add(own - other);
            pairing.own_points += own;
            pairing.both_points += own + other;
            ++(own > other ? pairing.wins : own < other ? pairing.losses : pairing.draws);
            if (a < b) {
                comparisons.push_back({match.seating[a], match.seating[b],
                                       own > other   ? 1
                                       : own < other ? 0
                                                     : 0.5,
                                       1 / static_cast<double>(seats - 1)});
            }
        }
    }
}

std::vector<std::size_t> Standings::ranking() const {
    std::vector<std::size_t> order(players());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return overall_[a].points().mean() > overall_[b].points().mean(); });
    return order;
}

}  // namespace stratagem::arena
