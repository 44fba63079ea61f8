// True is never taken for false: on states of random games, what the evaluator says of every goal and of the end agrees
// with the machine, and following the game gives the same numbers as starting anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "evaluate/fuzzy_game.h"
#include "test_size.h"

namespace stratagem::evaluate::fuzzy::testing {
namespace {

struct Totals {
    std::size_t games = 0, states = 0, judged = 0, held = 0, slow = 0;
};

constexpr double tolerance = 1e-12;

void expect_agreement(const FuzzyEvaluator& evaluator, double truth, bool holds, const char* what) {
    const double t = evaluator.settings().threshold;
    if (holds) {
        ASSERT_GE(truth, t - tolerance) << what;
    } else {
        ASSERT_LE(truth, 1 - t + tolerance) << what;
    }
    ASSERT_GE(truth, 0.0) << what;
    ASSERT_LE(truth, 1.0) << what;
}

// Goals: exactly one value holds where the machine knows one; where it does not, none or several do.
void check_state(const FuzzyGame& game, Evaluation& following, const State& state, Totals& totals) {
    const FuzzyEvaluator& evaluator = *game.evaluator;
    Work fresh(evaluator);
    fresh.move_to(state);
    expect_agreement(evaluator, evaluator.terminal_truth(fresh), game.machine->terminal(state), "terminal");
    for (std::uint32_t role = 0; role < game.machine->role_count(); ++role) {
        const std::optional<int> goal = game.machine->goal(state, Role{role});
        std::size_t holding = 0;
        for (const FuzzyEvaluator::GoalTruth& one : evaluator.goal_truths(fresh, Role{role})) {
            ++totals.judged;
            const bool holds = goal ? one.goal == *goal : one.truth > 0.5;
            holding += holds ? 1 : 0;
            expect_agreement(evaluator, one.truth, holds, "goal");
        }
        totals.held += holding;
        ASSERT_EQ(goal.has_value(), holding == 1);
        const double value = fresh.value(state, Role{role});
        ASSERT_GE(value, 0.0);
        ASSERT_LE(value, 100.0);
        ASSERT_EQ(following.value(state, Role{role}), value);
    }
}

void check(const std::string& name, gdl::Description description, double seconds, std::size_t states,
           const Settings& settings, Totals& totals, const Deadline& deadline = Deadline::never()) {
    SCOPED_TRACE(name);
    const FuzzyGame game(std::move(description), seconds, settings);
    if (!game.evaluator) return;
    ++totals.games;
    const std::unique_ptr<Evaluation> following = game.evaluator->start();
    machine::Random random(7);
    std::vector<machine::Move> legal, joint;
    State state = game.machine->initial(), next;
    for (std::size_t i = 0; i < states && !deadline.expired(); ++i) {
        check_state(game, *following, state, totals);
        if (::testing::Test::HasFatalFailure()) return;
        ++totals.states;
        joint.clear();
        for (std::uint32_t role = 0; role < game.machine->role_count(); ++role) {
            game.machine->legal(state, Role{role}, legal);
            if (!legal.empty()) joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        }
        if (game.machine->terminal(state) || joint.size() < game.machine->role_count()) {
            state = game.machine->initial();
        } else {
            game.machine->next(state, joint, next);
            std::swap(state, next);
        }
    }
    if (deadline.expired()) {
        ++totals.slow;
        fmt::print("{}: no time for all states\n", name);
    }
}

void report(const Totals& totals) {
    fmt::print("{} games ({} slow), {} states: {} goals judged, {} of them held\n", totals.games, totals.slow,
               totals.states, totals.judged, totals.held);
}

TEST(FuzzySoundness, OfAllBundledGames) {
    Totals totals;
    for (const std::filesystem::path& path : gdl::testing::bundled_files()) {
        check(path.stem().string(), machine::testing::described_file(path), 5, sized(1000), {}, totals);
    }
    report(totals);
    EXPECT_GE(totals.games, 35U);
    EXPECT_GE(totals.states, sized(30'000));
    EXPECT_GE(totals.held, sized(10'000));
}

// Other numbers, the same truth.
TEST(FuzzySoundness, OfOtherSettings) {
    Totals totals;
    for (const double power : {1.0, 2.5, 40.0}) {
        for (const char* name : {"tic_tac_toe", "racetrack_corridor", "hex", "farmers"}) {
            Settings settings;
            settings.truth = 0.9;
            settings.threshold = 0.6;
            settings.power = power;
            settings.aggregation = power > 2 ? Settings::Aggregation::mean : Settings::Aggregation::product;
            check(name, machine::testing::bundled(name), 2, 100, settings, totals);
        }
    }
    EXPECT_EQ(totals.games, 12U);
}

// A sample of the collection beside the project; all of it, with more states, in the full tests.
TEST(FuzzySoundness, OfSharedGames) {
    const std::vector<std::filesystem::path> files = gdl::testing::shared_files();
    if (files.empty()) GTEST_SKIP() << "no ../shared/games beside the project";
    const bool full = full_tests();
    Totals totals;
    for (std::size_t i = 0; i < files.size(); i += every(20)) {
        gdl::ReadResult read = gdl::read_and_check(files[i].filename().string(), gdl::testing::content_of(files[i]));
        if (!read.ok()) continue;
        check(files[i].stem().string(), std::move(read.description), full ? 1.5 : 0.5, full ? 1000 : sized(100), {},
              totals);
    }
    report(totals);
    EXPECT_GT(totals.games, 0U);
}

}  // namespace
}  // namespace stratagem::evaluate::fuzzy::testing
