#include "evaluate/linear/model.h"

#include <algorithm>

namespace stratagem::evaluate::linear {

namespace {

std::vector<Seats::Place> places_in(const analysis::GameKind& kind) {
    std::vector<Seats::Place> places(kind.roles);
    std::vector<std::uint32_t> playing;
    for (std::uint32_t role = 0; role < kind.roles; ++role) {
        places[role].least = kind.least_goal[role];
        places[role].most = std::max(kind.most_goal[role], kind.least_goal[role] + 1);
        if (!kind.is_chance[role]) playing.push_back(role);
    }
    const bool one_sum = playing.size() == 2 && holds(kind.two_player_zero_sum);
    std::size_t seats = 0;
    for (const std::uint32_t role : playing) {
        const bool is_other = one_sum && role != playing.front();
        places[role].seat = is_other ? 0 : seats++;
        places[role].sign = is_other ? -1 : 1;
    }
    return places;
}

}  // namespace

Seats::Seats(const analysis::GameKind& kind) : Seats(places_in(kind)) {}

Seats::Seats(std::vector<Place> places) : places_(std::move(places)) {
    for (std::uint32_t role = 0; role < places_.size(); ++role) {
        if (places_[role].sign > 0) players_.push_back(machine::Role{role});
    }
}

double Seats::share(machine::Role role, double goal) const {
    const Place& one = place(role);
    return std::clamp((goal - one.least) / (one.most - one.least), 0.0, 1.0);
}

double Seats::goal(machine::Role role, double share) const {
    const Place& one = place(role);
    return one.least + share * (one.most - one.least);
}

Model::Part Model::part(std::size_t view, machine::Role role) const {
    if (!seats.plays(role)) return {};
    const machine::Role image{tuples->views().of_phase[view].exchange.roles[ground::index(role)]};
    return {seats.seat_of(image), static_cast<int>(seats.sign(image))};
}

}  // namespace stratagem::evaluate::linear
