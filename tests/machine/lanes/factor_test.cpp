// Sharing pairs of inputs between gates: every gate keeps its function, and there is less to compute.
#include "machine/lanes/factor.h"

#include <gtest/gtest.h>

#include "machine/lanes/random_logic.h"
#include "machine/same_game.h"

namespace stratagem::machine::lanes {
namespace {

using testing::signed_word;
using testing::Words;

std::vector<bool> cone(const GateGraph& graph) {
    std::vector<bool> needed(graph.nodes.size(), false);
    needed[graph.outputs.terminal.node()] = true;
    for (const auto* signals : {&graph.outputs.legal, &graph.outputs.next, &graph.outputs.goals}) {
        for (const Signal signal : *signals) needed[signal.node()] = true;
    }
    for (std::uint32_t node = static_cast<std::uint32_t>(needed.size()); node-- > 0;) {
        if (!needed[node]) continue;
        for (const Signal input : graph.inputs_of(node)) needed[input.node()] = true;
    }
    return needed;
}

// Gates may have inputs with larger numbers here: those that were added.
Words evaluate(const GateInputs& gates, Words values, std::size_t known) {
    std::vector<bool> done(gates.size(), false);
    std::fill(done.begin(), done.begin() + static_cast<std::ptrdiff_t>(known), true);
    values.resize(gates.size(), 0);
    std::vector<std::uint32_t> open;
    for (std::uint32_t root = 0; root < gates.size(); ++root) {
        open.push_back(root);
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            const std::size_t depth = open.size();
            if (!done[node]) {
                for (const Signal input : gates[node]) {
                    if (!done[input.node()]) open.push_back(input.node());
                }
            }
            if (open.size() > depth) continue;
            open.pop_back();
            if (done[node]) continue;
            done[node] = true;
            values[node] = ~std::uint64_t{0};
            for (const Signal input : gates[node]) values[node] &= signed_word(input, values[input.node()]);
        }
    }
    return values;
}

std::size_t connections(const GateInputs& gates) {
    std::size_t sum = 0;
    for (const auto& inputs : gates) sum += inputs.size();
    return sum;
}

void expect_same_functions(const GateGraph& graph, std::size_t inputs, std::uint64_t seed) {
    const std::vector<bool> needed = cone(graph);
    const GateInputs factored = factor(graph, needed, Deadline::never());
    ASSERT_EQ(factored, factor(graph, needed, Deadline::never())) << "not the same in every run";
    GateInputs plain(graph.nodes.size());
    for (std::uint32_t node = 0; node < plain.size(); ++node) {
        if (graph.nodes[node].kind != NodeKind::gate || !needed[node]) {
            EXPECT_TRUE(factored[node].empty());
            continue;
        }
        plain[node].assign(graph.inputs_of(node).begin(), graph.inputs_of(node).end());
    }
    // A conjunction of n inputs is n - 1 operations.
    EXPECT_LE(connections(factored) - factored.size(), connections(plain) - plain.size());
    Random random(seed);
    Words values(1 + inputs, ~std::uint64_t{0});
    for (int round = 0; round < 20; ++round) {
        // Few ones, half, or nearly all: conjunctions of many are hardly ever true otherwise.
        for (std::size_t i = 1; i < values.size(); ++i) {
            values[i] = random.next();
            if (round % 3 == 1) values[i] &= random.next() & random.next();
            if (round % 3 == 2) values[i] |= random.next() | random.next();
        }
        const Words expected = evaluate(plain, values, values.size());
        const Words got = evaluate(factored, values, values.size());
        for (std::uint32_t node = 0; node < plain.size(); ++node) ASSERT_EQ(got[node], expected[node]) << node;
    }
}

TEST(Factor, GatesOfGamesKeepTheirFunctions) {
    std::size_t games = 0;
    for (const auto& path : gdl::testing::bundled_files()) {
        SCOPED_TRACE(path.filename().string());
        const gdl::Description description = machine::testing::described_file(path);
        const auto grounded = ground::ground(description, {Deadline::after(std::chrono::seconds(1))});
        if (!grounded.program || grounded.program->rule_count() > 20'000) continue;
        const ground::Program& program = *grounded.program;
        const GateGraph graph(program, {}, {}, Deadline::never());
        if (!graph.loop_nodes.empty()) continue;
        expect_same_functions(graph, program.fluents.size() + program.moves.size(), ++games);
    }
    EXPECT_GT(games, 10U);
}

// Three conjunctions of a, b and one more: the pair is made once.
TEST(Factor, APairInCommonBecomesOneGate) {
    const std::string rules = R"(
        (role r) (init a) (init b) (init c1) (init c2) (init c3) (legal r noop)
        (<= (next a) (true a) (true b) (true c1))
        (<= (next b) (true a) (true b) (true c2))
        (<= (next c1) (true a) (true b) (true c3))
        (<= (next c2) (true c2)) (<= (next c3) (true c3))
        (<= terminal (not (true a))) (<= (goal r 100) (true a)) (<= (goal r 0) (not (true a)))
    )";
    const auto program = machine::testing::grounded(machine::testing::described(rules));
    const GateGraph graph(*program, {}, {}, Deadline::never());
    const GateInputs factored = factor(graph, cone(graph), Deadline::never());
    ASSERT_EQ(factored.size(), graph.nodes.size() + 1);
    EXPECT_EQ(factored.back().size(), 2U);
    std::size_t users = 0;
    for (const auto& inputs : factored) {
        users += static_cast<std::size_t>(
            std::ranges::count(inputs, Signal(static_cast<std::uint32_t>(factored.size()) - 1, false)));
    }
    EXPECT_EQ(users, 3U);
}

}  // namespace
}  // namespace stratagem::machine::lanes
