// What is likely at the end, observed in random games.
#include "evaluate/feature/likelihood.h"

#include <gtest/gtest.h>

#include <map>

#include "evaluate/neural_game.h"

namespace stratagem::evaluate::feature {
namespace {

using neural::Settings;
using neural::testing::NeuralGame;

Settings likely(bool on) {
    Settings settings;
    settings.features.persistence = true;
    settings.features.likely = on;
    return settings;
}

TEST(Likelihood, IsHowOftenFluentsHoldAtTheEnd) {
    const NeuralGame game(machine::testing::bundled("tic_tac_toe"), likely(true), 20);
    const Likelihood seen(game.prepared.circuit(), nullptr, {});
    EXPECT_GE(seen.games(), 100U);
    const Fluent corner = *game.machine->find_fluent("(cell 1 1 x)");
    const Fluent centre = *game.machine->find_fluent("(cell 2 2 x)");
    const Fluent empty = *game.machine->find_fluent("(cell 2 2 blank)");
    EXPECT_GT(seen.at_end(corner, true), 0.99);  // marks stay
    EXPECT_LT(seen.at_end(empty, false), 0.01);  // and nothing becomes empty
    EXPECT_GT(seen.at_end(empty, true), 0.05);
    EXPECT_LT(seen.at_end(empty, true), 0.6);
    EXPECT_GT(seen.at_end(centre, false), 0.1);
    EXPECT_LT(seen.at_end(centre, false), 0.7);
}

// The pieces of quarto are, whichever of them random games took more often.
TEST(Likelihood, IsTheSameForWhatIsAlike) {
    const NeuralGame game(machine::testing::bundled("quarto"), likely(true), 20);
    const ground::Program& program = game.prepared.circuit()->program();
    const analysis::NeutralOrder order(program);
    const Likelihood seen(game.prepared.circuit(), &order, {});
    std::map<std::uint32_t, Fluent> first;  // by class
    std::size_t alike = 0;
    for (std::uint32_t i = 0; i < program.fluents.size(); ++i) {
        const auto [found, added] = first.emplace(order.class_of(program.atom(Fluent{i})), Fluent{i});
        if (added) continue;
        ++alike;
        for (const bool holds : {false, true}) {
            EXPECT_EQ(seen.at_end(Fluent{i}, holds), seen.at_end(found->second, holds)) << i;
        }
    }
    EXPECT_GT(alike, 10U);
}

TEST(Likelihood, IsAHalfOfWhatWasNeverSeen) {
    const NeuralGame game(machine::testing::bundled("tic_tac_toe"), {}, 20);
    machine::Stop stop;
    stop.deadline = Deadline::after(std::chrono::seconds(0));
    const Likelihood nothing(game.prepared.circuit(), nullptr, stop);
    EXPECT_EQ(nothing.games(), 0U);
    const Fluent centre = *game.machine->find_fluent("(cell 2 2 x)");
    EXPECT_EQ(nothing.at_end(centre, true), 0.5);
    EXPECT_EQ(nothing.at_end(centre, false), 0.5);
}

TEST(Likelihood, ChangesValuesButNoSign) {
    NeuralGame game(machine::testing::bundled("connect_three"), likely(false), 20);
    machine::Random random(3);
    std::vector<machine::State> states;
    std::vector<double> before, values;
    machine::State state = game.machine->initial();
    for (int i = 0; i < 200; ++i, game.advance(state, random)) {
        if (game.machine->terminal(state)) continue;
        states.push_back(state);
        before.push_back(game.answer(state, 100));
    }
    game.set(likely(true));
    std::size_t different = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
        const double now = game.answer(states[i], 100);
        EXPECT_EQ(now > 0, before[i] > 0);
        different += now != before[i] ? 1 : 0;
    }
    EXPECT_GT(different, states.size() / 2);
}

}  // namespace
}  // namespace stratagem::evaluate::feature
