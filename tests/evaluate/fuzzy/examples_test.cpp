// What the paper says the evaluation does in games of its time, on the games of ours that are like them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "evaluate/fuzzy_game.h"

namespace stratagem::evaluate::fuzzy::testing {
namespace {

using machine::testing::bundled;
using machine::testing::described;

TEST(FuzzyExamples, BlocksWorldCountsSubgoals) {
    const FuzzyGame game(bundled("blocks_world"));
    const std::vector<std::string> tower{"(on b a)", "(on c b)", "(on d c)", "(on e d)", "(on f e)"};
    const std::vector<std::string> blocks{"b", "c", "d", "e", "f"};
    double last = -1;
    for (std::size_t standing = 0; standing <= 4; ++standing) {
        std::vector<std::string> fluents{"(step 5)", "(on a table)"};
        for (std::size_t i = 0; i < tower.size(); ++i) {
            fluents.push_back(i < standing ? tower[i] : "(on " + blocks[i] + " table)");
        }
        const double value = game.value(game.state(fluents));
        EXPECT_GT(value, last + 0.1) << standing;
        last = value;
    }
}

// The example of section 4, with one goal that is all or nothing.
TEST(FuzzyExamples, PartsOfAnUnmetGoalCount) {
    const FuzzyGame game(described(R"(
        (role robot)
        (base (on a b)) (base (on b c)) (base (on_table c))
        (init (on a b))
        (<= (input robot (add ?f)) (base ?f))
        (<= (legal robot (add ?f)) (base ?f))
        (<= (next ?f) (does robot (add ?f)))
        (<= (next ?f) (true ?f))
        (<= (goal robot 100) (true (on a b)) (true (on b c)) (true (on_table c)))
        (<= (goal robot 0) (not (true (on a b))))
        (<= terminal (true (on a b)) (true (on b c)) (true (on_table c)))
    )"));
    const double none = game.value(game.state({}));
    const double one = game.value(game.state({"(on b c)"}));
    const double two = game.value(game.state({"(on b c)", "(on_table c)"}));
    const double three = game.value(game.state({"(on a b)", "(on b c)", "(on_table c)"}));
    EXPECT_GT(one, none + 0.1);
    EXPECT_GT(two, one + 0.1);
    EXPECT_GT(three, two + 40);
}

// A draw that holds as long as nobody has won becomes less true with every step towards winning; not to have lost does
// not. And what the other one is near to counts against us.
TEST(FuzzyExamples, ADrawIsNotToHaveLost) {
    const FuzzyGame game(bundled("connect_five"));
    Settings of_the_paper;
    of_the_paper.aggregation = Settings::Aggregation::product;
    const FuzzyGame paper(bundled("connect_five"), 120, of_the_paper);
    const auto row = [&](const FuzzyGame& from, const std::string& colour, int stones) {
        std::vector<std::string> fluents{"(control black)"};
        for (int i = 1; i <= stones; ++i) fluents.push_back("(cell " + std::to_string(i + 4) + " 8 " + colour + ")");
        return from.value(from.state(fluents), 0);
    };
    for (int stones = 1; stones < 4; ++stones) {
        EXPECT_GT(row(game, "black", stones + 1), row(game, "black", stones)) << stones;
        EXPECT_LT(row(game, "white", stones + 1), row(game, "white", stones)) << stones;
    }
    // Four of ours against four of theirs make more of a difference than to the paper's way of adding up.
    EXPECT_GT(row(game, "black", 4) - row(game, "white", 4), row(paper, "black", 4) - row(paper, "white", 4));
}

// Goals that go up step by step: a state in which more is reached is worth more, by all ways of adding up.
TEST(FuzzyExamples, MoreIsWorthMore) {
    const char* rules = R"(
        (role r) (base (have 0)) (base (have 1)) (base (have 2)) (base (have 3)) (base (have 4)) (init (have 0))
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (worth 0 10) (worth 1 30) (worth 2 60) (worth 3 75) (worth 4 100)
        (<= (input r ?m) (or (distinct ?m stay) (distinct ?m more)) (kind ?m)) (kind stay) (kind more)
        (<= (legal r ?m) (kind ?m))
        (<= (next (have ?n)) (does r stay) (true (have ?n)))
        (<= (next (have ?n)) (does r more) (true (have ?m)) (succ ?m ?n))
        (<= (next (have 4)) (true (have 4)))
        (<= (goal r ?v) (true (have ?n)) (worth ?n ?v))
        (<= terminal (true (have 4)))
    )";
    for (const auto aggregation : {Settings::Aggregation::ladder, Settings::Aggregation::product}) {
        Settings settings;
        settings.aggregation = aggregation;
        const FuzzyGame game(described(rules), 5, settings);
        for (int have = 0; have < 4; ++have) {
            const auto at = [&](int number) {
                return game.value(game.state({"(have " + std::to_string(number) + ")"}));
            };
            EXPECT_GT(at(have + 1), at(have)) << have;
        }
    }
}

// A knight next to its goal is two or three jumps from it, not one step.
TEST(FuzzyExamples, KnightsAreMeasuredInJumps) {
    const FuzzyGame jumps(bundled("knightthrough"));
    Settings along;
    along.moves = false;
    const FuzzyGame steps(bundled("knightthrough"), 120, along);
    const auto at = [&](const FuzzyGame& from, int column, int row) {
        std::vector<std::string> fluents{"(control white)"};
        for (int i = 1; i <= 8; ++i) {
            fluents.push_back("(cell " + std::to_string(i) + " 1 white)");
            fluents.push_back("(cell " + std::to_string(i) + " 8 black)");
        }
        fluents.push_back("(cell " + std::to_string(column) + " " + std::to_string(row) + " white)");
        return from.value(from.state(fluents), 0);
    };
    // Along the axes the seventh row is always nearer to the eighth than the sixth; in jumps of one or two rows both
    // are one jump away.
    EXPECT_GT(at(steps, 4, 7), at(steps, 4, 6));
    EXPECT_DOUBLE_EQ(at(jumps, 4, 7), at(jumps, 5, 7));
    EXPECT_GT(at(jumps, 4, 6), at(jumps, 4, 5));
    EXPECT_LT(at(jumps, 4, 7) - at(jumps, 4, 6), at(steps, 4, 7) - at(steps, 4, 6));
}

TEST(FuzzyExamples, RacetrackMeasuresTheDistanceToTheFinish) {
    const FuzzyGame game(bundled("racetrack_corridor"));
    const auto at = [&](int row) {
        return game.state({"(step 9)", "(car white 3 " + std::to_string(row) + ")", "(car black 3 4)",
                           "(barriers_left white 3)", "(barriers_left black 3)"});
    };
    for (int row = 1; row < 7; ++row) {
        EXPECT_GT(game.value(at(row + 1), 0), game.value(at(row), 0)) << row;
        EXPECT_LT(game.value(at(row + 1), 1), game.value(at(row), 1)) << row;
    }
    Settings blind;
    blind.boards = Settings::Boards::off;
    blind.quantities = false;
    const FuzzyGame flat(bundled("racetrack_corridor"), 120, blind);
    EXPECT_EQ(flat.value(flat.state({"(car white 3 2)", "(car black 3 4)"})),
              flat.value(flat.state({"(car white 3 5)", "(car black 3 4)"})));
}

// Two states that differ in the counter that ends the game: the earlier is better as long as no goal is met. With the
// power of the paper the first steps of the count are lost in the rounding of the sum.
TEST(FuzzyExamples, TheStepCounterMakesEarlierStatesBetter) {
    const FuzzyGame game(bundled("blocks_world"));
    const auto at = [&](int step) {
        return game.state({"(on a table)", "(on b table)", "(on c table)", "(on d table)", "(on e table)",
                           "(on f table)", "(step " + std::to_string(step) + ")"});
    };
    for (int step = 0; step < 9; ++step) {
        if (step < 2) {
            EXPECT_GE(game.value(at(step)), game.value(at(step + 1))) << step;
        } else {
            EXPECT_GT(game.value(at(step)), game.value(at(step + 1))) << step;
        }
    }
    Settings soft;
    soft.power = 3;
    const FuzzyGame softer(bundled("blocks_world"), 120, soft);
    for (int step = 0; step < 9; ++step) EXPECT_GT(softer.value(at(step)), softer.value(at(step + 1))) << step;
    Settings besides;
    besides.end = 0.01;
    const FuzzyGame louder(bundled("blocks_world"), 120, besides);
    for (int step = 4; step < 9; ++step) EXPECT_GT(louder.value(at(step)), louder.value(at(step + 1)) + 1e-4) << step;
    Settings plain;
    plain.quantities = false;
    const FuzzyGame binary(bundled("blocks_world"), 120, plain);
    EXPECT_EQ(binary.value(at(3)), binary.value(at(4)));
}

// The game ends when no jump is left: of states with as many pegs, and the peg that the goals ask for in place or not,
// the one with more jumps is better.
TEST(FuzzyExamples, TheEndOfPegSolitaireIsMobility) {
    const FuzzyGame game(bundled("peg_solitaire"));
    machine::Random random(1);
    const machine::Fluent centre = game.machine->find_fluent("(peg 4 4)").value();
    std::map<std::pair<std::size_t, bool>, std::map<std::size_t, double>> value_of;  // and by jumps
    std::size_t states = 0;
    std::vector<machine::Move> jumps;
    for (int play = 0; play < 100; ++play) {
        State state = game.machine->initial(), next;
        while (!game.machine->terminal(state)) {
            game.machine->legal(state, Role{0}, jumps);
            if (state.count() > 12) {  // pegs and their number: more than nine pegs, no goal is met
                value_of[{state.count(), state.holds(centre)}].emplace(jumps.size(), game.value(state));
                ++states;
            }
            game.machine->next(state, std::vector{jumps[random.below(static_cast<std::uint32_t>(jumps.size()))]}, next);
            std::swap(state, next);
        }
    }
    EXPECT_GT(states, 1000U);
    std::size_t compared = 0;
    for (const auto& [pegs, by_jumps] : value_of) {
        double last = -1;
        for (const auto& [count, value] : by_jumps) {
            EXPECT_GT(value, last) << count << " jumps of " << pegs.first;
            last = value;
            ++compared;
        }
    }
    EXPECT_GT(compared, 50U);
}

// A board of discs with so many of each colour: the four squares in the middle, which are never empty, and then the
// others from the first row on.
State othello_state(const FuzzyGame& game, int black, int white) {
    std::vector<std::pair<int, int>> squares{{4, 4}, {4, 5}, {5, 4}, {5, 5}};
    for (int i = 0; i < 64; ++i) {
        const std::pair square(i % 8 + 1, i / 8 + 1);
        if (std::ranges::find(squares, square) == squares.end()) squares.push_back(square);
    }
    std::vector<std::string> fluents{"(control black)"};
    for (int i = 0; i < 64; ++i) {
        const char* content = i < black ? "black" : i < black + white ? "white" : "empty";
        const auto [column, row] = squares[static_cast<std::size_t>(i)];
        fluents.push_back(fmt::format("(cell {} {} {})", column, row, content));
    }
    State result = game.state(fluents);
    EXPECT_FALSE(game.machine->terminal(result));
    return result;
}

TEST(FuzzyExamples, OthelloPrefersANarrowMiss) {
    const FuzzyGame game(bundled("othello"));
    ASSERT_GT(game.evaluator->comparison_count(), 0U);
    const auto goal = [&](int black, int white, std::uint32_t role) {
        Work work(*game.evaluator);
        work.move_to(othello_state(game, black, white));
        return game.evaluator->goal_truths(work, Role{role}).back();
    };
    // The second role is white; 15 white to 16 black is better for it than 10 to 21, though both lose.
    EXPECT_EQ(goal(16, 15, 1).goal, 100);
    EXPECT_GT(goal(16, 15, 1).truth, goal(21, 10, 1).truth + 0.01);
    EXPECT_LE(goal(16, 15, 1).truth, 0.25);
    EXPECT_GT(game.value(othello_state(game, 16, 15), 1), game.value(othello_state(game, 21, 10), 1));
    // And a strong win is better than a narrow one.
    EXPECT_GT(goal(10, 21, 1).truth, goal(15, 16, 1).truth + 0.01);
    EXPECT_GE(goal(15, 16, 1).truth, 0.75);
    EXPECT_GT(game.value(othello_state(game, 10, 21), 1), game.value(othello_state(game, 15, 16), 1));
    EXPECT_GT(game.value(othello_state(game, 21, 10), 0), game.value(othello_state(game, 16, 15), 0));
}

TEST(FuzzyExamples, FarmersWantMoreMoneyThanTheOthers) {
    const FuzzyGame game(bundled("farmers"));
    ASSERT_GT(game.evaluator->comparison_count(), 0U);
    const auto value = [&](int anna, int ben) {
        State state = game.machine->initial();
        for (const auto& [name, now] : {std::pair{"anna", anna}, std::pair{"ben", ben}}) {
            state.flip(game.machine->find_fluent(fmt::format("(money {} 10)", name)).value());
            state.flip(game.machine->find_fluent(fmt::format("(money {} {})", name, now)).value());
        }
        return game.value(state, 0);
    };
    EXPECT_GT(value(20, 15), value(16, 15));
    EXPECT_GT(value(16, 15), value(14, 15));
    EXPECT_GT(value(14, 15), value(11, 15));
    EXPECT_GT(value(12, 15), value(12, 30));
}

// Relations that join two conditions by a number compare nothing when the sides are not numbers.
TEST(FuzzyExamples, EqualColumnsAreNoComparison) {
    const FuzzyGame game(bundled("connect_four"));
    EXPECT_EQ(game.evaluator->comparison_count(), 0U);
}

std::string all_text(const Explanation& explanation) {
    std::string text = explanation.text + "\n";
    for (const Explanation& part : explanation.parts) text += all_text(part);
    return text;
}

TEST(FuzzyExplain, SaysWhatIsMissingInWordsOfTheRules) {
    const FuzzyGame race(bundled("racetrack_corridor"));
    const Explanation whole = race.evaluator->explain(race.machine->initial(), Role{0});
    EXPECT_EQ(whole.value, race.value(race.machine->initial()));
    EXPECT_NE(all_text(whole).find("(arrived white): one of 5 (car white ?b 8)"), std::string::npos) << all_text(whole);
    EXPECT_NE(all_text(whole).find("7 steps from (car white 3 8)"), std::string::npos) << all_text(whole);
    const FuzzyGame discs(bundled("othello"));
    const std::string text = all_text(discs.evaluator->explain(discs.machine->initial(), Role{0}));
    EXPECT_NE(text.find("(discs black 2) more than (discs white 2)"), std::string::npos) << text;
}

TEST(FuzzyExplain, StaysSmallAndPutsTheMostInfluentialFirst) {
    for (const char* name : {"othello", "peg_solitaire", "chinese_checkers"}) {
        const FuzzyGame game(bundled(name), 5);
        const Explanation whole = game.evaluator->explain(game.machine->initial(), Role{0});
        EXPECT_LE(std::ranges::count(all_text(whole), '\n'), 1000);
        ASSERT_FALSE(whole.parts.empty());
        EXPECT_LE(whole.parts.size(), 7U);
    }
}

}  // namespace
}  // namespace stratagem::evaluate::fuzzy::testing
