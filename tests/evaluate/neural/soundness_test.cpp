// True is never taken for false: in states of random games the sign of every neuron is the truth of its condition, its
// value is within its limits, and following the game gives the same numbers as starting anew.
#include <gtest/gtest.h>

#include "evaluate/neural_game.h"

namespace stratagem::evaluate::neural::testing {
namespace {

struct Totals {
    std::size_t games = 0, states = 0, judged = 0, held = 0;
};

constexpr double tolerance = 1e-9;  // of limits, which are worked out by other sums

void check_neurons(const GradedTheory& goals, const Network::Values& values, const std::vector<bool>& truth,
                   bool within_limits, Totals& totals) {
    for (std::uint32_t i = 0; i < truth.size(); ++i) {
        const double output = values.output[i];
        ASSERT_NE(output, 0.0) << i;
        ASSERT_EQ(output > 0, truth[i]) << "neuron " << i << ": " << output;
        ASSERT_LE(std::abs(output), 1.0);
        if (within_limits) {
            const Limits& limits = goals.network().neuron(i).output;
            ASSERT_GE(output, (truth[i] ? limits.high : limits.lowest) - tolerance) << i;
            ASSERT_LE(output, (truth[i] ? limits.highest : limits.low) + tolerance) << i;
        }
        ++totals.judged;
        totals.held += truth[i] ? 1 : 0;
    }
}

void check_state(const NeuralGame& game, Evaluation& following, const State& state, Totals& totals) {
    const NeuralEvaluator& evaluator = *game.evaluator;
    Work fresh(evaluator);
    fresh.move_to(state);
    const std::vector<bool> truth = truth_of(evaluator.goals(), state);
    check_neurons(evaluator.goals(), fresh.goals().values, truth, evaluator.features() == nullptr, totals);
    if (::testing::Test::HasFatalFailure()) return;
    for (std::uint32_t role = 0; role < game.machine->role_count(); ++role) {
        // The machine agrees on the goals.
        const std::optional<int> goal = game.machine->goal(state, Role{role});
        for (const DomainTheory::Goal& one : evaluator.goals().theory().goals()) {
            if (one.role != Role{role} || !goal) continue;
            ASSERT_EQ(DomainTheory::holds(truth, one.condition), one.value == *goal);
            ASSERT_EQ(evaluator.goals().answer(fresh.goals(), one.condition) > 0, one.value == *goal);
        }
        const double value = fresh.value(state, Role{role});
        ASSERT_GE(value, 0.0);
        ASSERT_LE(value, 100.0);
        ASSERT_EQ(following.value(state, Role{role}), value);
    }
}

void check(const NeuralGame& game, std::size_t states, Totals& totals) {
    ASSERT_TRUE(game.evaluator->goals().theory().is_consistent());
    ++totals.games;
    const std::unique_ptr<Evaluation> following = game.evaluator->start();
    machine::Random random(7);
    State state = game.machine->initial();
    for (std::size_t i = 0; i < states; ++i) {
        check_state(game, *following, state, totals);
        if (::testing::Test::HasFatalFailure()) return;
        ++totals.states;
        game.advance(state, random);
    }
}

void report(const Totals& totals) {
    fmt::print("{} games, {} states: {} neurons judged, {} of them held\n", totals.games, totals.states, totals.judged,
               totals.held);
}

Settings with_features(Transformation kind) {
    Settings settings = settings_for(kind);
    settings.features.distances = settings.features.persistence = settings.features.admissible = true;
    settings.features.orders = settings.features.variable = true;
    settings.features.solutions = settings.features.partial = true;
    return settings;
}

TEST(NeuralSoundness, OfAllBundledGames) {
    Totals totals;
    for_each_bundled_game([&](const NeuralGame& game) { check(game, full_tests() ? 150 : sized(60), totals); });
    if (HasFatalFailure()) return;
    report(totals);
    EXPECT_GE(totals.games, 3 * 35U);
    EXPECT_GE(totals.held, sized(100'000));
}

// Beyond the limit conditions are crisp, and no less true.
TEST(NeuralSoundness, OfTheoriesThatAreTooLarge) {
    Totals totals;
    for (const char* name : {"tic_tac_toe", "hex", "othello", "breakthrough", "racetrack_corridor"}) {
        NeuralGame game(machine::testing::bundled(name));
        for (const Transformation kind : {Transformation::cilp, Transformation::local, Transformation::soft}) {
            Settings settings = settings_for(kind);
            settings.most_graded = 20;
            game.set(settings);
            EXPECT_GT(game.evaluator->goals().theory().crisp_count(), 0U) << name;
            check(game, 30, totals);
        }
    }
}

TEST(NeuralSoundness, OfSharedGames) {
    Totals totals;
    for_each_shared_game(0, [&](const NeuralGame& game) { check(game, full_tests() ? 1000 : sized(20), totals); });
    if (HasFatalFailure() || IsSkipped()) return;
    report(totals);
    EXPECT_GT(totals.games, 0U);
}

// What a network holds to be certain stays as it is to the end of the game, for every neuron.
TEST(NeuralSoundness, OfWhatIsCertain) {
    std::size_t settled = 0;
    for (const char* name : {"tic_tac_toe", "connect_four", "breakthrough_6x6", "nine_board_tic_tac_toe", "hallway",
                             "racetrack_corridor"}) {
        SCOPED_TRACE(name);
        NeuralGame game(machine::testing::bundled(name), {}, full_tests() ? 5 : 1);
        game.set(with_features(Transformation::soft));
        Work work(*game.evaluator);
        machine::Random random(3);
        State state = game.machine->initial();
        std::vector<std::int8_t> before;
        for (int step = 0; step < 300; ++step) {
            work.move_to(state);
            const std::vector<std::int8_t>& now = work.goals().values.certain;
            for (std::size_t i = 1; i < before.size(); ++i) {
                if (before[i] == 0) continue;
                ASSERT_EQ(before[i] > 0, work.goals().values.output[i] > 0) << "neuron " << i;
                ++settled;
            }
            before = game.machine->terminal(state) ? std::vector<std::int8_t>{} : now;
            game.advance(state, random);
        }
    }
    EXPECT_GT(settled, 1000U);
}

// Beginning anew from where the game stands leaves out what is settled, and nothing else.
TEST(NeuralSoundness, OfPruning) {
    std::size_t left_out = 0, compared = 0;
    for (const char* name : {"tic_tac_toe", "connect_four", "breakthrough_6x6", "nine_board_tic_tac_toe", "hallway",
                             "racetrack_corridor", "maze_chase", "skirmish", "othello", "quarto", "peg_solitaire"}) {
        SCOPED_TRACE(name);
        NeuralGame game(machine::testing::bundled(name), {}, full_tests() ? 5 : 1);
        for (const Transformation kind : {Transformation::local, Transformation::soft}) {
            game.set(with_features(kind));
            Work whole(*game.evaluator), pruned(*game.evaluator);
            machine::Random random(9);
            State real = game.machine->initial();
            for (int turn = 0; turn < (full_tests() ? 60 : 15); ++turn) {
                pruned.begin_at(real);
                left_out += whole.goals().values.upwards->users.size() - pruned.goals().values.upwards->users.size();
                // As a search does: down a line, and back to the state it began with.
                for (int line = 0; line < 3; ++line) {
                    State state = real;
                    for (int step = 0; step < 8 && !game.machine->terminal(state); ++step) {
                        for (std::uint32_t role = 0; role < game.machine->role_count(); ++role) {
                            ASSERT_EQ(whole.value(state, machine::Role{role}), pruned.value(state, machine::Role{role}))
                                << "turn " << turn << ", step " << step;
                            ++compared;
                        }
                        game.advance(state, random);
                    }
                }
                game.advance(real, random);
            }
        }
    }
    EXPECT_GT(left_out, 1000U);
    EXPECT_GT(compared, 5000U);
}

// Values between true and false keep the sign, so that networks stay right with features.
TEST(NeuralSoundness, WithFeatures) {
    Totals totals;
    feature::FeatureCounts found;
    std::vector<const char*> games{"tic_tac_toe",  "breakthrough_6x6", "racetrack_corridor", "hallway",
                                   "connect_four", "maze_chase",       "skirmish",           "english_draughts"};
    if (full_tests()) {
        for (const char* name : {"pawn_whopping", "eight_puzzle", "chinese_checkers", "othello", "farmers", "nothello"})
            games.push_back(name);
    }
    for (const char* name : games) {
        SCOPED_TRACE(name);
        NeuralGame game(machine::testing::bundled(name), {}, full_tests() ? 5 : 1);
        for (const Transformation kind : {Transformation::local, Transformation::soft}) {
            game.set(with_features(kind));
            ASSERT_NE(game.evaluator->features(), nullptr);
            found.add(game.evaluator->feature_counts());
            check(game, full_tests() ? 100 : sized(40), totals);
            if (HasFatalFailure()) return;
        }
    }
    report(totals);
    fmt::print("{}\n", found.to_text());
    using feature::Feature;
    for (const Feature one : {Feature::solution_cardinality, Feature::variable_distance, Feature::fixed_distance,
                              Feature::true_persistence, Feature::false_persistence, Feature::admissible_distance}) {
        EXPECT_GT(found.found(one), 0U) << to_string(one);
    }
}

}  // namespace
}  // namespace stratagem::evaluate::neural::testing
