// How many uniformly random games a second the hand-written games play on one core.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "breakthrough.h"
#include "connect_four.h"
#include "tic_tac_toe.h"

namespace stratagem::hand {
namespace {

template <class Game>
void playouts(benchmark::State& state) {
    Random random(1);
    std::uint64_t steps = 0;
    std::uint64_t wins[3] = {};
    for ([[maybe_unused]] auto _ : state) {
        const Outcome outcome = Game::playout(random);
        steps += outcome.steps;
        ++wins[static_cast<unsigned>(outcome.winner)];
    }
    const auto games = static_cast<double>(state.iterations());
    state.counters["games/s"] = benchmark::Counter(games, benchmark::Counter::kIsRate);
    state.counters["steps/game"] = static_cast<double>(steps) / games;
    state.counters["first%"] = 100 * static_cast<double>(wins[0]) / games;
    state.counters["second%"] = 100 * static_cast<double>(wins[1]) / games;
}

BENCHMARK(playouts<TicTacToe>)->Name("tic_tac_toe");
BENCHMARK(playouts<ConnectFour>)->Name("connect_four_8x6");
BENCHMARK(playouts<Breakthrough>)->Name("breakthrough");

}  // namespace
}  // namespace stratagem::hand
