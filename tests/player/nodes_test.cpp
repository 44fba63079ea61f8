// Budgets of nodes: the same seed gives the same match to the last move, whatever else the computer is doing.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <thread>

#include "player/fake_search.h"

namespace stratagem::player {
namespace {

using ::testing::HasSubstr;
using testing::Lines;

// Threads that take the processor away from whoever needs it, for as long as this lives.
class Load {
  public:
    explicit Load(std::size_t threads) {
        for (std::size_t i = 0; i < threads; ++i) {
            threads_.emplace_back([](const std::stop_token& done) {
                volatile std::uint64_t sum = 0;
                while (!done.stop_requested()) sum = sum + 1;
            });
        }
    }

  private:
    std::vector<std::jthread> threads_;
};

// Everything that players said and thought, move by move.
struct Played {
    std::vector<std::string> moves;  // joint
    std::vector<std::string> thoughts;

    bool operator==(const Played&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Played& played) {
    for (std::size_t i = 0; i < played.moves.size(); ++i) {
        out << played.moves[i] << "\n    " << played.thoughts[i] << "\n";
    }
    return out;
}

std::string thought_of(const Answer& answer) {
    const search::Choice& choice = answer.choice;
    return fmt::format("{} {} value {} {} {} depth {} nodes {} playouts {} line {}", to_string(answer.source),
                       answer.move, choice.value, choice.judged, choice.proved, choice.depth, choice.nodes,
                       choice.playouts, choice.line.size());
}

// One player for each role, all of the same recipe.
Played play(const std::shared_ptr<const machine::GdlGame>& game, const std::string& recipe, PlayerSettings settings,
            std::size_t most_steps = 200) {
    const std::unique_ptr<machine::Machine> machine =
        machine::testing::made(game->description(), machine::MachineKind::circuit);
    std::vector<std::unique_ptr<Player>> players;
    for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
        settings.search.seed = 5 + role;
        const std::string own = machine->role_name(machine::Role{role}) == "random" ? "random" : recipe;
        players.push_back(std::make_unique<Player>(Recipe(own), settings));
        // A start clock in which nothing can be prepared, and a play clock in which nothing can be found: they must
        // not matter.
        EXPECT_TRUE(players.back()->start(game, machine::Role{role}, {Seconds(0), Seconds(0)}));
    }
    Played played;
    machine::State state = machine->initial();
    std::vector<std::string> last;
    while (!machine->terminal(state) && played.moves.size() < most_steps) {
        std::vector<std::string> names;
        std::vector<machine::Move> joint;
        std::string thoughts;
        for (std::uint32_t role = 0; role < players.size(); ++role) {
            const Answer answer = players[role]->play(last);
            const std::optional<machine::Move> move = machine->find_move(machine::Role{role}, answer.move);
            EXPECT_TRUE(move) << answer.move;
            if (!move) return played;
            joint.push_back(*move);
            names.push_back(answer.move);
            thoughts += thought_of(answer) + "; ";
        }
        played.moves.push_back(fmt::format("{}", fmt::join(names, " ")));
        played.thoughts.push_back(thoughts);
        machine::State next;
        machine->next(state, joint, next);
        state = std::move(next);
        last = std::move(names);
    }
    return played;
}

PlayerSettings with_nodes(std::uint64_t nodes) {
    PlayerSettings settings;
    settings.nodes = nodes;
    settings.search.table_megabytes = 8;
    return settings;
}

struct Case {
    std::string game;
    std::vector<std::string> recipes;
};

TEST(Nodes, TheSameMatchToTheLastMoveOnABusyComputer) {
    const std::vector<Case> cases = {
        {"connect_four", {"uct", "alphabeta", "mcts-plain", "flux", "kuhl", "nex", "best"}},
        {"breakthrough_6x6", {"uct:final=mixed", "flux"}},
        {"bidding_tic_tac_toe", {"uct", "nex", "paranoid"}},
        {"three_player_tic_tac_toe", {"maxn", "best", "flux"}},
        {"dots_and_boxes_2x2", {"solve", "best"}},
        {"connect_three", {"solve", "best"}},
        {"kuhn_poker", {"best", "maxn"}},
        {"eight_puzzle", {"best", "nex"}},
        {"lights_out", {"blind", "uct"}},
        {"rock_paper_scissors", {"uct:final=mixed"}},
    };
    for (const auto& [name, recipes] : cases) {
        const auto game = testing::shared(machine::testing::bundled(name));
        for (const std::string& recipe : recipes) {
            SCOPED_TRACE(name + " " + recipe);
            const Played quiet = play(game, recipe, with_nodes(150));
            const Load load(4);
            EXPECT_EQ(play(game, recipe, with_nodes(150)), quiet);
            EXPECT_GT(quiet.moves.size(), 0U);
        }
    }
}

TEST(Nodes, TheRecipeGoesBeforeTheSettings) {
    EXPECT_EQ(Recipe("uct:nodes=70").nodes(), 70U);
    EXPECT_FALSE(Recipe("uct").nodes());
    const auto game = testing::shared(machine::testing::bundled("connect_four"));
    const auto own = play(game, "alphabeta:nodes=300", with_nodes(5), 3);
    const auto other = play(game, "alphabeta", with_nodes(300), 3);
    EXPECT_EQ(own, other);
    EXPECT_THAT(own.thoughts[0], HasSubstr("nodes 300 "));
}

TEST(Nodes, SearchesTakeNoMoreThanTheyAreGiven) {
    const auto game = testing::shared(machine::testing::bundled("connect_four"));
    for (const std::string recipe : {"alphabeta", "maxn", "paranoid", "solve", "flux"}) {
        const Played played = play(game, recipe, with_nodes(123), 2);
        EXPECT_THAT(played.thoughts[0], HasSubstr(" nodes 123 ")) << recipe;
    }
}

TEST(Nodes, NobodyPonders) {
    EXPECT_THROW(Recipe("uct:nodes=10,ponder=on"), OptionError);
    std::atomic<bool> pondered = false;
    const auto game = testing::shared(machine::testing::bundled("tic_tac_toe"));
    PlayerSettings settings = with_nodes(9);
    settings.ponder = true;
    std::vector<std::uint64_t> budgets;
    Player player(testing::fake("fake",
                                [&](machine::Machine& machine, const search::State& state, search::Role role,
                                    const search::Budget& budget, const testing::Report&) {
                                    if (budget.pondering) pondered = true;
                                    budgets.push_back(budget.max_nodes);
                                    EXPECT_TRUE(budget.stop.deadline.is_never());
                                    return testing::nth_legal(machine, state, role, 0);
                                }),
                  settings);
    ASSERT_TRUE(player.start(game, machine::Role{0}, {Seconds(5), Seconds(5)}));
    const Answer answer = player.play({});
    EXPECT_EQ(answer.source, Answer::Source::search);
    player.stop();
    EXPECT_FALSE(pondered);
    EXPECT_EQ(budgets, std::vector<std::uint64_t>{9});
}

TEST(Nodes, ThreadsThatARecipeAsksForAreCalledNotRepeatable) {
    const auto game = testing::shared(machine::testing::bundled("tic_tac_toe"));
    for (const std::string recipe : {"uct", "uct:threads=2"}) {
        Lines lines;
        PlayerSettings settings = with_nodes(50);
        settings.search.threads = 2;
        settings.log = lines.log();
        Player player{Recipe(recipe), settings};
        ASSERT_TRUE(player.start(game, machine::Role{0}, {Seconds(5), Seconds(5)}));
        player.stop();
        EXPECT_EQ(lines.contain("NOT REPEATABLE"), recipe == "uct:threads=2") << lines.all();
    }
}

// The last resort: a search that never ends, and preparing that does not.
TEST(Nodes, WhatTakesTooLongIsCutShortAndCalledNotRepeatable) {
    Lines lines;
    PlayerSettings settings = with_nodes(50);
    settings.patience = Seconds(0.2);
    settings.grace = std::chrono::milliseconds(10);
    settings.log = lines.log();
    const auto game = testing::shared(machine::testing::bundled("tic_tac_toe"));
    Player player(testing::fake("endless",
                                [&](machine::Machine& machine, const search::State& state, search::Role role,
                                    const search::Budget& budget, const testing::Report&) {
                                    while (!budget.stop.now()) std::this_thread::yield();
                                    return testing::nth_legal(machine, state, role, 2);
                                }),
                  settings);
    ASSERT_TRUE(player.start(game, machine::Role{0}, {Seconds(5), Seconds(5)}));
    const Answer answer = player.play({});
    EXPECT_THAT(answer.move, HasSubstr("mark"));
    EXPECT_TRUE(lines.contain("NOT REPEATABLE")) << lines.all();
}

// With the recipe's own number the clocks of the match still hold.
TEST(Nodes, ARecipeWithNodesKeepsTheClock) {
    Lines lines;
    PlayerSettings settings;
    settings.log = lines.log();
    const auto game = testing::shared(machine::testing::bundled("connect_four"));
    Player player{Recipe("alphabeta:nodes=1000000000000"), settings};
    ASSERT_TRUE(player.start(game, machine::Role{0}, {Seconds(5), Seconds(0.5)}));
    const Answer answer = player.play({});
    EXPECT_NE(answer.source, Answer::Source::nothing);
    EXPECT_TRUE(lines.contain("NOT REPEATABLE")) << lines.all();
    player.stop();
}

}  // namespace
}  // namespace stratagem::player
