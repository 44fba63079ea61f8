// Weights of tuples, for all players of a game: the logit of what a player may expect is their sum.
//
// Where one of two players gets what the other loses, there is one sum for both, with the sign turned. There are
// weights of their own for whoever's turn it is, unless one's turn can be looked at like another's (views.h).
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
    // By block of the views, entry of the tuples and seat: whole numbers, so that sums do not depend on the order of
    // adding, and small ones, so that much of a table fits the caches.
    static constexpr double unit = 1 << 11;
    std::vector<std::int16_t> weights;

    // A model without weights has this many.
    std::size_t weight_count() const { return tuples->views().blocks * tuples->entries() * seats.count(); }
    // Where those of a block begin.
    const std::int16_t* block(std::size_t view) const {
        return weights.data() + tuples->views().of_phase[view].block * tuples->entries() * seats.count();
    }
    double logit(std::int64_t sum) const { return static_cast<double>(sum) / unit; }

    // Of which sum a role's value comes in a view, and with which sign; 0 for chance.
    struct Part {
        std::size_t seat = 0;
        int sign = 0;
    };
    Part part(std::size_t view, machine::Role role) const;
};
// By view, then fluent and seat: the weight of its entry. Of weights by entry and seat, block after block.
template <typename Sum, typename Weight>
std::vector<std::vector<Sum>> weights_of_fluents(const Tuples& tuples, std::size_t seats, const Weight* weights) {
    std::vector<std::vector<Sum>> result;
    for (std::size_t view = 0; view < tuples.phases(); ++view) {
        const Weight* block = weights + tuples.views().of_phase[view].block * tuples.entries() * seats;
        std::vector<Sum>& of_view = result.emplace_back();
        for (std::uint32_t i = 0; i < tuples.cells().fluent_count(); ++i) {
            const std::size_t entry = tuples.entry_of(view, machine::Fluent{i});
            for (std::size_t seat = 0; seat < seats; ++seat) {
                of_view.push_back(static_cast<Sum>(block[entry * seats + seat]));
            }
        }
    }
    return result;
}

}  // namespace stratagem::evaluate::linear
