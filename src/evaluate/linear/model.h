// Weights of tuples, for all players of a game: the logit of what a player may expect is their sum.
//
// Where one of two players gets what the other loses, there is one sum for both, with the sign turned. There are
// weights of their own for whoever's turn it is.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/game_kind.h"
#include "evaluate/linear/tuples.h"

namespace stratagem::evaluate::linear {

inline double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// Whose sum is whose.
class Seats {
  public:
    // What there is to know of a role.
    struct Place {
        std::size_t seat = 0;
        int sign = 0;  // 1, or -1 for the other one of two; 0 for chance
        double least = 0, most = 100;
    };

    explicit Seats(const analysis::GameKind& kind);
    // By role.
    explicit Seats(std::vector<Place> places);

    std::size_t count() const { return players_.size(); }
    // The player whose goals a sum is fitted to.
    machine::Role player(std::size_t seat) const { return players_[seat]; }
    const std::vector<Place>& places() const { return places_; }
    bool plays(machine::Role role) const { return place(role).sign != 0; }
    std::size_t seat_of(machine::Role role) const { return place(role).seat; }
    double sign(machine::Role role) const { return place(role).sign; }
    // Of a goal value, from 0 to 1; the least and the greatest that was seen or that the rules know.
    double share(machine::Role role, double goal) const;
    double goal(machine::Role role, double share) const;

  private:
    const Place& place(machine::Role role) const { return places_[ground::index(role)]; }

    std::vector<Place> places_;           // by role
    std::vector<machine::Role> players_;  // by seat
};

struct Model {
    std::shared_ptr<const Tuples> tuples;
    Seats seats;
    // By weight of the tuples, then phase, then seat: whole numbers, so that sums do not depend on the order of adding.
    static constexpr double unit = 1 << 16;
    std::vector<std::int32_t> weights;

    std::size_t sums() const { return tuples->phases() * seats.count(); }
    double logit(std::int64_t sum) const { return static_cast<double>(sum) / unit; }
};

}  // namespace stratagem::evaluate::linear
