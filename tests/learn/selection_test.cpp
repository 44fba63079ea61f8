// Features selected by matches, and what they are selected with.
#include "learn/selection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "analysis/analysis.h"
#include "evaluate/feature_tree/fluent_sums.h"
#include "evaluate/feature_tree/tree_evaluator.h"
#include "evaluate/feature_tree/tree_text.h"
#include "learn/quick_match.h"
#include "learn/t_test.h"
#include "machine/same_game.h"
#include "test_size.h"

namespace stratagem::learn {
namespace {

using namespace evaluate::feature_tree;

TEST(TTest, IsStudents) {
    // Tables: two-sided 5 % and 1 %.
    EXPECT_NEAR(student_t_beyond(12.706205, 1), 0.05, 1e-6);
    EXPECT_NEAR(student_t_beyond(-2.228139, 10), 0.05, 1e-6);
    EXPECT_NEAR(student_t_beyond(3.169273, 10), 0.01, 1e-6);
    EXPECT_NEAR(student_t_beyond(1.959964, 1e7), 0.05, 1e-5);
    EXPECT_NEAR(student_t_beyond(0, 7), 1, 1e-12);
    EXPECT_LT(student_t_beyond(50, 100), 1e-12);
    // (1, 2, 3, 4): mean 2.5, error 0.6454972, t = 3.872983 with three degrees of freedom.
    EXPECT_NEAR(paired_t_test(std::vector<double>{1, 2, 3, 4}), 0.030466, 1e-5);
    EXPECT_EQ(paired_t_test(std::vector<double>{0, 0, 0}), 1);
    EXPECT_EQ(paired_t_test(std::vector<double>{5}), 1);
    EXPECT_NEAR(paired_t_test(std::vector<double>{100, 100, 100, 100}), 0.125, 1e-12);
}

struct Chosen {
    explicit Chosen(const std::string& name, std::string_view tree = "")
        : game(std::make_shared<const machine::GdlGame>(
              std::make_shared<const gdl::Description>(machine::testing::bundled(name)))) {
        const analysis::Analysis analysis(game, {.sample_states = 500});
        using analysis::Item;
        const analysis::Findings known = analysis.ask({Item::samples, Item::orders, Item::groups, Item::graph}, {});
        literals = std::make_unique<Literals>(known);
        PrepareSettings settings;
        settings.outcomes.states = 1000;
        auto made = evaluate::feature_tree::prepare(game->circuit(), *literals, known, settings, {});
        prepared = std::move(std::get<Prepared>(made));
        if (tree.empty()) return;
        prepared.tree = std::get<FeatureTree>(parse_tree(tree));
        prepared.sums = std::make_unique<const Sums>(prepared.tree, *literals);
        prepared.variation = std::make_unique<Variation>(*prepared.sums);
        for (const Outcomes::Game& one : prepared.outcomes.games) {
            for (const machine::State& state : one.states) prepared.variation->see(state);
        }
    }

    std::vector<std::int64_t> whole(const std::vector<double>& weights) const {
        std::vector<std::int64_t> result;
        for (const double weight : prepared.sums->collapse(weights)) result.push_back(whole_weight(weight));
        return result;
    }

    std::shared_ptr<const machine::Game> game;
    std::unique_ptr<Literals> literals;
    Prepared prepared;
};

// Rows of one's pawns: the higher for White, the lower for Black.
constexpr std::string_view pawns = "*\n  F:cell\n    T[2]:white # O[1] O[0]\n    T[2]:black # O[1]\n  F:control #\n";

TEST(DepthMatch, DeeperAndBetterInformedPlayersWin) {
    const Chosen chosen("breakthrough_6x6", pawns);
    const std::vector<std::int64_t> nothing(chosen.literals->size(), 0);
    // More pawns than the other one.
    const std::vector<std::int64_t> white = chosen.whole({1, 0, 0, -1, 0, 0}),
                                    black = chosen.whole({-1, 0, 0, 1, 0, 0});
    double first = 0, second = 0;
    for (const std::size_t depth : {1U, 2U}) {
        DepthMatch match;
        match.depth = depth;
        DepthTable table(*chosen.game, match);
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            first += table.play({white, 0}, {nothing, 0}, machine::Role{0}, seed, {}).value() / 20;
            second += table.play({black, 0}, {nothing, 0}, machine::Role{1}, seed, {}).value() / 20;
        }
        EXPECT_EQ(table.play({white, 0}, {nothing, 0}, machine::Role{0}, 7, {}),
                  table.play({white, 0}, {nothing, 0}, machine::Role{0}, 7, {}));
    }
    EXPECT_GT(first, 75);
    EXPECT_GT(second, 75);
    DepthTable table(*chosen.game, {});
    const std::atomic<bool> now = true;
    EXPECT_FALSE(table.play({white, 0}, {nothing, 0}, machine::Role{0}, 7, {Deadline::never(), &now}));
}

// By hand: everything two moves ahead, without cuts.
TEST(DepthMatch, AlphaBetaFindsWhatLookingAtEverythingFinds) {
    const Chosen chosen("tic_tac_toe");
    machine::Random random(5);
    std::vector<double> weights;
    for (std::size_t i = 0; i < chosen.prepared.sums->features(); ++i) weights.push_back(random.below(5) - 2.0);
    const std::vector<std::int64_t> ours = chosen.whole(weights);
    const std::vector<std::int64_t> nothing(ours.size(), 0);
    DepthMatch match;
    match.depth = 2;
    DepthTable table(*chosen.game, match);
    std::vector<machine::State> seen;
    ASSERT_TRUE(table.play({ours, 0}, {nothing, 0}, machine::Role{0}, 1, {},
                           [&](const machine::State& state) { seen.push_back(state); }));
    const auto machine = chosen.game->make();
    const auto value = [&](const machine::State& state) {
        if (machine->terminal(state)) {
            const int goal = machine->goal(state, machine::Role{0}).value_or(50);
            return goal == 100 ? 1e15 : goal == 0 ? -1e15 : 0.0;
        }
        double sum = 0;
        state.for_each([&](machine::Fluent fluent) { sum += static_cast<double>(ours[ground::index(fluent)]); });
        return sum;
    };
    const auto after = [&](const machine::State& state) {
        std::vector<machine::State> states;
        std::vector<std::vector<machine::Move>> legal(2);
        for (std::uint32_t role = 0; role < 2; ++role) machine->legal(state, machine::Role{role}, legal[role]);
        for (const machine::Move first : legal[0]) {
            for (const machine::Move second : legal[1]) {
                states.emplace_back();
                machine->next(state, std::vector{first, second}, states.back());
            }
        }
        return states;
    };
    std::size_t looked = 0;
    for (std::size_t i = 0; i + 1 < seen.size(); i += 2) {  // x is to move
        double best = -1e18, found = -1e18;
        for (const machine::State& next : after(seen[i])) {
            double worst = 1e18;
            if (machine->terminal(next)) {
                worst = value(next);
            } else {
                for (const machine::State& end : after(next)) worst = std::min(worst, value(end));
            }
            best = std::max(best, worst);
            if (next == seen[i + 1]) found = worst;
        }
        EXPECT_EQ(found, best);
        ++looked;
    }
    EXPECT_GT(looked, 2U);
}

TEST(Selection, FindsThatPawnsAreWorthSomething) {
    Chosen chosen("breakthrough_6x6", pawns);
    SelectionSettings settings;
    settings.trials = sized(40);
    settings.rounds = 2;
    const Selection found = select_features(*chosen.game, chosen.prepared, settings, {});
    EXPECT_TRUE(found.complete);
    ASSERT_FALSE(found.rounds.empty());
    EXPECT_EQ(found.rounds[0].candidates, chosen.prepared.variation->count());
    EXPECT_EQ(found.rounds[0].matches, 2 * settings.trials * found.rounds[0].candidates);
    EXPECT_GE(found.rounds[0].corrected, found.rounds[0].p);
    const Selection again = select_features(*chosen.game, chosen.prepared, settings, {});
    EXPECT_EQ(again.weights, found.weights);
    EXPECT_EQ(again.rounds[0].effect, found.rounds[0].effect);
    if (sanitized) return;
    ASSERT_TRUE(found.rounds[0].accepted);
    // For the first role, White: its own count or how far they are is good, the other's count bad.
    const SelectionRound& first = found.rounds[0];
    const std::string name = chosen.prepared.tree.name(chosen.prepared.tree.features()[first.feature]);
    if (name == "F:cell T[2]:white #") {
        EXPECT_GT(first.effect, 0);
    } else if (name == "F:cell T[2]:black #") {
        EXPECT_LT(first.effect, 0);
    }
    const TreeEvaluator evaluator(model_of(chosen.prepared, found.weights, chosen.literals->program()).pruned(),
                                  *chosen.literals);
    const auto machine = chosen.game->make();
    EXPECT_NEAR(
        evaluator.value(machine->initial(), machine::Role{0}) + evaluator.value(machine->initial(), machine::Role{1}),
        100, 1e-3);
    QuickMatch match;
    const std::vector<double> points = play_quickly(*chosen.game, &evaluator, nullptr, match, {});
    EXPECT_GT(std::accumulate(points.begin(), points.end(), 0.0) / static_cast<double>(points.size()), 60) << name;
}

TEST(Selection, EndsWhenToldTo) {
    Chosen chosen("tic_tac_toe");
    const std::atomic<bool> now = true;
    const Selection found = select_features(*chosen.game, chosen.prepared, {}, {Deadline::never(), &now});
    EXPECT_FALSE(found.complete);
    EXPECT_TRUE(found.rounds.empty());
}

}  // namespace
}  // namespace stratagem::learn
