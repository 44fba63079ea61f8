// Counts that are known from elsewhere, or from programs written for one game alone.
#include "machine/tools/perft.h"

#include <gmock/gmock.h>

#include "machine/machine_games.h"

namespace stratagem::machine {
namespace {

using testing::bundled;
using testing::counting_game;
using testing::described;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing::made;

struct Counts {
    std::vector<std::uint64_t> nodes;
    std::vector<std::uint64_t> terminals;
    std::vector<std::uint64_t> distinct;
    std::vector<std::uint64_t> stuck;
    PerftEnd end = PerftEnd::complete;
};

Counts counts(const gdl::Description& description, std::size_t depth, MachineKind kind, PerftOptions options = {}) {
    options.max_depth = depth;
    Counts result;
    result.end = perft(*made(description, kind), options, [&](const PerftLevel& level) {
        EXPECT_EQ(level.depth, result.nodes.size());
        result.nodes.push_back(level.nodes);
        result.terminals.push_back(level.terminals);
        result.distinct.push_back(level.distinct);
        result.stuck.push_back(level.stuck);
    });
    return result;
}

TEST(Perft, CountsAGameWorkedOutByHand) {
    // 0; 1 2; 2 3 | 3; 3
    for (const MachineEntry& entry : machine_table()) {
        const Counts result = counts(described(counting_game), 9, entry.kind);
        EXPECT_THAT(result.nodes, ElementsAre(1, 2, 3, 1));
        EXPECT_THAT(result.terminals, ElementsAre(0, 0, 2, 1));
        EXPECT_THAT(result.distinct, ElementsAre(1, 2, 2, 1));
        EXPECT_EQ(result.end, PerftEnd::complete);
    }
}

TEST(Perft, MovesMadeTogetherAreOneStep) {
    const Counts result = counts(described(R"(
        (role a) (role b) (init start)
        (<= (legal a 1) (true start)) (<= (legal a 2) (true start))
        (<= (legal b 1) (true start)) (<= (legal b 2) (true start)) (<= (legal b 3) (true start))
        (<= (next same) (does a ?x) (does b ?x))
        (<= (next other) (does a ?x) (does b ?y) (distinct ?x ?y))
        (<= terminal (true other))
        (goal a 100) (goal b 100))"),
                                 3, MachineKind::circuit);
    EXPECT_THAT(result.nodes, ElementsAre(1, 6));
    EXPECT_THAT(result.terminals, ElementsAre(0, 4));
    EXPECT_THAT(result.stuck, ElementsAre(0, 2));
    EXPECT_THAT(result.distinct, ElementsAre(1, 2));
}

TEST(Perft, TicTacToeHas255168Games) {
    for (const MachineEntry& entry : machine_table()) {
        const Counts result = counts(bundled("tic_tac_toe"), 12, entry.kind);
        EXPECT_THAT(result.nodes, ElementsAre(1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872));
        EXPECT_THAT(result.terminals, ElementsAre(0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872));
        std::uint64_t games = 0;
        std::uint64_t states = 0;
        for (const std::uint64_t ended : result.terminals) games += ended;
        for (const std::uint64_t distinct : result.distinct) states += distinct;
        EXPECT_EQ(games, 255'168U);
        EXPECT_EQ(states, 5478U);  // the well-known number of positions
    }
}

// Depth by depth; the interpreter and both together go as far as they can in short time.
void expect_nodes(const std::string& game, std::size_t slow_depth, const std::vector<std::uint64_t>& expected) {
    const gdl::Description description = bundled(game);
    for (const MachineEntry& entry : machine_table()) {
        const bool fast = entry.kind == MachineKind::circuit;
        const std::size_t depth = fast ? expected.size() - 1 : slow_depth;
        const Counts result = counts(description, depth, entry.kind);
        EXPECT_THAT(result.nodes, ElementsAreArray(expected.begin(), expected.begin() + static_cast<long>(depth) + 1))
            << game << " " << entry.name;
    }
}

TEST(Perft, ConnectFour) { expect_nodes("connect_four", 4, {1, 7, 49, 343, 2401, 16807, 117649, 823536}); }

// 6,182,818 from a program for this game alone that counts the same way.
TEST(Perft, Breakthrough) { expect_nodes("breakthrough", 2, {1, 22, 484, 11132, 256036}); }

// The usual counts up to depth 6; from there on a jump of several men, one step of the usual count, takes several here.
// 179,255 is from a program for this game alone with jumps taken apart in the same way.
TEST(Perft, EnglishDraughts) { expect_nodes("english_draughts", 4, {1, 7, 49, 302, 1469, 7361, 36768, 179255}); }

TEST(Perft, StopsWithTheDepthsCompleted) {
    const gdl::Description description = bundled("connect_four");
    const std::atomic<bool> stop{true};
    PerftOptions options;
    options.stop.flag = &stop;
    EXPECT_EQ(counts(description, 5, MachineKind::circuit, options).end, PerftEnd::stopped);

    PerftOptions little_memory;
    little_memory.max_bytes = 20'000;
    const Counts result = counts(description, 8, MachineKind::circuit, little_memory);
    EXPECT_EQ(result.end, PerftEnd::out_of_memory);
    EXPECT_THAT(result.nodes, ::testing::SizeIs(::testing::AllOf(::testing::Gt(1U), ::testing::Lt(6U))));
    EXPECT_EQ(result.nodes[1], 7U);
}

TEST(Perft, MorePathsThanCanBeCountedIsAnEnd) {
    // Two ways to stay where one is: 2^n paths.
    const Counts result = counts(described(R"(
        (role a) (init on) (legal a left) (legal a right)
        (<= (next on) (true on)) (<= terminal (not (true on))) (goal a 100))"),
                                 100, MachineKind::circuit);
    EXPECT_EQ(result.end, PerftEnd::too_many_paths);
    ASSERT_EQ(result.nodes.size(), 64U);
    EXPECT_EQ(result.nodes.back(), std::uint64_t{1} << 63);
}

}  // namespace
}  // namespace stratagem::machine
