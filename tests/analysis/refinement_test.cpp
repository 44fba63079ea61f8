#include "analysis/refinement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>

#include "machine/random.h"

namespace stratagem::analysis {
namespace {

constexpr std::size_t enough = 1'000'000'000;

ColouredGraph line(std::uint32_t nodes, bool closed) {
    ColouredGraph graph;
    for (std::uint32_t i = 0; i < nodes; ++i) graph.add(0);
    for (std::uint32_t i = 0; i + 1 < nodes; ++i) graph.join(i, i + 1);
    if (closed) graph.join(nodes - 1, 0);
    return graph;
}

// Colours by the definition: again and again by those of the neighbours.
bool discrete_by_definition(const ColouredGraph& graph) {
    std::vector<std::size_t> colours(graph.colours().begin(), graph.colours().end());
    for (std::size_t round = 0; round < graph.size(); ++round) {
        std::vector<std::pair<std::size_t, std::multiset<std::size_t>>> seen(graph.size());
        std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
        for (const auto& [a, b] : graph.edges()) edges.emplace(std::min(a, b), std::max(a, b));
        for (std::size_t i = 0; i < graph.size(); ++i) seen[i].first = colours[i];
        for (const auto& [a, b] : edges) {
            seen[a].second.insert(colours[b]);
            seen[b].second.insert(colours[a]);
        }
        std::map<std::pair<std::size_t, std::multiset<std::size_t>>, std::size_t> numbers;
        for (std::size_t i = 0; i < graph.size(); ++i)
            colours[i] = numbers.emplace(seen[i], numbers.size()).first->second;
    }
    return std::set(colours.begin(), colours.end()).size() == graph.size();
}

TEST(Refinement, TellsNodesApartAsTheDefinitionDoes) {
    machine::Random random(5);
    std::size_t discrete = 0;
    for (int i = 0; i < 500; ++i) {
        ColouredGraph graph;
        const std::uint32_t nodes = 2 + random.below(12);
        for (std::uint32_t node = 0; node < nodes; ++node) graph.add(random.below(3));
        const std::uint32_t edges = random.below(2 * nodes);
        for (std::uint32_t edge = 0; edge < edges; ++edge) {
            const std::uint32_t a = random.below(nodes), b = random.below(nodes);
            if (a != b) graph.join(a, b);
        }
        const Refinement found = refine(graph, enough, {});
        EXPECT_TRUE(found.done);
        EXPECT_EQ(found.discrete, discrete_by_definition(graph)) << i;
        discrete += found.discrete ? 1 : 0;
    }
    EXPECT_GT(discrete, 50U);
    EXPECT_LT(discrete, 450U);
}

TEST(Refinement, SaysWhatTakesTheSquareOfTheSize) {
    EXPECT_TRUE(refine(line(1000, true), enough, {}).done);
    const std::size_t small = refine(line(1000, true), enough, {}).work;
    const std::size_t large = refine(line(10'000, true), enough, {}).work;
    EXPECT_GT(large, 50 * small);
    EXPECT_FALSE(refine(line(100'000, true), enough / 10, {}).done);
    EXPECT_FALSE(refine(line(100'000, false), enough / 10, {}).done);
}

TEST(Refinement, EndsWhenItIsTold) {
    const std::atomic<bool> flag = true;
    EXPECT_FALSE(refine(line(1'000'000, true), enough * 1000, {Deadline::never(), &flag}).done);
}

}  // namespace
}  // namespace stratagem::analysis
