#include "search/single/single.h"

#include <gmock/gmock.h>

#include "search/search_games.h"

namespace stratagem::search::testing {
namespace {

// Plays the game with one search to the end; gives the goal value and the number of states looked at by move.
std::pair<int, std::vector<std::uint64_t>> play(const Prepared& game, Search& search, const Budget& budget) {
    State state = game.machine->initial();
    std::vector<std::uint64_t> looked;
    while (!game.machine->terminal(state)) {
        const Choice choice = search.choose(state, Role{0}, budget);
        EXPECT_TRUE(game.is_legal(state, 0, choice.move));
        looked.push_back(choice.nodes);
        State next;
        game.machine->next(state, std::vector<Move>{*choice.move}, next);
        state = next;
        search.advance(state);
    }
    return {game.machine->goal(state, Role{0}).value_or(0), looked};
}

TEST(Single, SolvesPuzzlesAndFollowsTheSolution) {
    for (const std::string name : {"eight_puzzle", "towers_of_hanoi", "blocks_world", "n_queens", "knights_tour"}) {
        const Prepared game = prepared(name);
        ASSERT_TRUE(single_entry.can_handle(game.problem.facts)) << name;
        const std::unique_ptr<Search> search =
            single_entry.make(game.problem, SearchSettings{1, 1, 256}, OptionValues(single_entry.options, ""));
        const auto [goal, looked] = play(game, *search, nodes(3'000'000));
        EXPECT_EQ(goal, 100) << name;
        ASSERT_FALSE(looked.empty());
        EXPECT_GT(looked[0], 0U);
        // After the first move there is nothing left to look for.
        EXPECT_THAT(std::vector(looked.begin() + 1, looked.end()), ::testing::Each(0U)) << name;
    }
}

TEST(Single, EachWayOfSearchingFindsTheEndAlone) {
    const Prepared game = prepared("blocks_world");
    for (const std::string options :
         {"bestfirst=off,diving=off", "deepening=off,diving=off", "bestfirst=off,deepening=off"}) {
        const Choice choice = game.make("single", options)->choose(game.machine->initial(), Role{0}, nodes(1'000'000));
        EXPECT_EQ(choice.value, 100) << options;
        EXPECT_TRUE(choice.proved) << options;
    }
}

// A corridor with a small prize at each side door and no way to the great one.
constexpr const char* corridor = R"(
    (role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal r on) (true (at ?n)) (succ ?n ?m)) (<= (legal r back) (true (at ?n)) (succ ?m ?n))
    (<= (legal r leave) (true (at ?n)))
    (<= (next (at ?m)) (does r on) (true (at ?n)) (succ ?n ?m))
    (<= (next (at ?m)) (does r back) (true (at ?n)) (succ ?m ?n))
    (<= (next (left ?n)) (does r leave) (true (at ?n)))
    (prize 0 10) (prize 1 20) (prize 2 70) (prize 3 5) (prize 4 30) (prize 9 100)
    (<= terminal (true (left ?n)))
    (<= (goal r ?p) (true (left ?n)) (prize ?n ?p))
    (<= (goal r 100) (true (left 2)) (true (at 3)))
)";

TEST(Single, ProvesWhatIsTheBestEnd) {
    const Prepared game = prepared_rules(corridor);
    for (const std::string options :
         {"", "bestfirst=off,diving=off", "deepening=off,diving=off", "bestfirst=off,deepening=off"}) {
        const Choice choice = game.make("single", options)->choose(game.machine->initial(), Role{0}, nodes(100'000));
        EXPECT_EQ(choice.value, 70) << options;
        EXPECT_TRUE(choice.proved) << options;
        if (options == "deepening=off,diving=off") {  // breadth first: the shortest
            EXPECT_EQ(choice.line.size(), 3U);
        }
    }
}

TEST(Single, WithoutEnoughTimeItTakesTheBestKnownWay) {
    const Prepared game = prepared_rules(corridor);
    const Choice choice =
        game.make("single", "deepening=off,diving=off")->choose(game.machine->initial(), Role{0}, nodes(2));
    EXPECT_FALSE(choice.proved);
    EXPECT_TRUE(game.is_legal(game.machine->initial(), 0, choice.move));
    EXPECT_LE(choice.nodes, 2U);
}

TEST(Single, GoesWhereTheEvaluatorPoints) {
    // Long tunnels; the evaluator knows the right one, and only the end of it pays.
    std::string rules = "(role r) (init (at 0 0)) (tunnel 0) (tunnel 1) (tunnel 2)\n";
    for (int i = 0; i < 60; ++i) rules += "(succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
    rules += R"(
        (<= (legal r (enter ?t)) (true (at 0 0)) (tunnel ?t))
        (<= (legal r on) (true (at ?t ?n)) (distinct ?n 0) (succ ?n ?m))
        (<= (next (at ?t 1)) (does r (enter ?t)))
        (<= (next (at ?t ?m)) (does r on) (true (at ?t ?n)) (succ ?n ?m))
        (<= terminal (true (at ?t 60)))
        (<= (goal r 100) (true (at 2 60))) (<= (goal r 0) (true (at 0 60))) (<= (goal r 0) (true (at 1 60)))
    )";
    Prepared game = prepared_rules(rules);
    class Points final : public evaluate::Evaluator {
      public:
        explicit Points(machine::Machine& machine) {
            for (int i = 1; i < 60; ++i) good_.push_back(*machine.find_fluent("(at 2 " + std::to_string(i) + ")"));
        }
        double value(const State& state, Role) const override {
            return std::any_of(good_.begin(), good_.end(), [&](auto f) { return state.holds(f); }) ? 80 : 20;
        }
        evaluate::Explanation explain(const State&, Role) const override { return {}; }

      private:
        std::vector<machine::Fluent> good_;
    };
    game.problem.evaluator = std::make_shared<Points>(*game.machine);
    const std::unique_ptr<Search> search = game.make("single", "deepening=off,diving=off");
    const Choice hint = search->choose(game.machine->initial(), Role{0}, nodes(10));
    EXPECT_EQ(game.machine->move_name(*hint.move), "(enter 2)");
    EXPECT_FALSE(hint.proved);
    const Choice found = search->choose(game.machine->initial(), Role{0}, nodes(62));
    EXPECT_EQ(found.value, 100);
    EXPECT_TRUE(found.proved);
}

}  // namespace
}  // namespace stratagem::search::testing
