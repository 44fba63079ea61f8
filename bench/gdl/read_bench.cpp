// How fast a description is read, checked and printed, on a megabyte of facts and rules made up here.
//
// Descriptions of games are seldom longer than 100 kB; a megabyte shows what grows faster than the text. Besides MB/s,
// milliseconds for the whole text are the time of one iteration: reading and checking a megabyte should take under 50.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <string>

#include "gdl/format.h"
#include "gdl/read.h"

namespace stratagem::gdl {
namespace {

constexpr std::size_t megabyte = 1'000'000;

// A valid game: a graph of many facts with a piece that moves on it, and rules in the proportion of facts to rules of
// usual descriptions, in layers each of which uses the one before. At least `bytes` long.
std::string make_description(std::size_t bytes) {
    std::string text =
        "; A made-up game.\n(role white)\n(role black)\n(init (at n0))\n(init (control white))\n"
        "(<= (legal ?player (go ?to)) (true (control ?player)) (true (at ?from)) (edge ?from ?to))\n"
        "(<= (legal ?player noop) (role ?player) (not (true (control ?player))))\n"
        "(<= (next (at ?to)) (does ?player (go ?to)))\n"
        "(<= (next (control white)) (true (control black)))\n(<= (next (control black)) (true (control white)))\n"
        "(<= terminal (true (at n9)))\n(<= (goal ?player 50) (role ?player))\n"
        "(<= (layer0 ?from ?to) (edge ?from ?to))\n\n";
    auto out = std::back_inserter(text);
    for (unsigned layer = 1; text.size() < bytes; ++layer) {
        for (unsigned fact = 0; fact < 8; ++fact) {
            fmt::format_to(out, "(edge n{} n{})\n", layer, (7 * layer + 13 * fact) % (layer + 100));
        }
        fmt::format_to(out,
                       "; Two steps of the layer below, but for loops.\n"
                       "(<= (layer{0} ?from ?to)\n  (layer{1} ?from ?middle)\n  (edge ?middle ?to)\n"
                       "  (distinct ?from ?to)\n  (not (layer{1} ?to ?from)))\n",
                       layer, layer - 1);
        fmt::format_to(out, "(<= (next (seen{0} ?node))\n  (true (at ?node))\n  (layer{0} ?node ?other))\n", layer);
    }
    return text;
}

// Of the text that was read, whatever is done with it.
void report(benchmark::State& state, const std::string& text) {
    state.counters["MB"] = static_cast<double>(text.size()) / 1e6;
    state.counters["MB/s"] =
        benchmark::Counter(static_cast<double>(text.size()) / 1e6, benchmark::Counter::kIsIterationInvariantRate);
}

// The copy of the text that reading keeps is part of the work.
void read_only(benchmark::State& state) {
    const std::string text = make_description(megabyte);
    for ([[maybe_unused]] auto _ : state) {
        const ReadResult result = read("made_up.kif", text);
        if (!result.ok()) state.SkipWithError("the made-up game has errors");
    }
    report(state, text);
}

void read_and_check(benchmark::State& state) {
    const std::string text = make_description(megabyte);
    for ([[maybe_unused]] auto _ : state) {
        const ReadResult result = gdl::read_and_check("made_up.kif", text);
        if (!result.ok()) state.SkipWithError("the made-up game has errors");
    }
    report(state, text);
}

void format(benchmark::State& state) {
    const std::string text = make_description(megabyte);
    const ReadResult result = read("made_up.kif", text);
    for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(gdl::format(result.description, Notation::kif));
    report(state, text);
}

BENCHMARK(read_only)->Name("read")->Unit(benchmark::kMillisecond);
BENCHMARK(read_and_check)->Unit(benchmark::kMillisecond);
BENCHMARK(format)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stratagem::gdl
