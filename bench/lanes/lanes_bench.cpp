// Lanes beside the hand-written games: the same random games, in turns, in one run.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gdl/game_file.h"
#include "gdl/read.h"
#include "hand/breakthrough.h"
#include "hand/connect_four.h"
#include "hand/tic_tac_toe.h"
#include "machine/gdl_game.h"
#include "machine/single_playouts.h"

namespace {

using namespace stratagem;
using Clock = std::chrono::steady_clock;

constexpr int turns = 12;
constexpr double seconds_per_turn = 0.25;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Sums {
    double games = 0, seconds = 0, steps = 0, squared_steps = 0, points = 0, squared_points = 0;  // of the first player
    double rate() const { return games / seconds; }
};

template <typename Game>
void play_by_hand(hand::Random& random, Sums& sums) {
    const Clock::time_point start = Clock::now();
    do {
        for (int i = 0; i < 4096; ++i) {
            const hand::Outcome outcome = Game::playout(random);
            const double steps = outcome.steps;
            const double points = outcome.winner == hand::Winner::first  ? 100
                                  : outcome.winner == hand::Winner::none ? 50
                                                                         : 0;
            sums.steps += steps;
            sums.squared_steps += steps * steps;
            sums.points += points;
            sums.squared_points += points * points;
        }
        sums.games += 4096;
    } while (seconds_since(start) < seconds_per_turn);
    sums.seconds += seconds_since(start);
}

void play_by_lanes(machine::Playouts& playouts, const machine::State& initial, Sums& sums) {
    const Clock::time_point start = Clock::now();
    const machine::PlayoutRequest request{&initial, 1U << 18};
    machine::PlayoutResult result;
    do {
        playouts.play(std::span(&request, 1), std::span(&result, 1));
        sums.games += result.finished;
        sums.steps += static_cast<double>(result.steps);
        sums.points += static_cast<double>(result.goals[0]);
    } while (seconds_since(start) < seconds_per_turn);
    sums.seconds += seconds_since(start);
}

// How many standard errors two means are apart; the variance is that of the hand-written games for both.
double apart(double a, double b, double mean_square, const Sums& hand, const Sums& lanes) {
    const double variance = mean_square - a * a;
    return std::abs(a - b) / std::sqrt(variance / hand.games + variance / lanes.games);
}

template <typename Game>
bool compare(const std::string& name) {
    const gdl::ReadResult read = gdl::read_and_check(name, gdl::find_game(name).text);
    machine::MachineOptions options;
    options.kind = machine::MachineKind::lanes;
    const machine::GdlGame game(read.description, options);
    const auto playouts = game.make_playouts(1);
    const auto machine = game.make();
    hand::Random random(1);
    Sums hand, lanes;
    for (int i = 0; i < turns; ++i) {
        play_by_hand<Game>(random, hand);
        play_by_lanes(*playouts, machine->initial(), lanes);
    }
    const double length =
        apart(hand.steps / hand.games, lanes.steps / lanes.games, hand.squared_steps / hand.games, hand, lanes);
    const double points =
        apart(hand.points / hand.games, lanes.points / lanes.games, hand.squared_points / hand.games, hand, lanes);
    fmt::print(
        "{:<18} hand {:>11.0f} games/s   lanes {:>11.0f} games/s   ratio {:>5.2f}   length {:.3f} and {:.3f} ({:.1f} "
        "s.e.)   "
        "points of the first {:.3f} and {:.3f} ({:.1f} s.e.)\n",
        name, hand.rate(), lanes.rate(), lanes.rate() / hand.rate(), hand.steps / hand.games, lanes.steps / lanes.games,
        length, hand.points / hand.games, lanes.points / lanes.games, points);
    return length < 5 && points < 5;
}

}  // namespace

int main() {
    bool same = compare<hand::TicTacToe>("tic_tac_toe");
    same = compare<hand::ConnectFour>("connect_four_8x6") && same;
    same = compare<hand::Breakthrough>("breakthrough") && same;
    if (!same) fmt::print("DIFFERENT GAMES: more than 5 standard errors apart\n");
    return same ? 0 : 1;
}
